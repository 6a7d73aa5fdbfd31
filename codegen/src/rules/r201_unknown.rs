//! R201: a name that names nothing. Types and models are resolved by lowering, which reports them under this code.

use super::{Check, Report, Rule};
use crate::{
    diagnostic::nearest_help,
    ir::{Declared, Operation, Spec, Type},
};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R201",
    refuses: "an unknown type, model, setting, area, operation or input field",
    page: include_str!("r201_unknown.md"),
    checks: &[Check::Operation(operation), Check::Spec(spec)],
};

fn operation(op: &Operation, _: &Spec, report: &mut Report<'_>) {
    let Some(then) = &op.then else { return };
    match op.input_field(&then.when) {
        Some(field) if field.ty == Type::Boolean => {}
        Some(_) => report.push(
            &op.origins.then,
            format!("the input `{}` is no boolean", then.when),
            "`when` is one",
        ),
        None => {
            let help = nearest_help(&then.when, op.input.iter().map(|f| f.name.as_str()));
            report.push(
                &op.origins.then,
                format!("there is no input `{}`", then.when),
                help,
            );
        }
    }
}

fn spec(spec: &Spec, report: &mut Report<'_>) {
    for op in &spec.operations {
        let undo = op.undo.iter().map(|u| (u, &op.origins.undo));
        let then = op.then.iter().map(|t| (&t.run, &op.origins.then));
        for (name, origin) in undo.chain(then) {
            if spec.operation(name).is_none() && !spec.broken.contains(name) {
                let help = nearest_help_of_many(name, spec.operations.iter().map(|o| o.name.as_str()));
                report.push(origin, format!("there is no operation `{name}`"), help);
            }
        }
        if op.declared == Declared::Attribute && !spec.areas.contains(&op.area) {
            let help = nearest_help(&op.area, spec.areas.iter().map(String::as_str));
            report.push(&op.origins.area, format!("unknown area `{}`", op.area), help);
        }
    }
    for section in &spec.sections {
        for setting in &section.settings {
            let Some(agent) = &setting.agent else { continue };
            if spec.setting(&section.name, agent).is_none() {
                let help = nearest_help(agent, section.settings.iter().map(|s| s.name.as_str()));
                report.push(
                    &setting.origin,
                    format!("there is no setting `{agent}` in this section"),
                    help,
                );
            }
        }
    }
}

/// Operations are too many to list; only a near one is named.
fn nearest_help_of_many<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    match crate::diagnostic::nearest(name, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "declare it, or leave this out".into(),
    }
}
