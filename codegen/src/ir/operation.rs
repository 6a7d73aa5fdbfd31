//! One operation, as every rule and emitter sees it. Mirrors `oaken_core::Descriptor`.

use super::{Approval, Ceiling, Class, Field, McpResult, Origin, Presence};

/// Which front end an operation came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// A YAML file of the spec.
    Yaml,
    /// `#[operation]` in a Rust file; the macro prints its items there.
    Attribute,
}

/// An operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its name: `mark_read`; of a plugin `mailbox.list_messages`.
    pub name: String,
    /// The folder it lives in.
    pub area: String,
    /// A title for people; from the name when none was given.
    pub title: String,
    /// One sentence of at most 80 characters.
    pub summary: String,
    /// More; may be empty.
    pub description: String,
    /// What it may do.
    pub class: Class,
    /// How far it may be offered.
    pub ceiling: Ceiling,
    /// Whether it marks mail read.
    pub marks_read: bool,
    /// Whether it says first what it would change; true for a mutate unless `preview: false`.
    pub preview: bool,
    /// Whether its body is a list of nested calls; only `undo`.
    pub nested: bool,
    /// Whether what it does cannot be taken back.
    pub destroys: bool,
    /// The least that may confirm it for an agent; `agent` when nothing was said.
    pub approval: Approval,
    /// What proves a person.
    pub presence: Option<Presence>,
    /// Whether a schedule may run it.
    pub schedulable: bool,
    /// The operation that reverts it.
    pub undo: Option<String>,
    /// The nested call it may make.
    pub then: Option<Then>,
    /// How it appears over MCP.
    pub mcp: Mcp,
    /// How it appears at the command line.
    pub cli: Cli,
    /// Its input.
    pub input: Vec<Field>,
    /// Its output.
    pub output: Vec<Field>,
    /// Example inputs.
    pub examples: Vec<Example>,
    /// Which front end it came from.
    pub declared: Declared,
    /// Where each part was written.
    pub origins: Origins,
}

impl Operation {
    /// The plugin it belongs to: what stands before the dot of its name.
    #[must_use]
    pub fn plugin(&self) -> Option<&str> {
        self.name.split_once('.').map(|(plugin, _)| plugin)
    }

    /// Whether anything about the world is different after it ran.
    #[must_use]
    pub fn changes(&self) -> bool {
        self.class != Class::Read
    }

    /// An input field by its name.
    #[must_use]
    pub fn input_field(&self, name: &str) -> Option<&Field> {
        self.input.iter().find(|f| f.name == name)
    }
}

/// A nested call: where the input field `when` is true, `run` runs afterwards.
#[derive(Clone, Debug)]
pub struct Then {
    /// A boolean input field.
    pub when: String,
    /// An operation.
    pub run: String,
}

/// How an operation appears over MCP.
#[derive(Clone, Debug)]
pub struct Mcp {
    /// The tool that carries it, as a protocol name: `.` is already `__`.
    pub tool: String,
    /// The word for `action` in a grouped tool.
    pub action: Option<String>,
    /// The form of its result.
    pub result: McpResult,
}

/// How an operation appears at the command line.
#[derive(Clone, Debug)]
pub struct Cli {
    /// Noun and verb; empty when it is not there at all (`cli: none`).
    pub path: Vec<String>,
    /// Input fields taken as positional arguments.
    pub positional: Vec<Positional>,
    /// Whether it exists at the command line only.
    pub only: bool,
}

/// A positional argument.
#[derive(Clone, Debug)]
pub struct Positional {
    /// The input field.
    pub field: String,
    /// Whether it was written `<field>...`: takes all that follow.
    pub rest: bool,
}

/// An example.
#[derive(Clone, Debug)]
pub struct Example {
    /// A complete input.
    pub input: serde_json::Value,
    /// Where it was written.
    pub origin: Origin,
}

/// Where each part of an operation was written; the operation's name where the part was left out.
#[derive(Clone, Debug)]
pub struct Origins {
    /// The name.
    pub name: Origin,
    /// The area; of a YAML file its name.
    pub area: Origin,
    /// The summary.
    pub summary: Origin,
    /// The description.
    pub description: Origin,
    /// The class.
    pub class: Origin,
    /// The ceiling.
    pub ceiling: Origin,
    /// `marks_read`.
    pub marks_read: Origin,
    /// `preview`.
    pub preview: Origin,
    /// `destroys`.
    pub destroys: Origin,
    /// `approval`.
    pub approval: Origin,
    /// `presence`.
    pub presence: Origin,
    /// `schedulable`.
    pub schedulable: Origin,
    /// `undo`.
    pub undo: Origin,
    /// `then`.
    pub then: Origin,
    /// `mcp`.
    pub mcp: Origin,
    /// `cli`.
    pub cli: Origin,
}
