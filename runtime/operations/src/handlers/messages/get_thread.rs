//! `get_thread`: a thread from its id or any message in it, oldest first.

use oaken_core::{Error, Result};
use oaken_mail::handler::{Read, ReadCx};

use crate::{GetThread, GetThreadInput, GetThreadOutput};

impl Read for GetThread {
    async fn run(cx: &ReadCx, input: &GetThreadInput) -> Result<GetThreadOutput> {
        let cursor = input.cursor.as_deref();
        let thread = match (&input.thread_id, &input.message_id) {
            (Some(thread), None) => cx.mail.thread(thread, cursor)?,
            (None, Some(message)) => cx.mail.thread_of(message, cursor)?,
            _ => {
                return Err(Error::invalid_field(
                    "/thread_id",
                    "give exactly one of thread_id and message_id",
                ));
            }
        };
        Ok(GetThreadOutput {
            thread_id: thread.thread_id,
            total: thread.page.total,
            next_cursor: thread.page.next_cursor,
            messages: thread.page.rows,
        })
    }
}
