//! `mailbox_counts`: each folder with its counts.

use oaken_core::Result;
use oaken_mail::handler::{Read, ReadCx};

use crate::{MailboxCounts, MailboxCountsInput, MailboxCountsOutput};

impl Read for MailboxCounts {
    async fn run(cx: &ReadCx, input: &MailboxCountsInput) -> Result<MailboxCountsOutput> {
        Ok(MailboxCountsOutput {
            folders: cx.mail.folders(input.account_id.as_ref())?,
        })
    }
}
