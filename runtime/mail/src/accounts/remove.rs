//! Removing an account and everything stored of it. The mail itself stays where it is.

use std::sync::Arc;

use oaken_core::{AccountId, Change, Preview, Result};
use oaken_gate::{Changes, Commit};
use oaken_store::{OrFault, TableOwner};

use crate::{Cx, ReadCx};

/// What removing an account would do.
///
/// # Errors
/// `not_found`.
pub fn preview_remove(cx: &ReadCx, id: &AccountId) -> Result<Preview> {
    cx.services.store.read(|c| super::load(c, id))?;
    Ok(Preview {
        changes: vec![Change::gone(id, "account")],
    })
}

/// Removes an account: its rows, its secret, its full text.
///
/// # Errors
/// `not_found`.
pub fn remove(cx: &Cx<Changes>, id: &AccountId) -> Result<Commit> {
    let services = Arc::clone(&cx.services);
    let row = services.store.read(|c| super::load(c, id))?.row;
    Ok(Commit::new(TableOwner, move |tx| {
        // Messages first and by their own index: their rows take everything else with them.
        for sql in [
            "DELETE FROM message_row WHERE account = ?1",
            "DELETE FROM thread_node_row WHERE account = ?1",
            "DELETE FROM thread_row WHERE account = ?1",
            "DELETE FROM account_row WHERE row = ?1",
        ] {
            tx.execute(sql, [row]).or_fault()?;
        }
        // Disposable: should the transaction fail after this, the full text is written again.
        services.index.forget(row)
    }))
}
