//! `list_proposals`: what agents have proposed, newest first.

use oaken_core::{Result, model};
use oaken_gate::governance::proposals;
use oaken_mail::handler::{Read, ReadCx};

use super::get_proposal::row;
use crate::{ListProposals, ListProposalsInput, ListProposalsOutput};

impl Read for ListProposals {
    async fn run(cx: &ReadCx, input: &ListProposalsInput) -> Result<ListProposalsOutput> {
        let most = cx.grant.setting("operations.max_governed");
        let rows = proposals::list(&cx.governance, input.agent_id.as_ref(), most)?
            .into_iter()
            .map(row)
            .collect::<Result<Vec<model::ProposalRow>>>()?;
        Ok(ListProposalsOutput {
            proposals: rows,
            total: proposals::total(&cx.governance, input.agent_id.as_ref())?,
        })
    }
}
