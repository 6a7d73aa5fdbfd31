//! What the generated types lean on: `oaken_core`'s names, each a string that says in its schema which name it has.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

pub use super::models as model;

/// The key under which a schema says the name.
pub const NAME: &str = "x-name";

macro_rules! strings {
    ($($name:ident)*) => {$(
        #[allow(missing_docs, dead_code)] // not every name is in use yet
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct $name(String);
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> { stringify!($name).into() }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "x-name": stringify!($name) })
            }
        }
    )*};
}

strings! {
    Text Address Secret IssuedSecret Timestamp
    MessageId ThreadId AccountId FolderId LabelId DraftId AttachmentId EntryId AgentId ProposalId TokenId
}

/// As in `oaken_core`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// The messages.
    pub ids: Vec<MessageId>,
}
