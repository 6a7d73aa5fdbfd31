//! The lease on an account: of several processes one syncs it. By the boot clock, so that no clock change keeps or
//! breaks it, and void after a reboot or once its process is gone; where that cannot be told, after a minute.

use std::sync::Arc;
use std::time::Duration;

use oaken_core::{Code, EntryId, Error, Result, clock};
use oaken_store::rusqlite::params;
use oaken_store::{Durability, OrFault, Tx, process};
use tokio::task::JoinHandle;

use super::state;
use crate::Services;

/// Seconds that a lease lasts unless it is renewed.
const LASTS: i64 = 60;
/// How often it is renewed while a run waits for a slow server.
const RENEWED: Duration = Duration::from_secs(15);

/// Held while it lives; given back when it is dropped.
pub(super) struct Lease {
    held: Arc<Held>,
    renewing: Option<JoinHandle<()>>,
}

struct Held {
    services: Arc<Services>,
    account: i64,
    holder: String,
}

impl Lease {
    /// Takes the lease on an account.
    ///
    /// # Errors
    /// `busy` where another run has it.
    pub fn take(services: Arc<Services>, account: i64) -> Result<Lease> {
        let held = Arc::new(Held {
            services,
            account,
            // Each run is its own holder: two runs in one process exclude each other too.
            holder: EntryId::random().as_str().to_owned(),
        });
        if !held.take()? {
            return Err(taken());
        }
        let renewing = tokio::runtime::Handle::try_current().ok().map(|runtime| {
            let held = Arc::clone(&held);
            runtime.spawn(async move {
                loop {
                    tokio::time::sleep(RENEWED).await;
                    // A lease that was lost is met by the run itself, at its next batch.
                    let _ = held.renew();
                }
            })
        });
        Ok(Lease { held, renewing })
    }

    /// Lasts anew from now.
    ///
    /// # Errors
    /// `busy` where it was lost: this process slept longer than it lasts and another took over.
    pub fn renew(&self) -> Result<()> {
        if self.held.renew()? { Ok(()) } else { Err(taken()) }
    }
}

impl Held {
    fn take(&self) -> Result<bool> {
        let (boot, up) = clock::boot();
        self.services.store.write(Durability::Normal, |tx| {
            let is_left = left(tx)?.contains(&self.account);
            let taken = tx
                .execute(
                    "UPDATE account_row SET lease_holder = ?2, lease_process = ?3, lease_boot = ?4, lease_until = ?5
                     WHERE row = ?1 AND (lease_holder IS NULL OR ?6)",
                    params![self.account, self.holder, process::this(), boot, up + LASTS, is_left],
                )
                .or_fault()?;
            Ok(taken == 1)
        })
    }

    /// Only what is still held: given back, or taken over, it is not taken again.
    fn renew(&self) -> Result<bool> {
        let until = clock::boot().1 + LASTS;
        self.services.store.write(Durability::Normal, |tx| {
            let renewed = tx
                .execute(
                    "UPDATE account_row SET lease_until = ?3 WHERE row = ?1 AND lease_holder = ?2",
                    params![self.account, self.holder, until],
                )
                .or_fault()?;
            Ok(renewed == 1)
        })
    }
}

/// The accounts whose lease nobody holds any more, although nobody gave it back.
fn left(c: &oaken_store::rusqlite::Connection) -> Result<Vec<i64>> {
    let (boot, up) = clock::boot();
    let mut statement = c
        .prepare_cached(
            "SELECT row, lease_boot <> ?1 OR lease_until < ?2, lease_process FROM account_row
             WHERE lease_holder IS NOT NULL",
        )
        .or_fault()?;
    let mut rows = statement.query(params![boot, up]).or_fault()?;
    let mut left = Vec::new();
    while let Some(r) = rows.next().or_fault()? {
        let holder: Option<String> = r.get(2).or_fault()?;
        let lapsed: Option<bool> = r.get(1).or_fault()?;
        if lapsed != Some(false) || holder.is_some_and(|p| process::is_alive(&p) == Some(false)) {
            left.push(r.get(0).or_fault()?);
        }
    }
    Ok(left)
}

/// At the start of a process: what one that was killed left under way is said to be interrupted.
///
/// # Errors
/// What reading and writing the database meets.
pub(crate) fn settle(store: &oaken_store::Store) -> Result<()> {
    if store.read(left)?.is_empty() {
        return Ok(());
    }
    store.write(Durability::Normal, |tx| {
        for account in left(tx)? {
            give_back(tx, account)?;
        }
        Ok(())
    })
}

/// A run that ended said how; one that did not was interrupted.
fn give_back(tx: &Tx<'_>, account: i64) -> Result<()> {
    tx.execute(
        "UPDATE account_row SET lease_holder = NULL, lease_process = NULL WHERE row = ?1",
        [account],
    )
    .or_fault()?;
    state::interrupted(tx, account)
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(renewing) = self.renewing.take() {
            renewing.abort();
        }
        let given_back = self.held.services.store.write(Durability::Normal, |tx| {
            let is_held: bool = tx
                .query_row(
                    "SELECT EXISTS (SELECT 1 FROM account_row WHERE row = ?1 AND lease_holder = ?2)",
                    params![self.held.account, self.held.holder],
                    |r| r.get(0),
                )
                .or_fault()?;
            if is_held {
                give_back(tx, self.held.account)
            } else {
                Ok(())
            }
        });
        if given_back.is_err() {
            tracing::warn!("a sync lease could not be given back; it lapses by itself");
        }
    }
}

fn taken() -> Error {
    Error::new(
        Code::Busy,
        "Another process is syncing this account; try again when it is done.",
    )
}
