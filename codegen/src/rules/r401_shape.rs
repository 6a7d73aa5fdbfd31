//! R401: shapes that MCP clients break on. Unions and lists of lists are refused by lowering, under this code: the IR
//! cannot even say them.

use super::{Check, Report, Rule};
use crate::ir::{Field, Operation, Origin, Spec, Type};

/// Objects within objects, the input or output itself counted.
const DEEPEST: usize = 3;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R401",
    refuses: "a union, recursion, an array without items, nesting deeper than 3",
    page: include_str!("r401_shape.md"),
    checks: &[Check::Operation(operation), Check::Spec(spec)],
};

fn operation(op: &Operation, spec: &Spec, report: &mut Report<'_>) {
    for field in op.input.iter().chain(&op.output) {
        // A model that holds itself is reported where it stands, and would be endless here.
        if depth(&field.ty, spec, 1).is_some_and(|d| d > DEEPEST) {
            let message = format!("`{}` nests objects deeper than {DEEPEST}", field.name);
            report.push(
                &field.type_origin,
                message,
                "make the inner object's fields the outer's",
            );
        }
    }
}

/// How deep objects lie below a field of an object at `level`; `None` for no end.
fn depth(ty: &Type, spec: &Spec, level: usize) -> Option<usize> {
    match ty.item() {
        Type::Selection => Some(level + 1),
        Type::Model(name) => {
            if level > 16 {
                return None;
            }
            let fields = spec.model(name).map_or(&[][..], |m| &m.fields);
            fields.iter().try_fold(level + 1, |deepest, f| {
                Some(deepest.max(depth(&f.ty, spec, level + 1)?))
            })
        }
        _ => Some(level),
    }
}

fn spec(spec: &Spec, report: &mut Report<'_>) {
    for model in &spec.models {
        for field in &model.fields {
            if let Some(at) = leads_to(field, &model.name, spec, &mut Vec::new()) {
                let message = format!("the model `{}` holds itself through `{}`", model.name, field.name);
                report.push(at, message, "hold its id instead");
            }
        }
    }
}

fn leads_to<'s>(
    field: &'s Field,
    model: &str,
    spec: &'s Spec,
    seen: &mut Vec<&'s str>,
) -> Option<&'s Origin> {
    let Type::Model(name) = field.ty.item() else {
        return None;
    };
    if name == model {
        return Some(&field.type_origin);
    }
    if seen.contains(&name.as_str()) {
        return None;
    }
    seen.push(name);
    let inner = spec.model(name)?;
    inner
        .fields
        .iter()
        .any(|f| leads_to(f, model, spec, seen).is_some())
        .then_some(&field.type_origin)
}
