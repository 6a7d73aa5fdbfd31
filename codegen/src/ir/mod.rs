//! The spec, fully resolved: what every rule reads and every emitter prints.
//!
//! Nothing here is optional because an author may have left it out: lowering filled every default, resolved every
//! name and refused what it could not. Only `lower` makes these values. No YAML, no tokens, no output format.

pub mod digest;
pub mod field;
pub mod lower;
pub mod operation;
pub mod origin;
pub mod setting;
pub mod types;
pub mod words;

use std::collections::BTreeSet;

pub use field::{Field, Model};
pub use operation::{Cli, Declared, Example, Mcp, Operation, Origins, Positional, Then};
pub use origin::{Origin, SourceFile, Sources};
pub use setting::{Section, Setting, SettingKind};
pub use types::{Bound, IdKind, Type};
pub use words::{Approval, Ceiling, Class, McpResult, Presence};

/// Everything that is declared. Operations are sorted by name, models by name, sections and settings by name.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// The operations that could be lowered, of both front ends.
    pub operations: Vec<Operation>,
    /// The shared shapes.
    pub models: Vec<Model>,
    /// The sections of settings.
    pub sections: Vec<Section>,
    /// The folders under `spec/operations`: the areas there are.
    pub areas: BTreeSet<String>,
    /// Names that were declared and could not be lowered. A rule does not report a reference to one of these.
    pub broken: BTreeSet<String>,
}

impl Spec {
    /// An operation by its name.
    #[must_use]
    pub fn operation(&self, name: &str) -> Option<&Operation> {
        self.operations.iter().find(|o| o.name == name)
    }

    /// A model by its name. Every `Type::Model` of a lowered spec names one that is here.
    #[must_use]
    pub fn model(&self, name: &str) -> Option<&Model> {
        self.models.iter().find(|m| m.name == name)
    }

    /// A setting by section and name.
    #[must_use]
    pub fn setting(&self, section: &str, name: &str) -> Option<&Setting> {
        self.sections
            .iter()
            .find(|s| s.name == section)?
            .settings
            .iter()
            .find(|s| s.name == name)
    }

    /// The operations declared in YAML; the others are printed by the macro where they stand.
    pub fn yaml_operations(&self) -> impl Iterator<Item = &Operation> {
        self.operations.iter().filter(|o| o.declared == Declared::Yaml)
    }
}
