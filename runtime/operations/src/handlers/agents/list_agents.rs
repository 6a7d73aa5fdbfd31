//! `list_agents`: every agent, revoked ones too.

use oaken_core::{Result, model};
use oaken_gate::governance::agents;
use oaken_mail::handler::{Read, ReadCx};

use crate::{ListAgents, ListAgentsInput, ListAgentsOutput};

impl Read for ListAgents {
    async fn run(cx: &ReadCx, _: &ListAgentsInput) -> Result<ListAgentsOutput> {
        let agents = agents::list(&cx.governance)?
            .into_iter()
            .map(|a| model::Agent {
                agent_id: a.id,
                name: a.name,
                added: a.added,
                last_seen: a.last_seen,
                revoked: a.revoked,
            })
            .collect();
        Ok(ListAgentsOutput { agents })
    }
}
