//! `sync_account`: fetches what is new. It changes what is stored here, never the mailbox.

use oaken_core::{AccountId, Change, Preview, Result};
use oaken_gate::{Applied, Changes, Commit};
use oaken_mail::handler::{Cx, Mutate, ReadCx};
use oaken_mail::sync;

use crate::{SyncAccount, SyncAccountInput, SyncAccountOutput};

impl Mutate for SyncAccount {
    type Effect = Changes;
    type Plan = AccountId;

    async fn preview(cx: &ReadCx, input: &SyncAccountInput) -> Result<(Preview, AccountId)> {
        if cx.grant.is_agent() {
            sync::check_for_agent(&cx.services, &input.account_id)?;
        }
        let changes = vec![Change::new(
            &input.account_id,
            "stored mail",
            "as it is",
            "as the server has it",
        )];
        Ok((Preview { changes }, input.account_id.clone()))
    }

    async fn apply(cx: &Cx<Changes>, account: &AccountId) -> Result<Applied<SyncAccountOutput>> {
        let report = sync::run(&cx.services, account, cx.services.progress_of(account)).await?;
        let count = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let output = SyncAccountOutput {
            account_id: account.clone(),
            new: count(report.new),
            changed: count(report.changed),
            gone: count(report.gone),
        };
        // Each batch was a transaction of its own; nothing is left to commit.
        Ok(Applied {
            output,
            commit: Commit::nothing(),
        })
    }
}
