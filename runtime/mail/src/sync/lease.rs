//! The lease on an account: of several processes one syncs it. By the boot clock, so that no clock change keeps or
//! breaks it, and void after a reboot. A process that was killed keeps it for a minute at most.

use std::sync::Arc;
use std::time::Duration;

use oaken_core::{Code, EntryId, Error, Result, clock};
use oaken_store::rusqlite::params;
use oaken_store::{Durability, OrFault};
use tokio::task::JoinHandle;

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
        if !held.write()? {
            return Err(taken());
        }
        let renewing = tokio::runtime::Handle::try_current().ok().map(|runtime| {
            let held = Arc::clone(&held);
            runtime.spawn(async move {
                loop {
                    tokio::time::sleep(RENEWED).await;
                    // A lease that was lost is met by the run itself, at its next batch.
                    let _ = held.write();
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
        if self.held.write()? { Ok(()) } else { Err(taken()) }
    }
}

impl Held {
    fn write(&self) -> Result<bool> {
        let (boot, up) = clock::boot();
        self.services.store.write(Durability::Normal, |tx| {
            let taken = tx
                .execute(
                    "UPDATE account_row SET lease_holder = ?2, lease_boot = ?3, lease_until = ?4
                     WHERE row = ?1 AND (lease_holder IS NULL OR lease_holder = ?2 OR lease_boot <> ?3
                        OR lease_until < ?5)",
                    params![self.account, self.holder, boot, up + LASTS, up],
                )
                .or_fault()?;
            Ok(taken == 1)
        })
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(renewing) = self.renewing.take() {
            renewing.abort();
        }
        // A run that ended said how; one that was dropped half way did not.
        let given_back = self.held.services.store.write(Durability::Normal, |tx| {
            tx.execute(
                "UPDATE account_row SET lease_holder = NULL,
                    reason = CASE state WHEN 'syncing' THEN 'interrupted' ELSE reason END,
                    state = CASE state WHEN 'syncing' THEN 'failing' ELSE state END
                 WHERE row = ?1 AND lease_holder = ?2",
                params![self.held.account, self.held.holder],
            )
            .or_fault()
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
