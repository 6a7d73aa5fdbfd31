//! Opens one installation: store, services, gate. Every door starts here.

use std::sync::Arc;

use oaken_core::{Descriptor, Result};
use oaken_gate::{Gate, Governance, Keys};
use oaken_mail::{MailDirectory, Services};
use oaken_store::{MIGRATIONS, Store};

use crate::paths::Paths;

/// One opened installation.
pub struct App {
    /// The one way to every operation.
    pub gate: Arc<Gate>,
    /// What the daemon works with besides: accounts to sync.
    pub services: Arc<Services>,
}

/// Every operation there is, by name. Needs no installation.
pub fn descriptors() -> Vec<&'static Descriptor> {
    let mut all: Vec<&'static Descriptor> = oaken_operations::DESCRIPTORS
        .iter()
        .chain(oaken_read_state::DESCRIPTORS)
        .chain(oaken_send::DESCRIPTORS)
        .copied()
        .collect();
    all.sort_by_key(|d| d.name);
    all
}

/// Opens the installation in these directories, creating what is missing.
///
/// # Errors
/// A stable code and what to do, when a directory or database is missing, locked, read-only, corrupt or newer.
pub fn open(paths: &Paths) -> Result<App> {
    let store = Arc::new(Store::open(&paths.data.join("oaken.db"), MIGRATIONS)?);
    let directory = Arc::new(MailDirectory::new(store.clone()));
    let keys = Keys::open_in(&paths.keys, &store)?;
    let governance = Governance::new(store.clone(), keys, directory);
    let services = Services::open(store, governance.clone(), &paths.data, &paths.keys)?;
    let mut entries = oaken_operations::entries(&services);
    entries.extend(oaken_read_state::entries(&services));
    entries.extend(oaken_send::entries(&services));
    Ok(App {
        gate: Arc::new(Gate::new(governance, entries)?),
        services,
    })
}
