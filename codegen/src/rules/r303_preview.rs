//! R303: what an agent can reach says first what it would change.

use super::{Check, Report, Rule};
use crate::ir::{Ceiling, Class, Operation, Spec};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R303",
    refuses: "a mutate with a ceiling above never and no preview",
    page: include_str!("r303_preview.md"),
    checks: &[Check::Operation(check)],
};

fn check(op: &Operation, _: &Spec, report: &mut Report<'_>) {
    if op.class == Class::Mutate && op.ceiling != Ceiling::Never && !op.preview {
        let message = format!(
            "`{}` can be offered to agents and does not say what it would change",
            op.name
        );
        report.push(
            &op.origins.preview,
            message,
            "leave `preview: false` out, or write `ceiling: never`",
        );
    }
}
