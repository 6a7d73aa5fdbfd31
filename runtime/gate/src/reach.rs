//! Whose mail a call may reach: `[mcp] workspaces`, for agents; everything, for people.

use std::sync::Arc;

use oaken_core::{Descriptor, Error, Fault, IdKind, Param, Result, Shape};

use crate::settings::Settings;
use crate::{AccountKey, Caller, Governance, Grant, Reach};

/// The grant of a call, from what holds now. Reach is asked anew each time and never kept.
pub(crate) fn grant(governance: &Governance, caller: &Caller, settings: &Arc<Settings>) -> Result<Grant> {
    let directory = &governance.0.directory;
    let listed = settings.list("mcp.workspaces");
    let (reach, accounts, whole) = if caller.is_agent() && !listed.is_empty() {
        let accounts: Vec<AccountKey> = directory.accounts_in(&listed)?;
        let all = directory.all_accounts()?;
        let whole = all.iter().all(|a| accounts.contains(a));
        (
            Reach::Only(accounts.iter().map(|a| a.row).collect()),
            accounts,
            whole,
        )
    } else {
        (Reach::All, Vec::new(), true)
    };
    Ok(Grant {
        caller: Arc::new(caller.clone()),
        reach,
        accounts,
        whole,
        settings: settings.clone(),
    })
}

/// Whether an operation takes the optional `account_id` that narrows it to one account.
pub(crate) fn takes_account(descriptor: &Descriptor) -> bool {
    descriptor
        .input
        .iter()
        .any(|f| f.name == "account_id" && matches!(f.shape, Shape::Id(IdKind::Account)))
}

/// What would read across accounts is refused where some are hidden: it would tell of mail outside the reach.
pub(crate) fn check_span(grant: &Grant, descriptor: &Descriptor, input: &serde_json::Value) -> Result<()> {
    if grant.whole || !takes_account(descriptor) || input.get("account_id").is_some() {
        return Ok(());
    }
    let ids = grant.accounts.iter().map(|a| a.id.clone()).collect();
    Err(Error::invalid(vec![
        Fault::new(
            "/account_id",
            "is needed: this call would span accounts out of reach",
        )
        .accepts(
            "one of the accounts in reach: {accounts}",
            vec![("accounts", Param::Accounts(ids))],
        ),
    ]))
}
