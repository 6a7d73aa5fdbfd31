//! The lease on an account: of several processes one syncs it. By the boot clock, so that no clock change keeps or
//! breaks it, and void after a reboot.

use std::sync::Arc;

use oaken_core::{Code, EntryId, Error, Result, clock};
use oaken_store::rusqlite::params;
use oaken_store::{Durability, OrFault};

use crate::Services;

/// Seconds that a lease lasts unless it is renewed.
const LASTS: i64 = 120;

/// Held while it lives; given back when it is dropped.
pub(super) struct Lease {
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
        // Each run is its own holder: two runs in one process exclude each other too.
        let holder = EntryId::random().as_str().to_owned();
        let lease = Lease {
            services,
            account,
            holder,
        };
        if lease.write()? {
            Ok(lease)
        } else {
            // Dropping it gives nothing back: the update names the holder.
            Err(taken())
        }
    }

    /// Lasts anew from now.
    ///
    /// # Errors
    /// `busy` where it was lost: this process slept longer than it lasts and another took over.
    pub fn renew(&self) -> Result<()> {
        if self.write()? { Ok(()) } else { Err(taken()) }
    }

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
        let given_back = self.services.store.write(Durability::Normal, |tx| {
            tx.execute(
                "UPDATE account_row SET lease_holder = NULL WHERE row = ?1 AND lease_holder = ?2",
                params![self.account, self.holder],
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
