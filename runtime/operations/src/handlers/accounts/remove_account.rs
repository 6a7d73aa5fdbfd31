//! `remove_account`: removes what is stored of an account; the mail itself stays where it is.

use oaken_core::{AccountId, Preview, Result};
use oaken_gate::{Applied, Changes};
use oaken_mail::accounts;
use oaken_mail::handler::{Cx, Mutate, ReadCx};

use crate::{RemoveAccount, RemoveAccountInput, RemoveAccountOutput};

impl Mutate for RemoveAccount {
    type Effect = Changes;
    type Plan = AccountId;

    async fn preview(cx: &ReadCx, input: &RemoveAccountInput) -> Result<(Preview, AccountId)> {
        Ok((
            accounts::preview_remove(cx, &input.account_id)?,
            input.account_id.clone(),
        ))
    }

    async fn apply(cx: &Cx<Changes>, account: &AccountId) -> Result<Applied<RemoveAccountOutput>> {
        let commit = accounts::remove(cx, account)?;
        Ok(Applied {
            output: RemoveAccountOutput {
                account_id: account.clone(),
            },
            commit,
        })
    }
}
