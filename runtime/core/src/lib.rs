//! The vocabulary of Oaken: what an operation is, who may reach it, what a value is, how an error reads.
//!
//! No I/O, no database, no protocol. Every other crate of the runtime speaks in these words.

pub mod answer;
pub mod class;
pub mod clock;
pub mod descriptor;
pub mod error;
pub mod id;
pub mod letter;
pub mod model;
pub mod preview;
pub mod schema;
pub mod secret;
pub mod selection;
pub mod settings;
pub mod text;
pub mod timestamp;

pub use answer::{Answer, Confirmation, Cut, Proposal};
pub use class::{Approval, Ceiling, Class, Door, Presence};
pub use descriptor::{Bound, Cli, Descriptor, Field, Mcp, McpResult, Model, Shape};
pub use error::{Code, Error, Fault, Param, Result};
pub use id::{
    AccountId, AgentId, AttachmentId, DraftId, EntryId, FolderId, IdKind, LabelId, MessageId, ProposalId,
    ThreadId, TokenId,
};
pub use letter::Letter;
pub use preview::{Auditable, Change, Preview};
pub use secret::{IssuedSecret, Secret};
pub use selection::Selection;
pub use text::{Address, Text};
pub use timestamp::Timestamp;
