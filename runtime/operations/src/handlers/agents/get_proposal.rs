//! `get_proposal`: how one stands. An agent sees its own only.

use oaken_core::{Error, Result, model};
use oaken_gate::governance::proposals::{self, Proposed};
use oaken_mail::handler::{Read, ReadCx};

use crate::{GetProposal, GetProposalInput, GetProposalOutput};

impl Read for GetProposal {
    async fn run(cx: &ReadCx, input: &GetProposalInput) -> Result<GetProposalOutput> {
        let (proposed, changes) = proposals::get(&cx.governance, &cx.grant, &input.proposal_id)?;
        let most =
            usize::try_from(cx.grant.setting("operations.proposal_changes_shown")).unwrap_or(usize::MAX);
        let changes = changes
            .into_iter()
            .take(most)
            .map(|c| model::ProposedChange {
                of: c.of,
                what: c.what,
                before: c.before,
                after: c.after,
            })
            .collect();
        Ok(GetProposalOutput {
            proposal: row(proposed)?,
            changes,
        })
    }
}

/// A proposal as a row.
///
/// # Errors
/// `internal` where its state is no word of the spec.
pub fn row(p: Proposed) -> Result<model::ProposalRow> {
    Ok(model::ProposalRow {
        proposal_id: p.id,
        agent_id: p.agent,
        operation: p.operation,
        state: model::ProposalRowState::from_word(p.state).ok_or_else(Error::internal)?,
        count: p.count,
        made: p.made,
        expires: p.expires,
    })
}
