//! Fields and models.

use super::{Origin, Type};

/// One field of an input, an output or a model.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name, snake_case.
    pub name: String,
    /// What it means; empty when nothing was said.
    pub doc: String,
    /// What it may be.
    pub ty: Type,
    /// Whether a caller must give it (inputs), whether it is always there (outputs). False with a default.
    pub required: bool,
    /// The default, applied by the gate.
    pub default: Option<serde_json::Value>,
    /// Its name in the source.
    pub origin: Origin,
    /// Its type in the source.
    pub type_origin: Origin,
    /// Its default in the source, or its name.
    pub default_origin: Origin,
}

impl Field {
    /// Whether its Rust type is an `Option`: it may be absent and nothing fills it in.
    #[must_use]
    pub fn is_option(&self) -> bool {
        !self.required && self.default.is_none()
    }
}

/// A named shape shared by operations.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its name, CamelCase.
    pub name: String,
    /// One sentence.
    pub summary: String,
    /// Its fields, in the order of the spec.
    pub fields: Vec<Field>,
    /// Its name in the source.
    pub origin: Origin,
}
