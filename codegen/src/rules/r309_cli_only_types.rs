//! R309: a path and a command mean this machine and this user: command line only.

use super::{Check, Report, Rule, fields};
use crate::ir::{Ceiling, Operation, Spec, Type};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R309",
    refuses: "a path or command outside the command line",
    page: include_str!("r309_cli_only_types.md"),
    checks: &[Check::Operation(check)],
};

fn check(op: &Operation, spec: &Spec, report: &mut Report<'_>) {
    let mut both = |all| {
        fields::each(all, spec, &mut |field| {
            let what = match field.ty.item() {
                Type::Path => "path",
                Type::Command => "command",
                _ => return,
            };
            if !op.cli.only {
                let message = format!(
                    "`{}` is a {what}, and `{}` is not for the command line alone",
                    field.name, op.name
                );
                report.push(&field.type_origin, message, "add `cli_only: true`");
            } else if op.ceiling != Ceiling::Never {
                let message = format!(
                    "`{}` is a {what}, and `{}` could be offered to agents",
                    field.name, op.name
                );
                report.push(&field.type_origin, message, "write `ceiling: never`");
            }
        });
    };
    both(&op.input);
    both(&op.output);
}
