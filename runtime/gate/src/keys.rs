//! The gate's two keys: one binds proposals, one chains the log. Both lie outside the data directory and its backups.

use std::path::Path;

use oaken_core::Result;
use oaken_store::key_file::{self, Key};

/// The keys of this installation. No `Debug`, no `Serialize`; wiped when dropped.
#[derive(Clone)]
pub struct Keys {
    pub(crate) install: Key,
    pub(crate) audit: Key,
}

impl Keys {
    /// Reads `install.key` and `audit.key` from a folder, making what is missing: 32 random bytes in hex, mode 0600.
    ///
    /// # Errors
    /// `refused` where the folder cannot be used or a key is damaged; a damaged key is never replaced in silence.
    pub fn load_or_create(dir: &Path) -> Result<Keys> {
        Ok(Keys {
            install: key_file::read_or_create(dir, "install.key")?,
            audit: key_file::read_or_create(dir, "audit.key")?,
        })
    }
}
