//! Rights once more, in the transaction that acts: what was checked before it may have been taken away since.

use oaken_core::{Code, Error, Result};
use oaken_store::Tx;

use crate::settings::epoch;
use crate::{Governance, Grant, Reach};

/// Refuses where anything that governs changed since the call was checked. The write lock is held: the directory's
/// answer is the state this transaction commits on.
pub(crate) fn unchanged(governance: &Governance, tx: &Tx<'_>, grant: &Grant) -> Result<()> {
    let same_reach = || -> Result<bool> {
        let Reach::Only(rows) = grant.reach() else {
            return Ok(true);
        };
        let listed = grant.settings().list("mcp.workspaces");
        let now = governance.0.directory.accounts_in(&listed)?;
        Ok(now.len() == rows.len() && now.iter().all(|a| rows.contains(&a.row)))
    };
    if epoch(tx)? == grant.settings().epoch && same_reach()? {
        return Ok(());
    }
    Err(Error::new(
        Code::Stale,
        "What governs this call changed while it was made, and nothing was done. Call again.",
    ))
}
