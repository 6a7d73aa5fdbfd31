//! `read_message`: messages in full. They stay unread.

use oaken_core::Result;
use oaken_mail::handler::{Read, ReadCx};

use crate::{ReadMessage, ReadMessageInput, ReadMessageOutput};

impl Read for ReadMessage {
    async fn run(cx: &ReadCx, input: &ReadMessageInput) -> Result<ReadMessageOutput> {
        let offset = usize::try_from(input.offset).unwrap_or(usize::MAX);
        Ok(ReadMessageOutput {
            messages: cx.mail.read(&input.message_ids, offset)?,
        })
    }
}
