//! What comes out of the gate, and what a caller brings to confirm.

use serde::Serialize;
use serde_json::Value;

use crate::{EntryId, Preview, ProposalId, Timestamp};

/// What a caller brings besides the input.
#[derive(Clone, Default)]
pub enum Confirmation {
    /// Nothing: a read, or a first call.
    #[default]
    None,
    /// A person's yes.
    Yes,
    /// The token of an agent's own proposal.
    Token(String),
    /// A token beside a yes. Refused, and the token is used up as by any attempt.
    Both(String),
}

/// Without the token.
impl std::fmt::Debug for Confirmation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Confirmation::None => "None",
            Confirmation::Yes => "Yes",
            Confirmation::Token(_) => "Token(…)",
            Confirmation::Both(_) => "Both(…)",
        })
    }
}

/// What the gate answers when nothing was refused.
#[derive(Debug)]
pub enum Answer {
    /// Done.
    Done {
        /// The output, validated and bounded.
        output: Value,
        /// What was cut, and how to get the rest.
        cut: Vec<Cut>,
        /// The journal entry of a change; `undo` takes it.
        entry: Option<EntryId>,
    },
    /// An agent's proposal: nothing has changed yet.
    Proposed(Proposal),
}

/// One text or list that was cut in an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cut {
    /// Where, as a JSON pointer into the output.
    pub field: String,
    /// Characters shown; items, of a list.
    pub shown: usize,
    /// Characters there are; items, of a list.
    pub of: usize,
    /// The call that gets the rest; for a list, the setting that bounds it.
    pub next: String,
}

/// What would change, and the token that lets it.
#[derive(Serialize)]
pub struct Proposal {
    /// Its id.
    pub proposal_id: ProposalId,
    /// The operation.
    pub operation: &'static str,
    /// How many changes there are.
    pub count: usize,
    /// The changes, at most `proposal_changes_shown`.
    #[serde(flatten)]
    pub preview: Preview,
    /// The single-use token; call again with it in `proposal_token` and the same input.
    pub proposal_token: String,
    /// When it lapses.
    pub expires: Timestamp,
}

/// Without its token.
impl std::fmt::Debug for Proposal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Proposal")
            .field("proposal_id", &self.proposal_id)
            .field("operation", &self.operation)
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_token_is_printed() {
        let proposal = Proposal {
            proposal_id: ProposalId::random(),
            operation: "mark_read",
            count: 1,
            preview: Preview::default(),
            proposal_token: "oak_once_canary".into(),
            expires: Timestamp::from_unix(0),
        };
        let printed = format!(
            "{:?} {:?} {:?}",
            Answer::Proposed(proposal),
            Confirmation::Token("oak_once_canary".into()),
            Confirmation::Both("oak_once_canary".into())
        );
        assert!(
            printed.contains("mark_read") && !printed.contains("canary"),
            "{printed}"
        );
    }
}
