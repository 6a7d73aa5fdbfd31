//! A change that does not say what it would change.

use oaken_core::Result;
use oaken_gate::{Applied, Changes};
use oaken_macros::operation;
use oaken_mail::handler::{Cx, Mutate};

#[operation(
    class = mutate,
    ceiling = off,
    area = messages,
    summary = "Pin messages.",
    cli = "messages pin <target>..."
)]
pub mod pin_messages {
    pub struct Input {
        /// The messages.
        pub target: Selection,
    }
    pub struct Output {}
}

impl Mutate for PinMessages {
    type Effect = Changes;
    type Plan = ();

    async fn apply(_: &Cx<Changes>, (): &()) -> Result<Applied<PinMessagesOutput>> {
        Ok(Applied {
            output: PinMessagesOutput {},
            commit: oaken_gate::Commit::nothing(),
        })
    }
}

fn main() {}
