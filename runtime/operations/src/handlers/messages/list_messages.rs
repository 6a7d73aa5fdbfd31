//! `list_messages`: rows of a folder, label or sender, newest first.

use oaken_core::Result;
use oaken_mail::handler::{Read, ReadCx};
use oaken_mail::reader::MessageQuery;

use crate::{ListMessages, ListMessagesInput, ListMessagesOutput};

impl Read for ListMessages {
    async fn run(cx: &ReadCx, input: &ListMessagesInput) -> Result<ListMessagesOutput> {
        let page = cx.mail.messages(&MessageQuery {
            account: input.account_id.as_ref(),
            folder: input.folder_id.as_ref(),
            label: input.label_id.as_ref(),
            unread: input.unread,
            flagged: input.flagged,
            from: input.from.as_deref(),
            since: input.since,
            before: input.before,
            cursor: input.cursor.as_deref(),
        })?;
        Ok(ListMessagesOutput {
            showing: page.showing(),
            total: page.total,
            next_cursor: page.next_cursor,
            complete_back_to: page.complete_back_to,
            messages: page.rows,
        })
    }
}
