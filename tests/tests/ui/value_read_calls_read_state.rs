//! A read that calls the service that marks mail read.

use oaken_core::Result;
use oaken_macros::operation;
use oaken_mail::changes::seen;
use oaken_mail::handler::{Read, ReadCx};

#[operation(
    class = read,
    ceiling = on,
    area = messages,
    summary = "Open messages.",
    cli = "messages open <target>..."
)]
pub mod open_messages {
    pub struct Input {
        /// The messages.
        pub target: Selection,
    }
    pub struct Output {}
}

impl Read for OpenMessages {
    async fn run(cx: &ReadCx, input: &OpenMessagesInput) -> Result<OpenMessagesOutput> {
        let targets = cx.mail.targets(&input.target.ids)?;
        seen::add(cx, &targets).await?;
        Ok(OpenMessagesOutput {})
    }
}

fn main() {}
