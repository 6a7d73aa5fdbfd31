//! The call that gets the rest of a cut text. The gate knows no operation by name: it looks for one this caller may
//! use that reads things of the kind the text belongs to, and can begin further on.

use oaken_core::{Class, Descriptor, Field, IdKind, Shape};
use serde_json::{Map, Value, json};

use crate::call::Call;
use crate::{Gate, exposure};

/// The input that says how many characters to pass over.
const OFFSET: &str = "offset";

/// The next call for the text at `field` of an output, of which `shown` characters are shown.
///
/// `body` says that its length is bounded by the budget alone, so that the characters passed over are its own.
pub(crate) fn next(
    gate: &Gate,
    call: &Call,
    output: &Value,
    field: &str,
    body: bool,
    shown: usize,
) -> String {
    let mut within = field;
    while let Some((outer, _)) = within.rsplit_once('/') {
        if let Some(Value::Object(object)) = output.pointer(outer) {
            for reader in readers(gate, call) {
                if let Some(text) = written(call, reader, object, body, shown) {
                    return text;
                }
            }
        }
        within = outer;
    }
    // Nothing reads further: the same call for less at a time is what there is. A secret in it is not repeated.
    match call
        .descriptor
        .input
        .iter()
        .any(|f| matches!(f.shape, Shape::Secret))
    {
        true => call.descriptor.name.to_owned(),
        false => format!("{} {}", call.descriptor.name, call.checked.canonical),
    }
}

/// This operation first, if it is one of them; then the others.
fn readers<'a>(gate: &'a Gate, call: &'a Call) -> impl Iterator<Item = &'static Descriptor> + 'a {
    let others = gate.descriptors().iter().copied();
    std::iter::once(call.descriptor).chain(others).filter(|d| {
        d.class == Class::Read
            && d.input
                .iter()
                .any(|f| f.name == OFFSET && matches!(f.shape, Shape::Integer { .. }))
            && exposure::allows(call.grant.settings(), call.grant.caller(), d)
    })
}

fn written(
    call: &Call,
    reader: &'static Descriptor,
    object: &Map<String, Value>,
    body: bool,
    shown: usize,
) -> Option<String> {
    let mut input = Map::new();
    for field in reader.input {
        let (kind, list) = takes(field)?;
        let Some(kind) = kind else { continue };
        let id = object
            .values()
            .filter_map(Value::as_str)
            .find(|id| kind.is_well_formed(id))?;
        input.insert(field.name.to_owned(), if list { json!([id]) } else { json!(id) });
    }
    if input.is_empty() {
        return None;
    }
    // Only the same operation counts its characters as this text was counted.
    if reader.name == call.descriptor.name && body {
        let before = call
            .checked
            .input
            .get(OFFSET)
            .and_then(Value::as_u64)
            .unwrap_or(0);
        input.insert(OFFSET.to_owned(), json!(before + shown as u64));
    }
    Some(format!("{} {}", reader.name, Value::Object(input)))
}

/// The kind of id a field takes, and whether as a list; `None` where the reader needs something this cannot give.
fn takes(field: &'static Field) -> Option<(Option<IdKind>, bool)> {
    match &field.shape {
        Shape::Id(kind) => Some((Some(*kind), false)),
        Shape::List {
            item: Shape::Id(kind),
            ..
        } => Some((Some(*kind), true)),
        _ if field.required => None,
        _ => Some((None, false)),
    }
}
