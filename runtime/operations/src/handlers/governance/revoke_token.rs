//! `revoke_token`: it is refused from the next call on.

use oaken_core::{Preview, Result, TokenId};
use oaken_gate::governance::tokens;
use oaken_gate::{Applied, Changes};
use oaken_mail::handler::{Cx, Mutate, ReadCx};

use crate::{RevokeToken, RevokeTokenInput, RevokeTokenOutput};

impl Mutate for RevokeToken {
    type Effect = Changes;
    type Plan = TokenId;

    async fn preview(cx: &ReadCx, input: &RevokeTokenInput) -> Result<(Preview, TokenId)> {
        Ok((
            tokens::preview_revoke(&cx.governance, &input.token_id)?,
            input.token_id.clone(),
        ))
    }

    async fn apply(cx: &Cx<Changes>, token: &TokenId) -> Result<Applied<RevokeTokenOutput>> {
        let commit = tokens::revoke(cx.governance(), &cx.confirmed, token);
        Ok(Applied {
            output: RevokeTokenOutput {
                token_id: token.clone(),
            },
            commit,
        })
    }
}
