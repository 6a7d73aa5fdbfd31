//! Reading on in an account whose server marks mail read by itself (P2): a person says so, for this account and server.
//!
//! Deliberately absent: putting back what such a server marks. Nobody can tell it from what a person read elsewhere.

use oaken_core::{AccountId, Change, Code, Error, Preview, Result, clock};
use oaken_gate::{Changes, Commit};
use oaken_store::rusqlite::params;
use oaken_store::{OrFault, TableOwner};

use super::row::Account;
use crate::{Cx, ReadCx};

/// What accepting would do: nothing, where it was accepted before.
///
/// # Errors
/// `not_found`; `refused` for an account whose server was not seen to mark.
pub fn preview_accept_marking(cx: &ReadCx, id: &AccountId) -> Result<Preview> {
    let account = cx.services.store.read(|c| super::load(c, id))?;
    let mut preview = Preview::default();
    if !may(&account)? {
        preview
            .changes
            .push(Change::new(id, "marking", "held_back", "accepted"));
    }
    Ok(preview)
}

/// Lets syncs and reads of an account go on. The next sync is due at once.
///
/// # Errors
/// `not_found`; `refused` for an account whose server was not seen to mark.
pub fn accept_marking(cx: &Cx<Changes>, id: &AccountId) -> Result<Commit> {
    let account = cx.services.store.read(|c| super::load(c, id))?;
    may(&account)?;
    Ok(Commit::new(TableOwner, move |tx| {
        tx.execute(
            "UPDATE account_row SET marking_accepted = 1 WHERE row = ?1 AND marks_on_read = 1",
            [account.row],
        )
        .or_fault()?;
        // One that waits for another reason goes on waiting for that.
        tx.execute(
            "UPDATE account_row SET state = 'new', reason = NULL, since = ?2, next_try = NULL, failures = 0
             WHERE row = ?1 AND state = 'waiting_for_person' AND reason = 'marks_on_read'",
            params![account.row, clock::wall()],
        )
        .or_fault()?;
        Ok(())
    }))
}

/// Whether it was accepted before.
fn may(account: &Account) -> Result<bool> {
    match (account.marking_accepted, account.marks_on_read) {
        (true, _) => Ok(true),
        (false, true) => Ok(false),
        (false, false) => Err(Error::new(
            Code::Refused,
            "This account's server was not seen to mark mail read by itself, and nothing of it is held back.",
        )),
    }
}
