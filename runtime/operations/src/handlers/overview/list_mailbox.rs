//! `list_mailbox`: the newest threads of a view, across folders.

use oaken_core::Result;
use oaken_mail::handler::{Read, ReadCx};
use oaken_mail::reader::{MailboxQuery, View};

use crate::{ListMailbox, ListMailboxInput, ListMailboxInputView, ListMailboxOutput};

impl Read for ListMailbox {
    async fn run(cx: &ReadCx, input: &ListMailboxInput) -> Result<ListMailboxOutput> {
        let page = cx.mail.mailbox(&MailboxQuery {
            account: input.account_id.as_ref(),
            view: match input.view {
                ListMailboxInputView::Inbox => View::Inbox,
                ListMailboxInputView::Unread => View::Unread,
                ListMailboxInputView::Flagged => View::Flagged,
                ListMailboxInputView::Sent => View::Sent,
            },
            since: input.since,
            before: input.before,
            cursor: input.cursor.as_deref(),
        })?;
        Ok(ListMailboxOutput {
            total: page.total,
            next_cursor: page.next_cursor,
            complete_back_to: page.complete_back_to,
            threads: page.rows,
        })
    }
}
