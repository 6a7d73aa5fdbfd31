//! `revoke_agent`: its token and open proposals are void at once.

use oaken_core::{AgentId, Preview, Result};
use oaken_gate::governance::agents;
use oaken_gate::{Applied, Changes};
use oaken_mail::handler::{Cx, Mutate, ReadCx};

use crate::{RevokeAgent, RevokeAgentInput, RevokeAgentOutput};

impl Mutate for RevokeAgent {
    type Effect = Changes;
    type Plan = AgentId;

    async fn preview(cx: &ReadCx, input: &RevokeAgentInput) -> Result<(Preview, AgentId)> {
        Ok((
            agents::preview_revoke(&cx.governance, &input.agent_id)?,
            input.agent_id.clone(),
        ))
    }

    async fn apply(cx: &Cx<Changes>, agent: &AgentId) -> Result<Applied<RevokeAgentOutput>> {
        let commit = agents::revoke(cx.governance(), &cx.confirmed, agent);
        Ok(Applied {
            output: RevokeAgentOutput {
                agent_id: agent.clone(),
            },
            commit,
        })
    }
}
