//! R305: what names something has its type. By the types of its ids the gate finds whose mail a call touches.

use super::{Check, Report, Rule};
use crate::ir::{IdKind, Operation, Spec, Type};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R305",
    refuses: "a string input that names an id, a folder, an account, a UID or a label",
    page: include_str!("r305_typed_id.md"),
    checks: &[Check::Operation(check)],
};

fn check(op: &Operation, _: &Spec, report: &mut Report<'_>) {
    for field in &op.input {
        if !matches!(field.ty.item(), Type::String { .. } | Type::Text { .. }) {
            continue;
        }
        if let Some(help) = expected(&field.name, op.plugin().is_some()) {
            let message = format!("the input `{}` is a string, and names something", field.name);
            report.push(&field.type_origin, message, help);
        }
    }
}

fn expected(name: &str, plugin: bool) -> Option<String> {
    let stem = name.strip_suffix("_ids").or(name.strip_suffix("_id"));
    if let Some(stem) = stem {
        let kind = IdKind::ALL
            .iter()
            .find(|k| k.variant().eq_ignore_ascii_case(stem));
        let kinds: Vec<&str> = IdKind::ALL.iter().map(|k| k.type_name()).collect();
        return Some(match kind {
            Some(kind) => format!("its type is {}", kind.type_name()),
            None => format!("one of {}", kinds.join(", ")),
        });
    }
    match name {
        "folder" | "uid" if plugin => Some("of a plugin `mailbox`: LiveFolder, LiveUid".into()),
        "folder" | "folders" => Some("call it folder_id, of type FolderId".into()),
        "account" | "accounts" => Some("call it account_id, of type AccountId".into()),
        "label" | "labels" => Some("call it label_id, of type LabelId".into()),
        "uid" | "uids" => Some("call it message_id, of type MessageId: UIDs change".into()),
        _ => None,
    }
}
