//! The gate's two keys: one binds proposals, one chains the log. Both lie outside the data directory and its backups.

use std::path::Path;

use oaken_core::{Code, Error, Result};
use oaken_store::key_file::{self, Key};
use oaken_store::{OrFault, Store};

const INSTALL: &str = "install.key";
const AUDIT: &str = "audit.key";

/// The keys of this installation. No `Debug`, no `Serialize`; wiped when dropped.
#[derive(Clone)]
pub struct Keys {
    pub(crate) install: Key,
    pub(crate) audit: Key,
}

impl Keys {
    /// As [`Keys::load_or_create`], for a database: once its log has begun, no key is made.
    ///
    /// # Errors
    /// `refused` also where a key is missing and the log has begun: with another key the log would no longer verify.
    pub fn open_in(dir: &Path, store: &Store) -> Result<Keys> {
        let begun: bool = store.read(|c| {
            c.query_row("SELECT EXISTS (SELECT 1 FROM audit_row)", [], |r| r.get(0))
                .or_fault()
        })?;
        let missing = |name| matches!(dir.join(name).try_exists(), Ok(false));
        if begun && (missing(INSTALL) || missing(AUDIT)) {
            return Err(Error::new(
                Code::Refused,
                "install.key or audit.key is missing, and the log was begun with it. Restore it from where you keep it. Where it \
                 is lost, put 64 hexadecimal digits of your own into a file of that name: the log until then no longer verifies.",
            ));
        }
        Keys::load_or_create(dir)
    }

    /// Reads `install.key` and `audit.key` from a folder, making what is missing: 32 random bytes in hex, mode 0600.
    ///
    /// # Errors
    /// `refused` where the folder cannot be used or a key is damaged; a damaged key is never replaced in silence.
    pub fn load_or_create(dir: &Path) -> Result<Keys> {
        Ok(Keys {
            install: key_file::read_or_create(dir, INSTALL)?,
            audit: key_file::read_or_create(dir, AUDIT)?,
        })
    }
}
