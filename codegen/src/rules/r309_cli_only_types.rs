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
    let mut typed = false;
    let mut both = |all| {
        fields::each(all, spec, &mut |field| {
            let what = match field.ty.item() {
                Type::Path => "path",
                Type::Command => "command",
                _ => return,
            };
            typed = true;
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
    if op.cli.only && op.ceiling != Ceiling::Never && !typed {
        let message = format!(
            "`{}` is for the command line alone and could be offered to agents",
            op.name
        );
        report.push(
            &op.origins.ceiling,
            message,
            "write `ceiling: never`, or leave `cli_only` out",
        );
    }
}
