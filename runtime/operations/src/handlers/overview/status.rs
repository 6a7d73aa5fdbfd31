//! `status`: how Oaken and each account in reach stand; never mail.

use oaken_core::{Result, Timestamp, clock, model};
use oaken_gate::governance::{audit, proposals};
use oaken_mail::handler::{Read, ReadCx};

use crate::handlers::agents::get_proposal::row;
use crate::{Status, StatusInput, StatusOutput};

/// A day in seconds.
const DAY: i64 = 86_400;

impl Read for Status {
    async fn run(cx: &ReadCx, _: &StatusInput) -> Result<StatusOutput> {
        let settings = cx.governance.settings()?;
        let workspaces = if cx.grant.is_agent() {
            settings.list("mcp.workspaces")
        } else {
            vec![]
        };
        let most = cx.grant.setting("operations.max_governed");
        Ok(StatusOutput {
            now: Timestamp::from_unix(clock::wall()),
            time_zone: settings.string("general.time_zone").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            last_call: audit::last_call(&cx.governance, cx.grant.caller())?,
            workspaces,
            proposals: ended_proposals(cx, most)?,
            folders: cx.mail.folder_states(most)?,
            accounts: cx.mail.account_states()?,
        })
    }
}

/// An agent's own proposals of the last day that are no longer open.
fn ended_proposals(cx: &ReadCx, most: i64) -> Result<Vec<model::ProposalRow>> {
    let Some(agent) = cx.grant.agent() else {
        return Ok(vec![]);
    };
    proposals::list(&cx.governance, Some(agent), most)?
        .into_iter()
        .filter(|p| p.state != "open" && p.made.unix() > clock::wall() - DAY)
        .map(row)
        .collect()
}
