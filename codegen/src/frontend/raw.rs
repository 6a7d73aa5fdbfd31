//! What an author may write, before anything is decided: every part optional, every part with its place.

use std::{collections::BTreeSet, sync::Arc};

use super::Value;
use crate::ir::{Declared, Origin};

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where.
    pub origin: Origin,
}

impl<T> Spanned<T> {
    /// A value and where it was written.
    pub const fn new(value: T, origin: Origin) -> Self {
        Self { value, origin }
    }
}

/// Everything both front ends found.
#[derive(Clone, Debug, Default)]
pub struct Raw {
    /// Operations, in the order of their files.
    pub operations: Vec<RawOperation>,
    /// Models.
    pub models: Vec<RawModel>,
    /// Sections of settings.
    pub sections: Vec<RawSection>,
    /// The folders under `spec/operations`.
    pub areas: BTreeSet<String>,
    /// Names of operations, from their files' names, whose files could not be read.
    pub broken: BTreeSet<String>,
    /// Models and sections whose files could not be read.
    pub broken_shapes: BTreeSet<String>,
}

/// An operation as it was written. Lowering is one function for both front ends.
#[derive(Clone, Debug)]
pub struct RawOperation {
    /// Which front end.
    pub declared: Declared,
    /// The file as it is shown.
    pub file: Arc<str>,
    /// What to point at where a part is missing: the `operation:` key's value, or the module's name.
    pub origin: Origin,
    /// `operation`; of an attribute the module's name.
    pub operation: Option<Spanned<String>>,
    /// The folder of a YAML file; `area = "messages"` of an attribute.
    pub area: Option<Spanned<String>>,
    /// `title`.
    pub title: Option<Spanned<String>>,
    /// `summary`.
    pub summary: Option<Spanned<String>>,
    /// `description`.
    pub description: Option<Spanned<String>>,
    /// `class`: a word.
    pub class: Option<Spanned<String>>,
    /// `ceiling`: a word.
    pub ceiling: Option<Spanned<String>>,
    /// `input`.
    pub input: Option<Spanned<Vec<RawField>>>,
    /// `output`.
    pub output: Option<Spanned<Vec<RawField>>>,
    /// `undo`.
    pub undo: Option<Spanned<String>>,
    /// `approval`: a word.
    pub approval: Option<Spanned<String>>,
    /// `mcp`.
    pub mcp: Option<Spanned<RawMcp>>,
    /// `cli`: `messages mark-read <message_ids>...`, or `none`.
    pub cli: Option<Spanned<String>>,
    /// `cli_only`.
    pub cli_only: Option<Spanned<bool>>,
    /// `examples`.
    pub examples: Option<Spanned<Vec<RawExample>>>,
    /// `marks_read`.
    pub marks_read: Option<Spanned<bool>>,
    /// `preview`.
    pub preview: Option<Spanned<bool>>,
    /// `nested`.
    pub nested: Option<Spanned<bool>>,
    /// `presence`: a word.
    pub presence: Option<Spanned<String>>,
    /// `schedulable`.
    pub schedulable: Option<Spanned<bool>>,
    /// `destroys`.
    pub destroys: Option<Spanned<bool>>,
    /// `then`.
    pub then: Option<Spanned<RawThen>>,
    /// Keys that were written and refused: what they would have said is not missing, and no rule judges the rest.
    pub spoiled: BTreeSet<String>,
}

impl RawOperation {
    /// One in which nothing was said yet.
    #[must_use]
    pub fn empty(declared: Declared, origin: Origin) -> Self {
        Self {
            declared,
            file: Arc::clone(&origin.file),
            origin,
            operation: None,
            area: None,
            title: None,
            summary: None,
            description: None,
            class: None,
            ceiling: None,
            input: None,
            output: None,
            undo: None,
            approval: None,
            mcp: None,
            cli: None,
            cli_only: None,
            examples: None,
            marks_read: None,
            preview: None,
            nested: None,
            presence: None,
            schedulable: None,
            destroys: None,
            then: None,
            spoiled: BTreeSet::new(),
        }
    }
}

/// A field as it was written.
#[derive(Clone, Debug)]
pub struct RawField {
    /// Its name.
    pub name: Spanned<String>,
    /// Its type, in the spec's own words: `list<MessageId, max_batch_ids>`.
    pub ty: Option<Spanned<String>>,
    /// `doc`.
    pub doc: Option<Spanned<String>>,
    /// `default`.
    pub default: Option<Spanned<Value>>,
    /// `min`.
    pub min: Option<Spanned<i64>>,
    /// `max`.
    pub max: Option<Spanned<i64>>,
    /// `min_chars`.
    pub min_chars: Option<Spanned<i64>>,
    /// `max_chars`.
    pub max_chars: Option<Spanned<i64>>,
    /// `required`.
    pub required: Option<Spanned<bool>>,
    /// Keys that were written and refused.
    pub spoiled: BTreeSet<String>,
}

impl RawField {
    /// A field of which nothing but the name was said yet.
    #[must_use]
    pub const fn named(name: Spanned<String>) -> Self {
        Self {
            name,
            ty: None,
            doc: None,
            default: None,
            min: None,
            max: None,
            min_chars: None,
            max_chars: None,
            required: None,
            spoiled: BTreeSet::new(),
        }
    }
}

/// `mcp: { tool, action, result }`.
#[derive(Clone, Debug, Default)]
pub struct RawMcp {
    /// `tool`.
    pub tool: Option<Spanned<String>>,
    /// `action`.
    pub action: Option<Spanned<String>>,
    /// `result`: a word.
    pub result: Option<Spanned<String>>,
}

/// One of `examples`.
#[derive(Clone, Debug, Default)]
pub struct RawExample {
    /// `input`.
    pub input: Option<Spanned<Value>>,
}

/// `then: { when, run }`.
#[derive(Clone, Debug, Default)]
pub struct RawThen {
    /// `when`: an input field.
    pub when: Option<Spanned<String>>,
    /// `run`: an operation.
    pub run: Option<Spanned<String>>,
}

/// A model as it was written.
#[derive(Clone, Debug)]
pub struct RawModel {
    /// What to point at where a part is missing.
    pub origin: Origin,
    /// `model`.
    pub model: Option<Spanned<String>>,
    /// `summary`.
    pub summary: Option<Spanned<String>>,
    /// `fields`.
    pub fields: Option<Spanned<Vec<RawField>>>,
    /// Keys that were written and refused.
    pub spoiled: BTreeSet<String>,
}

/// A section of settings as it was written.
#[derive(Clone, Debug)]
pub struct RawSection {
    /// What to point at where a part is missing.
    pub origin: Origin,
    /// `section`.
    pub section: Option<Spanned<String>>,
    /// `summary`.
    pub summary: Option<Spanned<String>>,
    /// `settings`.
    pub settings: Option<Spanned<Vec<RawSetting>>>,
    /// Keys that were written and refused.
    pub spoiled: BTreeSet<String>,
}

/// A setting as it was written.
#[derive(Clone, Debug)]
pub struct RawSetting {
    /// Its name.
    pub name: Spanned<String>,
    /// `type`.
    pub ty: Option<Spanned<String>>,
    /// `default`.
    pub default: Option<Spanned<Value>>,
    /// `min`.
    pub min: Option<Spanned<i64>>,
    /// `max`.
    pub max: Option<Spanned<i64>>,
    /// `agent`.
    pub agent: Option<Spanned<String>>,
    /// `doc`.
    pub doc: Option<Spanned<String>>,
    /// Keys that were written and refused.
    pub spoiled: BTreeSet<String>,
}
