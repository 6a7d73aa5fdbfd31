//! What the handlers of mail stand on: the database, the full text beside it, the vault, what governs.
//!
//! Deliberately absent: a public way to the database. Operations read through a `Reader` and write through the
//! functions of this crate, which ask for the gate's leave.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use oaken_core::{AccountId, Result};
use oaken_gate::governance::Governance;
use oaken_store::Store;
use tokio::sync::watch;

use crate::accounts;
use crate::index::Index;
use crate::sync::{self, Listener, OnProgress};
use crate::vault::Vault;

/// The services of mail, shared by every handler.
pub struct Services {
    pub(crate) store: Arc<Store>,
    pub(crate) index: Index,
    pub(crate) vault: Vault,
    pub(crate) governance: Governance,
    data_dir: PathBuf,
    listener: OnceLock<Listener>,
    stop: watch::Sender<bool>,
}

impl Services {
    /// Opens what lies beside `oaken.db` in `data_dir` (`index.db`, made anew where it is missing or damaged) and
    /// `vault.key` in `keys_dir`, which is outside the data directory and its backups.
    ///
    /// # Errors
    /// `refused` where a folder cannot be used or the key is damaged, `busy` where another process holds the index. A
    /// missing key is made only while no password is sealed; else every password stays shut, and says so.
    pub fn open(
        store: Arc<Store>,
        governance: Governance,
        data_dir: &Path,
        keys_dir: &Path,
    ) -> Result<Arc<Services>> {
        // Best effort: where the database is busy the next process says it.
        if sync::settle_leases(&store).is_err() {
            tracing::warn!("syncs that were interrupted could not be said to be");
        }
        Ok(Arc::new(Services {
            index: Index::open(data_dir)?,
            vault: Vault::open_in(keys_dir, accounts::any_sealed(&store)?)?,
            data_dir: data_dir.to_owned(),
            listener: OnceLock::new(),
            stop: watch::Sender::new(false),
            store,
            governance,
        }))
    }

    /// What governs: agents, exposure, settings, the log.
    #[must_use]
    pub fn governance(&self) -> &Governance {
        &self.governance
    }

    /// The data directory.
    #[must_use]
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// Tells every sync of this process to end after its batch; none begins any more. What came stays.
    pub fn stop_syncing(&self) {
        self.stop.send_replace(true);
    }

    pub(crate) fn is_stopping(&self) -> bool {
        *self.stop.borrow()
    }

    /// Resolves when syncs are told to end.
    pub(crate) async fn stopping(&self) {
        let _ = self.stop.subscribe().wait_for(|stop| *stop).await;
    }

    /// Names whom every sync of this process tells how far it is; the first one named stays.
    pub fn tell_progress(&self, listener: Listener) {
        let _ = self.listener.set(listener);
    }

    /// What a sync of this account tells: the listener, or nobody.
    #[must_use]
    pub fn progress_of(&self, account: &AccountId) -> OnProgress {
        match self.listener.get() {
            Some(listener) => {
                let (listener, account) = (listener.clone(), account.clone());
                Arc::new(move |progress| listener(&account, progress))
            }
            None => sync::silent(),
        }
    }
}
