//! `accept_marking`: goes on reading an account whose server marks mail read by itself; a person's word, never an agent's.

use oaken_core::{AccountId, Preview, Result};
use oaken_gate::{Applied, Changes};
use oaken_mail::accounts;
use oaken_mail::handler::{Cx, Mutate, ReadCx};

use crate::{AcceptMarking, AcceptMarkingInput, AcceptMarkingOutput};

impl Mutate for AcceptMarking {
    type Effect = Changes;
    type Plan = AccountId;

    async fn preview(cx: &ReadCx, input: &AcceptMarkingInput) -> Result<(Preview, AccountId)> {
        let preview = accounts::preview_accept_marking(cx, &input.account_id)?;
        Ok((preview, input.account_id.clone()))
    }

    async fn apply(cx: &Cx<Changes>, account: &AccountId) -> Result<Applied<AcceptMarkingOutput>> {
        let commit = accounts::accept_marking(cx, account)?;
        let output = AcceptMarkingOutput {
            account_id: account.clone(),
        };
        Ok(Applied { output, commit })
    }
}
