//! R306: secrets go in one way. That a preview and an audit detail hold no text is a matter of Rust types (`Auditable`):
//! the spec declares neither, so there is nothing to check here.

use super::{Check, Report, Rule, fields};
use crate::ir::{Ceiling, Operation, Spec, Type};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R306",
    refuses: "a secret in an output, a default or an example; an issued secret an agent could see",
    page: include_str!("r306_secret.md"),
    checks: &[Check::Operation(check)],
};

fn check(op: &Operation, spec: &Spec, report: &mut Report<'_>) {
    let mut hidden = Vec::new();
    fields::each(&op.input, spec, &mut |field| match field.ty.item() {
        Type::Secret => hidden.push(field),
        Type::IssuedSecret => {
            let message = format!(
                "the input `{}` is an issued secret, which only goes out",
                field.name
            );
            report.push(&field.type_origin, message, "its type is secret");
        }
        _ => {}
    });
    for field in &hidden {
        if field.default.is_some() {
            report.push(
                &field.default_origin,
                format!("the secret `{}` has a default", field.name),
                "leave it out",
            );
        }
        for example in op.examples.iter().filter(|e| holds(&e.input, &field.name)) {
            report.push(
                &example.origin,
                format!("the example gives the secret `{}`", field.name),
                "leave it out of the example",
            );
        }
    }
    fields::each(&op.output, spec, &mut |field| match field.ty.item() {
        Type::Secret => {
            let message = format!("the output `{}` is a secret", field.name);
            report.push(
                &field.type_origin,
                message,
                "leave it out; a secret that is issued once is an issued_secret",
            );
        }
        Type::IssuedSecret if op.ceiling != Ceiling::Never => {
            let message = format!(
                "the output `{}` is an issued secret that an agent could see",
                field.name
            );
            report.push(
                &field.type_origin,
                message,
                "write `ceiling: never`: it is shown once, to a person",
            );
        }
        _ => {}
    });
}

fn holds(value: &serde_json::Value, key: &str) -> bool {
    match value {
        serde_json::Value::Object(map) => map.iter().any(|(k, v)| k == key || holds(v, key)),
        serde_json::Value::Array(items) => items.iter().any(|v| holds(v, key)),
        _ => false,
    }
}
