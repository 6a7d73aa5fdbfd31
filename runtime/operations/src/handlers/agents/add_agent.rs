//! `add_agent`: adds an agent; its token is shown this once.

use oaken_core::Result;
use oaken_gate::governance::agents;
use oaken_gate::{Applied, Changes};
use oaken_mail::handler::{Cx, Unseen};

use crate::{AddAgent, AddAgentInput, AddAgentOutput};

impl Unseen for AddAgent {
    async fn apply(cx: &Cx<Changes>, input: &AddAgentInput) -> Result<Applied<AddAgentOutput>> {
        let (agent_id, token, commit) = agents::add(cx.governance(), &cx.confirmed, &input.name)?;
        Ok(Applied {
            output: AddAgentOutput { agent_id, token },
            commit,
        })
    }
}
