//! What the doors and the gate know of an operation. Both front ends of the spec end here.
//!
//! A descriptor is plain `const` data. Its constructor asserts the three rules that matter most once more, so a
//! descriptor that breaks one does not compile, whoever wrote it.

use crate::{Approval, Ceiling, Class, IdKind, Presence};

/// An operation as every door sees it.
#[derive(Debug)]
pub struct Descriptor {
    /// Its name, unique: `mark_read`.
    pub name: &'static str,
    /// The folder it lives in under `spec/operations`: `messages`.
    pub area: &'static str,
    /// A title for people: `Mark as read`.
    pub title: &'static str,
    /// One sentence of at most 80 characters.
    pub summary: &'static str,
    /// More, at most 1,500 bytes; may be empty.
    pub description: &'static str,
    /// What it may do.
    pub class: Class,
    /// How far it may be offered to agents.
    pub ceiling: Ceiling,
    /// Whether it marks mail read; only `mark_read`.
    pub marks_read: bool,
    /// Whether it can say what it would change.
    pub preview: bool,
    /// Whether what it does cannot be taken back.
    pub destroys: bool,
    /// The least that may confirm it for an agent.
    pub approval: Approval,
    /// What proves a person, where one is needed.
    pub presence: Option<Presence>,
    /// Whether a schedule may run it.
    pub schedulable: bool,
    /// The operation that reverts it.
    pub undo: Option<&'static str>,
    /// How it appears over MCP.
    pub mcp: Mcp,
    /// How it appears at the command line.
    pub cli: Cli,
    /// Its input fields, in the order of the spec.
    pub input: &'static [Field],
    /// Its output fields, in the order of the spec.
    pub output: &'static [Field],
    /// Example inputs as JSON; each runs on the demo mailbox at all three doors.
    pub examples: &'static [&'static str],
    /// A digest of the declared input and class: a proposal made before it changed is void after.
    pub digest: &'static str,
}

impl Descriptor {
    /// Asserts R301, R302 and R303 at compile time and hands the descriptor back.
    ///
    /// # Panics
    /// In a `const` context, at compile time, when one of the three is broken.
    #[must_use]
    pub const fn checked(self) -> Self {
        assert!(
            !matches!(self.class, Class::Send) || matches!(self.ceiling, Ceiling::Never),
            "R301: a send has ceiling never"
        );
        assert!(
            !self.marks_read || matches!(self.class, Class::Mutate),
            "R302: a read never marks mail read"
        );
        assert!(
            !matches!(self.class, Class::Mutate) || matches!(self.ceiling, Ceiling::Never) || self.preview,
            "R303: what an agent can reach says first what it would change"
        );
        self
    }
}

/// How an operation appears over MCP.
#[derive(Debug)]
pub struct Mcp {
    /// The tool that carries it; its own name unless it is grouped.
    pub tool: &'static str,
    /// The word for `action` in a grouped tool.
    pub action: Option<&'static str>,
    /// Structured content, or one text block.
    pub result: McpResult,
}

/// The form of an MCP result; always complete in that one form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum McpResult {
    /// Structured content, with the same JSON as text.
    Structured,
    /// One text block, mail text fenced by a nonce of the call.
    Text,
}

/// How an operation appears at the command line.
#[derive(Debug)]
pub struct Cli {
    /// Noun and verb: `["messages", "mark-read"]`.
    pub path: &'static [&'static str],
    /// The input fields taken as positional arguments, in order; a list may only be the last.
    pub positional: &'static [&'static str],
    /// Whether it exists at the command line only.
    pub only: bool,
}

/// One field of an input, an output or a model.
#[derive(Debug)]
pub struct Field {
    /// Its name, snake_case.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// What it may be.
    pub shape: Shape,
    /// Whether it must be there. In outputs an optional field that is absent is left out.
    pub required: bool,
    /// The default as JSON, applied by the gate.
    pub default: Option<&'static str>,
}

/// A named shape shared by operations.
#[derive(Debug)]
pub struct Model {
    /// Its name, CamelCase.
    pub name: &'static str,
    /// Its fields.
    pub fields: &'static [Field],
}

/// What a value may be. Reach, redaction, limits and doors follow from it.
#[derive(Debug)]
pub enum Shape {
    /// `true` or `false`.
    Boolean,
    /// A whole number within bounds, inclusive.
    Integer {
        /// The least.
        min: i64,
        /// The most.
        max: i64,
    },
    /// A string that is no mail text: a name, a key.
    String {
        /// The least characters.
        min_chars: u32,
        /// The most characters.
        max_chars: u32,
    },
    /// Mail text, or anything else somebody wrote: untrusted, cut at a limit. `max_chars` 0 means by setting.
    Text {
        /// The most characters; 0: what the setting for the answer leaves.
        max_chars: u32,
    },
    /// A mail address.
    Address,
    /// A secret that comes in and is never shown.
    Secret,
    /// A secret that goes out once, to a person.
    IssuedSecret,
    /// An id of a kind.
    Id(IdKind),
    /// RFC 3339 in UTC; inputs also take `-12h` and `-7d`.
    Timestamp,
    /// A file path; command line only.
    Path,
    /// A command line to run; command line only.
    Command,
    /// One of these words.
    Enum(&'static [&'static str]),
    /// A list.
    List {
        /// What its items are.
        item: &'static Shape,
        /// How many there may be.
        bound: Bound,
    },
    /// A shared shape.
    Model(&'static Model),
    /// Messages by ids: `{"ids": [...]}`, at most `max_batch_ids`.
    Selection,
}

/// The bound of a list: a setting, with the upper bound that setting may ever have.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The name of the setting, without its section: `max_batch_ids`.
    pub setting: &'static str,
    /// The most it can be set to; what a published schema carries.
    pub ceiling: u32,
}
