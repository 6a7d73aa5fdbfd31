//! R301: nothing an agent can reach sends mail.

use super::{Check, Report, Rule};
use crate::ir::{Ceiling, Class, Operation, Spec};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R301",
    refuses: "a send whose ceiling is not never",
    page: include_str!("r301_send_has_ceiling_never.md"),
    checks: &[Check::Operation(check)],
};

fn check(op: &Operation, _: &Spec, report: &mut Report<'_>) {
    if op.class == Class::Send && op.ceiling != Ceiling::Never {
        let message = format!("`{}` sends and could be offered to agents", op.name);
        report.push(&op.origins.ceiling, message, "write `ceiling: never`");
    }
}
