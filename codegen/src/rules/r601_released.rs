//! R601: what was released still holds. Only under `cargo codegen --check`, against `docs/reference/released.json`.

use serde_json::{Map, Value, json};

use super::{Check, Report, Rule};
use crate::ir::{Operation, Origin, Spec};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R601",
    refuses: "an operation removed, a required input added, an output field dropped since the last release",
    page: include_str!("r601_released.md"),
    checks: &[Check::Released(check)],
};

/// What a release promises: per operation its inputs, which of them are required, and its outputs.
#[must_use]
pub fn released(spec: &Spec) -> Value {
    let one = |op: &Operation| {
        let required: Vec<&str> = op
            .input
            .iter()
            .filter(|f| f.required)
            .map(|f| f.name.as_str())
            .collect();
        let input: Vec<&str> = op.input.iter().map(|f| f.name.as_str()).collect();
        let output: Vec<&str> = op.output.iter().map(|f| f.name.as_str()).collect();
        (
            op.name.clone(),
            json!({ "input": input, "required": required, "output": output }),
        )
    };
    json!({ "operations": spec.operations.iter().map(one).collect::<Map<_, _>>() })
}

fn check(spec: &Spec, released: &Value, report: &mut Report<'_>) {
    for (name, was) in released
        .get("operations")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let Some(op) = spec.operation(name) else {
            if !spec.broken.contains(name) {
                let at = Origin::file(&"docs/reference/released.json".into());
                report.push(
                    &at,
                    format!("the operation `{name}` was released and is gone"),
                    "bring it back",
                );
            }
            continue;
        };
        let listed = |key: &str, field: &str| {
            was.get(key)
                .and_then(Value::as_array)
                .is_some_and(|l| l.iter().any(|v| v.as_str() == Some(field)))
        };
        for field in op
            .input
            .iter()
            .filter(|f| f.required && !listed("required", &f.name))
        {
            let message = format!(
                "the input `{}` of `{name}` is required and was not in the release",
                field.name
            );
            report.push(&field.origin, message, "make it optional, or give it a default");
        }
        for gone in names(was, "input").filter(|n| op.input_field(n).is_none()) {
            report.push(
                &op.origins.name,
                format!("the input `{gone}` of `{name}` was released and is gone"),
                "bring it back",
            );
        }
        for gone in names(was, "output").filter(|n| op.output.iter().all(|f| f.name != *n)) {
            report.push(
                &op.origins.name,
                format!("the output `{gone}` of `{name}` was released and is gone"),
                "bring it back",
            );
        }
    }
}

fn names<'v>(was: &'v Value, key: &str) -> impl Iterator<Item = &'v str> {
    was.get(key)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}
