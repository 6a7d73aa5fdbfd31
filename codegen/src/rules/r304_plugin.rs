//! R304: a plugin is never on by default, and never marks mail read. A plugin's operation has a dot in its name.

use super::{Check, Report, Rule};
use crate::ir::{Ceiling, Operation, Spec};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R304",
    refuses: "a plugin operation that is on by default, or marks mail read",
    page: include_str!("r304_plugin.md"),
    checks: &[Check::Operation(check)],
};

fn check(op: &Operation, _: &Spec, report: &mut Report<'_>) {
    let Some(plugin) = op.plugin() else { return };
    if op.ceiling == Ceiling::On {
        let message = format!(
            "`{}` of the plugin `{plugin}` would be offered to agents by default",
            op.name
        );
        report.push(
            &op.origins.ceiling,
            message,
            "write `ceiling: off` or `ceiling: never`",
        );
    }
    if op.marks_read {
        report.push(
            &op.origins.marks_read,
            format!("`{}` is a plugin's and marks mail read", op.name),
            "leave it out",
        );
    }
}
