//! What follows from the types of an operation: whether it touches mail, whether its lists run on.

use crate::ir::{Field, IdKind, Operation, Spec, Type};

/// Whether its input or output, through models too, holds mail text, addresses, or ids of mail or of accounts. Such
/// an operation may need a mail server, and what it answers was written by others.
#[must_use]
pub fn touches_mail(op: &Operation, spec: &Spec) -> bool {
    any(&op.input, spec, 0) || any(&op.output, spec, 0)
}

fn any(fields: &[Field], spec: &Spec, depth: u8) -> bool {
    fields.iter().any(|f| match f.ty.item() {
        Type::Text { .. } | Type::Address | Type::Selection => true,
        Type::Id(kind) => !matches!(kind, IdKind::Agent | IdKind::Proposal | IdKind::Token),
        // R401 refuses recursion; the cap keeps a refused spec from looping here.
        Type::Model(name) => depth < 8 && spec.model(name).is_some_and(|m| any(&m.fields, spec, depth + 1)),
        _ => false,
    })
}

/// Whether an answer can go stale between two pages.
#[must_use]
pub fn pages(op: &Operation) -> bool {
    op.input_field("cursor").is_some()
}
