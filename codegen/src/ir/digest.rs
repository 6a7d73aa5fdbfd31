//! The digest of what an operation declared. A proposal made before it changed is void after.
//!
//! Over the name, the class and the input: names, types with their models unfolded, bounds' settings, defaults.
//! Not over prose, and not over a setting's value.

use sha2::{Digest as _, Sha256};

use super::{Field, Operation, Spec, Type};

/// 32 lowercase hex digits.
#[must_use]
pub fn of(operation: &Operation, spec: &Spec) -> String {
    let mut text = format!("{} {}\n", operation.name, operation.class.word());
    fields(&operation.input, spec, 0, &mut text);
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().take(16).map(|b| format!("{b:02x}")).collect()
}

fn fields(fields_: &[Field], spec: &Spec, depth: usize, out: &mut String) {
    for f in fields_ {
        out.push_str(&format!("{depth} {} {} ", f.name, f.required));
        shape(&f.ty, spec, depth, out);
        if let Some(default) = &f.default {
            out.push_str(&format!(" = {default}"));
        }
        out.push('\n');
    }
}

fn shape(ty: &Type, spec: &Spec, depth: usize, out: &mut String) {
    match ty {
        Type::Model(name) => {
            out.push_str(&format!("model {name}\n"));
            // R401 refuses recursion and deep nesting; the cap keeps a refused spec from looping here.
            if let (Some(model), true) = (spec.model(name), depth < 8) {
                fields(&model.fields, spec, depth + 1, out);
            }
        }
        Type::List { item, bound } => {
            out.push_str(&format!("list {}.{} ", bound.section, bound.setting));
            shape(item, spec, depth, out);
        }
        other => out.push_str(&format!("{other:?}")),
    }
}
