//! `list_accounts`: the accounts in reach.

use oaken_core::Result;
use oaken_mail::handler::{Read, ReadCx};

use crate::{ListAccounts, ListAccountsInput, ListAccountsOutput};

impl Read for ListAccounts {
    async fn run(cx: &ReadCx, _: &ListAccountsInput) -> Result<ListAccountsOutput> {
        Ok(ListAccountsOutput {
            accounts: cx.mail.accounts()?,
        })
    }
}
