//! Walking fields through their models.

use crate::ir::{Field, Spec, Type};

/// Deeper than R401 allows; a guard against recursion, which R401 reports.
const DEEPEST: usize = 8;

/// Every field, and every field of the models they hold.
pub(super) fn each<'s>(fields: &'s [Field], spec: &'s Spec, visit: &mut dyn FnMut(&'s Field)) {
    walk(fields, spec, 0, visit);
}

fn walk<'s>(fields: &'s [Field], spec: &'s Spec, depth: usize, visit: &mut dyn FnMut(&'s Field)) {
    for field in fields {
        visit(field);
        if let Type::Model(name) = field.ty.item()
            && let Some(model) = spec.model(name).filter(|_| depth < DEEPEST)
        {
            walk(&model.fields, spec, depth + 1, visit);
        }
    }
}
