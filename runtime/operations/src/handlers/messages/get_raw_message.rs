//! `get_raw_message`: a message's bytes as they were received, whole or not at all.

use oaken_core::Result;
use oaken_mail::handler::{Read, ReadCx};

use crate::{GetRawMessage, GetRawMessageInput, GetRawMessageOutput};

impl Read for GetRawMessage {
    async fn run(cx: &ReadCx, input: &GetRawMessageInput) -> Result<GetRawMessageOutput> {
        let most = cx.grant.setting("operations.max_raw_bytes");
        let raw = cx.mail.raw(&cx.services, &input.message_id, most).await?;
        Ok(GetRawMessageOutput {
            size_bytes: raw.size_bytes(),
            base64: raw.base64(),
        })
    }
}
