//! R402: the command line. One command a path, no command below another, arguments that the parser can part.

use super::{Check, Report, Rule};
use crate::{
    diagnostic::nearest_help,
    ir::{Operation, Spec, Type},
    naming,
};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R402",
    refuses: "clashes on the command line",
    page: include_str!("r402_cli.md"),
    checks: &[Check::Operation(operation), Check::Spec(spec)],
};

fn operation(op: &Operation, _: &Spec, report: &mut Report<'_>) {
    let at = &op.origins.cli;
    match op.cli.path.first() {
        None if op.cli.only => report.push(
            at,
            "`cli: none` and `cli_only` leave no door",
            "leave one of them out",
        ),
        Some(noun) if naming::RESERVED_NOUNS.contains(&noun.as_str()) => {
            report.push(
                at,
                format!("`oaken {noun}` is a command made by hand"),
                "use another noun",
            );
        }
        _ => {}
    }
    arguments(op, report);
    for field in &op.input {
        let flag = naming::flag(&field.name);
        let positional = op.cli.positional.iter().any(|p| p.field == field.name);
        if naming::GLOBAL_FLAGS.contains(&flag.as_str()) && !positional {
            report.push(
                &field.origin,
                format!("the flag `--{flag}` is every command's"),
                "call the field something else",
            );
        }
    }
}

fn arguments(op: &Operation, report: &mut Report<'_>) {
    let at = &op.origins.cli;
    let mut optional = None;
    for (i, argument) in op.cli.positional.iter().enumerate() {
        let name = &argument.field;
        let Some(field) = op.input_field(name) else {
            let help = nearest_help(name, op.input.iter().map(|f| f.name.as_str()));
            report.push(at, format!("the argument `<{name}>` is no input field"), help);
            continue;
        };
        if op.cli.positional[..i].iter().any(|p| p.field == *name) {
            report.push(at, format!("the argument `<{name}>` stands twice"), "keep one");
        }
        let list = matches!(field.ty, Type::List { .. } | Type::Selection);
        if list != argument.rest {
            let form = if list {
                format!("<{name}>...")
            } else {
                format!("<{name}>")
            };
            report.push(
                at,
                format!("the argument `<{name}>` has the form of another type"),
                format!("write `{form}`"),
            );
        }
        if argument.rest && i + 1 < op.cli.positional.len() {
            report.push(
                at,
                format!("the argument `<{name}>...` takes all that follow"),
                "put it last",
            );
        }
        match optional {
            Some(before) if field.required => {
                let message = format!("the required argument `<{name}>` follows the optional `<{before}>`");
                report.push(
                    at,
                    message,
                    "put what is required first, or make the other a flag",
                );
            }
            None if !field.required => optional = Some(name),
            _ => {}
        }
    }
}

fn spec(spec: &Spec, report: &mut Report<'_>) {
    for (i, op) in spec
        .operations
        .iter()
        .enumerate()
        .filter(|(_, o)| !o.cli.path.is_empty())
    {
        for other in spec.operations[..i]
            .iter()
            .filter(|o| !o.cli.path.is_empty() && o.name != op.name)
        {
            let (a, b) = (&op.cli.path, &other.cli.path);
            if a == b {
                let message = format!("`oaken {}` is `{}` already", a.join(" "), other.name);
                report.push(&op.origins.cli, message, "use another verb");
            } else if a.starts_with(b) || b.starts_with(a) {
                let message = format!(
                    "`oaken {}` and `oaken {}` (`{}`) lie within each other",
                    a.join(" "),
                    b.join(" "),
                    other.name
                );
                report.push(
                    &op.origins.cli,
                    message,
                    "a command has no commands below it; use another noun",
                );
            }
        }
    }
}
