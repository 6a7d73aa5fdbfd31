//! What governs, as services for the handlers that list and change it. Everything here has ceiling never: no agent
//! reaches it but `get_proposal`, and that only for its own. A change is a preview, and a [`Commit`] that needs a
//! [`Confirmed`].
//!
//! [`Commit`]: crate::Commit
//! [`Confirmed`]: crate::Confirmed

pub mod agents;
pub mod audit;
pub mod exposure;
pub mod proposals;
pub mod settings;
pub mod tokens;
pub(crate) mod values;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use oaken_core::{Descriptor, Error, Result};
use oaken_store::rusqlite::Connection;
use oaken_store::{Durability, Store, Tx};

use crate::settings::{Settings, epoch};
use crate::{Clock, Directory, Keys};

/// A handle on everything that governs. Cheap to clone; the gate and the services share one.
#[derive(Clone)]
pub struct Governance(pub(crate) Arc<Held>);

pub(crate) struct Held {
    pub(crate) store: Arc<Store>,
    pub(crate) keys: Keys,
    pub(crate) directory: Arc<dyn Directory>,
    pub(crate) clock: Clock,
    pub(crate) descriptors: OnceLock<Vec<&'static Descriptor>>,
    pub(crate) waiting: crate::log::Waiting,
    /// Up to where this process found the log whole.
    pub(crate) verified: Mutex<Option<crate::audit::Link>>,
    settings: Mutex<Option<Arc<Settings>>>,
}

impl Governance {
    /// Over an open database. The operations become known when the gate is made over it.
    #[must_use]
    pub fn new(store: Arc<Store>, keys: Keys, directory: Arc<dyn Directory>) -> Governance {
        Governance::with_clock(store, keys, directory, Clock::system())
    }

    /// As [`Governance::new`], by other clocks.
    #[must_use]
    pub fn with_clock(
        store: Arc<Store>,
        keys: Keys,
        directory: Arc<dyn Directory>,
        clock: Clock,
    ) -> Governance {
        Governance(Arc::new(Held {
            store,
            keys,
            directory,
            clock,
            descriptors: OnceLock::new(),
            waiting: crate::log::Waiting::default(),
            verified: Mutex::new(None),
            settings: Mutex::new(None),
        }))
    }

    /// What holds now. Reads the epoch row each time, and the rest only when that changed.
    ///
    /// # Errors
    /// What reading the database meets.
    pub fn settings(&self) -> Result<Arc<Settings>> {
        self.0.store.read(|c| {
            let now = epoch(c)?;
            let mut kept = self.0.settings.lock().unwrap_or_else(PoisonError::into_inner);
            match &*kept {
                Some(held) if held.epoch == now => Ok(held.clone()),
                _ => {
                    let fresh = Arc::new(in_one_view(c, Settings::load)?);
                    *kept = Some(fresh.clone());
                    Ok(fresh)
                }
            }
        })
    }

    /// The names of all workspaces.
    ///
    /// # Errors
    /// What reading the database meets.
    pub fn workspaces(&self) -> Result<Vec<String>> {
        self.0.directory.workspaces()
    }

    /// The descriptors of all operations, by name; empty until the gate is made.
    #[must_use]
    pub fn descriptors(&self) -> &[&'static Descriptor] {
        self.0.descriptors.get().map_or(&[], Vec::as_slice)
    }

    pub(crate) fn descriptor(&self, name: &str) -> Option<&'static Descriptor> {
        let all = self.descriptors();
        let at = all.binary_search_by(|d| d.name.cmp(name)).ok()?;
        all.get(at).copied()
    }

    /// Writes in a thread that may block, and goes on when the caller has gone.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Tx<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let held = self.0.clone();
        tokio::task::spawn_blocking(move || held.store.write(durability, work))
            .await
            .map_err(|_| Error::internal())?
    }
}

/// Runs several reads in one read transaction, so that they see one state.
pub(crate) fn in_one_view<T>(c: &Connection, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    use oaken_store::OrFault;
    let view = c.unchecked_transaction().or_fault()?;
    let done = work(&view)?;
    view.rollback().or_fault()?;
    Ok(done)
}
