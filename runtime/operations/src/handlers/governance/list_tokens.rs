//! `list_tokens`: the personal tokens, without their secrets.

use oaken_core::{Result, model};
use oaken_gate::governance::tokens::{self, Limit};
use oaken_mail::handler::{Read, ReadCx};

use crate::{ListTokens, ListTokensInput, ListTokensOutput};

impl Read for ListTokens {
    async fn run(cx: &ReadCx, _: &ListTokensInput) -> Result<ListTokensOutput> {
        let tokens = tokens::list(&cx.governance)?
            .into_iter()
            .map(|t| model::Token {
                token_id: t.id,
                name: t.name,
                class: match t.limit {
                    Limit::Read => model::TokenClass::Read,
                    Limit::Change => model::TokenClass::Change,
                },
                made: t.made,
                expires: t.expires,
                revoked: t.revoked,
            })
            .collect();
        Ok(ListTokensOutput { tokens })
    }
}
