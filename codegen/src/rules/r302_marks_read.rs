//! R302: reading never marks mail read, and one operation marks it. Of a plugin's operations R304 says so.

use super::{Check, Report, Rule};
use crate::ir::{Class, Operation, Spec};

/// The one operation that marks mail read.
const MARKS: &str = "mark_read";

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R302",
    refuses: "a read that marks mail read, or any operation but mark_read that does",
    page: include_str!("r302_marks_read.md"),
    checks: &[Check::Operation(check)],
};

fn check(op: &Operation, _: &Spec, report: &mut Report<'_>) {
    if !op.marks_read || op.plugin().is_some() {
        return;
    }
    let at = &op.origins.marks_read;
    if op.class != Class::Mutate {
        let help = "leave `marks_read` out; a person or agent marks with mark_read";
        report.push(
            at,
            format!("`{}` is a {} and marks mail read", op.name, op.class.word()),
            help,
        );
    } else if op.name != MARKS {
        let help = format!("run `{MARKS}` as a nested call: `then: {{ when: FIELD, run: {MARKS} }}`");
        report.push(
            at,
            format!("`{}` marks mail read, and only `{MARKS}` does", op.name),
            help,
        );
    }
}
