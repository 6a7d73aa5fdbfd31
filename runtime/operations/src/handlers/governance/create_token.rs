//! `create_token`: a personal token for the HTTP API, shown this once.

use oaken_core::Result;
use oaken_gate::governance::tokens::{self, Limit};
use oaken_gate::{Applied, Changes};
use oaken_mail::handler::{Cx, Unseen};

use crate::{CreateToken, CreateTokenInput, CreateTokenInputClass, CreateTokenOutput};

impl Unseen for CreateToken {
    async fn apply(cx: &Cx<Changes>, input: &CreateTokenInput) -> Result<Applied<CreateTokenOutput>> {
        let limit = match input.class {
            CreateTokenInputClass::Read => Limit::Read,
            CreateTokenInputClass::Change => Limit::Change,
        };
        let (token_id, token, commit) =
            tokens::create(cx.governance(), &cx.confirmed, &input.name, limit, input.days)?;
        Ok(Applied {
            output: CreateTokenOutput { token_id, token },
            commit,
        })
    }
}
