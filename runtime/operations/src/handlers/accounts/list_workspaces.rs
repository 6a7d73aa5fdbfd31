//! `list_workspaces`: the workspaces, and which of them agents may reach.

use oaken_core::{Result, model};
use oaken_mail::accounts;
use oaken_mail::handler::{Read, ReadCx};

use crate::{ListWorkspaces, ListWorkspacesInput, ListWorkspacesOutput};

impl Read for ListWorkspaces {
    async fn run(cx: &ReadCx, _: &ListWorkspacesInput) -> Result<ListWorkspacesOutput> {
        let listed = cx.governance.settings()?.list("mcp.workspaces");
        let workspaces = accounts::list_workspaces(cx)?
            .into_iter()
            .map(|w| model::Workspace {
                agents_reach: listed.is_empty() || listed.contains(&w.name),
                name: w.name,
                accounts: w.accounts,
            })
            .collect();
        Ok(ListWorkspacesOutput { workspaces })
    }
}
