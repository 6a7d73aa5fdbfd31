//! The rules: what a spec may not say. One file a rule, its page beside it.

use crate::{
    diagnostic::Diagnostics,
    ir::{Operation, Spec},
};

/// Checks a whole spec.
pub fn check(_spec: &Spec, _found: &mut Diagnostics) {}

/// Checks one operation; `shapes` holds the models and settings it refers to.
pub fn check_operation(_operation: &Operation, _shapes: &Spec, _found: &mut Diagnostics) {}
