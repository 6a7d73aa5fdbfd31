//! `assign_account`: moves an account to another workspace, and so in or out of what agents reach.

use oaken_core::{AccountId, Preview, Result};
use oaken_gate::{Applied, Changes};
use oaken_mail::accounts;
use oaken_mail::handler::{Cx, Mutate, ReadCx};

use crate::{AssignAccount, AssignAccountInput, AssignAccountOutput};

impl Mutate for AssignAccount {
    type Effect = Changes;
    type Plan = (AccountId, String);

    async fn preview(cx: &ReadCx, input: &AssignAccountInput) -> Result<(Preview, Self::Plan)> {
        let preview = accounts::preview_assign(cx, &input.account_id, &input.workspace)?;
        Ok((preview, (input.account_id.clone(), input.workspace.clone())))
    }

    async fn apply(
        cx: &Cx<Changes>,
        (account, workspace): &Self::Plan,
    ) -> Result<Applied<AssignAccountOutput>> {
        let commit = accounts::assign(cx, account, workspace)?;
        let output = AssignAccountOutput {
            account_id: account.clone(),
            workspace: workspace.clone(),
        };
        Ok(Applied { output, commit })
    }
}
