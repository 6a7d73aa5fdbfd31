//! R307: a schedule runs with the standing confirmation of the person who set it, and with nobody there.

use super::{Check, Report, Rule};
use crate::ir::{Approval, Ceiling, Class, Operation, Spec};

/// The operation that marks mail read.
const MARKS: &str = "mark_read";

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R307",
    refuses: "a schedulable operation that sends, marks read, or needs an agent's confirmation",
    page: include_str!("r307_schedulable.md"),
    checks: &[Check::Operation(check)],
};

fn check(op: &Operation, _: &Spec, report: &mut Report<'_>) {
    if !op.schedulable {
        return;
    }
    let nested = op.then.as_ref().is_some_and(|t| t.run == MARKS);
    let confirmed_by_agent = op.changes() && op.ceiling != Ceiling::Never && op.approval == Approval::Agent;
    let what = if op.class == Class::Send {
        "sends"
    } else if op.marks_read || nested {
        "marks mail read"
    } else if confirmed_by_agent {
        "is confirmed by the agent that proposes it"
    } else {
        return;
    };
    let message = format!("`{}` can be scheduled and {what}", op.name);
    report.push(&op.origins.schedulable, message, "leave `schedulable` out");
}
