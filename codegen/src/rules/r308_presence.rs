//! R308: what governs says what proves that a person is there.

use super::{Check, Report, Rule};
use crate::ir::{Ceiling, Operation, Presence, Spec};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R308",
    refuses: "an operation with ceiling never that changes something, without a presence",
    page: include_str!("r308_presence.md"),
    checks: &[Check::Operation(check)],
};

fn check(op: &Operation, _: &Spec, report: &mut Report<'_>) {
    if op.ceiling == Ceiling::Never && op.changes() && op.presence.is_none() {
        let message = format!(
            "`{}` is for people only and does not say what proves one",
            op.name
        );
        report.push(
            &op.origins.ceiling,
            message,
            format!("add `presence:`, one of {}", Presence::WORDS.join(", ")),
        );
    }
}
