//! What only a person may change, without what proves one.

use oaken_macros::operation;

#[operation(
    class = mutate,
    ceiling = never,
    area = agents,
    summary = "Rename an agent.",
    cli = "agents rename <agent_id> <name>"
)]
pub mod rename_agent {
    pub struct Input {
        /// The agent.
        pub agent_id: AgentId,
        /// Its new name.
        #[field(min_chars = 1, max_chars = 64)]
        pub name: String,
    }
    pub struct Output {}
}

fn main() {}
