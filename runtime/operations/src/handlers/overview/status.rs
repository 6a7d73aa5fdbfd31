//! `status`: how Oaken and each account in reach stand; never mail.

use oaken_core::{Result, Timestamp, clock};
use oaken_gate::governance::audit;
use oaken_mail::handler::{Read, ReadCx};

use crate::{Status, StatusInput, StatusOutput};

impl Read for Status {
    async fn run(cx: &ReadCx, _: &StatusInput) -> Result<StatusOutput> {
        let settings = cx.governance.settings()?;
        let workspaces = if cx.grant.is_agent() {
            settings.list("mcp.workspaces")
        } else {
            vec![]
        };
        Ok(StatusOutput {
            now: Timestamp::from_unix(clock::wall()),
            time_zone: settings.string("general.time_zone").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            last_call: audit::last_call(&cx.governance, cx.grant.caller())?,
            workspaces,
            accounts: cx.mail.account_states()?,
        })
    }
}
