//! The gate's two keys: one binds proposals, one chains the log. Both lie outside the data directory and its backups.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use oaken_core::{Code, Error, Result};

/// The keys of this installation. No `Debug`, no `Serialize`.
#[derive(Clone)]
pub struct Keys {
    pub(crate) install: [u8; 32],
    pub(crate) audit: [u8; 32],
}

impl Keys {
    /// Reads `install.key` and `audit.key` from a folder, making what is missing: 32 random bytes in hex, mode 0600.
    ///
    /// # Errors
    /// `refused` where the folder cannot be used or a key is damaged; a damaged key is never replaced in silence.
    pub fn load_or_create(dir: &Path) -> Result<Keys> {
        make_folder(dir)?;
        Ok(Keys {
            install: key(&dir.join("install.key"))?,
            audit: key(&dir.join("audit.key"))?,
        })
    }
}

fn key(path: &Path) -> Result<[u8; 32]> {
    match fs::read_to_string(path) {
        Ok(hex) => return parse(hex.trim()).ok_or_else(damaged),
        Err(e) if e.kind() == ErrorKind::NotFound => {}
        Err(e) if e.kind() == ErrorKind::InvalidData => return Err(damaged()),
        Err(_) => return Err(unusable()),
    }
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).map_err(|_| Error::internal())?;
    let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
    match place(path, &hex) {
        Ok(()) => Ok(bytes),
        // Another process made it meanwhile: that one holds.
        Err(e) if e.kind() == ErrorKind::AlreadyExists => {
            parse(fs::read_to_string(path).map_err(|_| unusable())?.trim()).ok_or_else(damaged)
        }
        Err(_) => Err(unusable()),
    }
}

/// Writes beside and links into place, so that nobody ever reads half a key.
fn place(path: &Path, hex: &str) -> std::io::Result<()> {
    let mut suffix = [0u8; 8];
    getrandom::fill(&mut suffix).map_err(|_| std::io::Error::other("no randomness"))?;
    let beside = path.with_extension(format!("{:x}", u64::from_le_bytes(suffix)));
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&beside)?;
    let written = file
        .write_all(hex.as_bytes())
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::hard_link(&beside, path));
    let _ = fs::remove_file(&beside);
    written
}

fn parse(hex: &str) -> Option<[u8; 32]> {
    let mut key = [0u8; 32];
    if hex.len() != 64 || !hex.is_ascii() {
        return None;
    }
    for (n, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hex.get(2 * n..2 * n + 2)?, 16).ok()?;
    }
    Some(key)
}

fn make_folder(dir: &Path) -> Result<()> {
    fs::create_dir_all(dir).map_err(|_| unusable())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(dir).map_err(|_| unusable())?.permissions().mode();
        if mode & 0o077 != 0 {
            fs::set_permissions(dir, fs::Permissions::from_mode(0o700)).map_err(|_| unusable())?;
        }
    }
    Ok(())
}

fn damaged() -> Error {
    Error::new(
        Code::Refused,
        "A key file is damaged. Restore install.key and audit.key from where you keep them; they are not made anew in silence.",
    )
}

fn unusable() -> Error {
    Error::new(
        Code::Refused,
        "The folder of the keys cannot be read or written. Check who owns it and its rights.",
    )
}
