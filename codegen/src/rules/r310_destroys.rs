//! R310: what cannot be taken back waits for a person. That a change leaves the personal namespace or hides mail for
//! over 90 days is said by `destroys: true` as well: the spec has no other word for it.

use super::{Check, Report, Rule};
use crate::ir::{Approval, Operation, Spec};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R310",
    refuses: "what destroys, without approval by a person",
    page: include_str!("r310_destroys.md"),
    checks: &[Check::Operation(check)],
};

fn check(op: &Operation, _: &Spec, report: &mut Report<'_>) {
    if op.destroys && op.approval != Approval::Person {
        let message = format!("`{}` destroys and an agent may confirm it", op.name);
        report.push(&op.origins.destroys, message, "add `approval: person`");
    }
}
