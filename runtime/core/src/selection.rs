//! The messages that a change is about.

use serde::{Deserialize, Serialize};

use crate::MessageId;

/// Messages by their ids, at most `max_batch_ids`. Queries are not part of it yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// The messages.
    pub ids: Vec<MessageId>,
}
