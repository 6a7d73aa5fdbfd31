//! Settings, a section a file.

use super::Origin;

/// A section: `[operations]`.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// One sentence.
    pub summary: String,
    /// Its settings, sorted by name.
    pub settings: Vec<Setting>,
    /// Its name in the source.
    pub origin: Origin,
}

/// One setting.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its name within the section.
    pub name: String,
    /// What it means.
    pub doc: String,
    /// What it may be.
    pub kind: SettingKind,
    /// What holds when nobody set it.
    pub default: serde_json::Value,
    /// The setting of the same section that holds for an agent instead.
    pub agent: Option<String>,
    /// Its name in the source.
    pub origin: Origin,
    /// Its default in the source.
    pub default_origin: Origin,
}

/// What a setting may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// A whole number, bounds inclusive.
    Integer {
        /// The least.
        min: i64,
        /// The most.
        max: i64,
    },
    /// `true` or `false`.
    Boolean,
    /// A string.
    String,
    /// One of these words.
    Enum(Vec<String>),
    /// A list of strings.
    List,
}
