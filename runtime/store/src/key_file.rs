//! A key in a file of its own: 32 random bytes in hex, its owner's alone, made once and never replaced.
//!
//! The folder lies outside the data directory and its backups. What a key is for is its reader's to know.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use oaken_core::{Code, Error, Result};
use zeroize::Zeroizing;

use crate::open::private;

/// The most bytes of a key's file: 64 of hex and some blanks.
const MOST: u64 = 128;

/// A key.
pub type Key = Zeroizing<[u8; 32]>;

/// Reads a key, making file and folder where they are missing: modes 0600 and 0700, also where they were wider.
///
/// # Errors
/// `refused` where the folder cannot be used, or the key is damaged.
pub fn read_or_create(dir: &Path, name: &'static str) -> Result<Key> {
    fs::create_dir_all(dir).map_err(|_| unusable())?;
    private(dir, 0o700).map_err(|_| unusable())?;
    let path = dir.join(name);
    if let Some(key) = read(&path)? {
        private(&path, 0o600).map_err(|_| unusable())?;
        return Ok(key);
    }
    let mut key = Key::default();
    getrandom::fill(&mut *key).map_err(|_| Error::internal())?;
    match place(&path, &key) {
        Ok(()) => Ok(key),
        // Another process made it meanwhile: that one holds.
        Err(e) if e.kind() == ErrorKind::AlreadyExists => read(&path)?.ok_or_else(unusable),
        Err(_) => Err(unusable()),
    }
}

/// Nothing where there is no file.
fn read(path: &Path) -> Result<Option<Key>> {
    // What is no file, or far too long for a key, is not even opened: a FIFO would never answer.
    if fs::metadata(path).is_ok_and(|m| !m.is_file() || m.len() > MOST) {
        return Err(damaged());
    }
    match fs::read_to_string(path).map(Zeroizing::new) {
        Ok(hex) => parse(hex.trim()).map(Some).ok_or_else(damaged),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) if e.kind() == ErrorKind::InvalidData => Err(damaged()),
        Err(_) => Err(unusable()),
    }
}

/// Writes beside and links into place, so that nobody ever reads half a key.
fn place(path: &Path, key: &Key) -> std::io::Result<()> {
    let mut suffix = [0u8; 8];
    getrandom::fill(&mut suffix).map_err(|_| std::io::Error::other("no randomness"))?;
    let beside = path.with_extension(format!("{:x}", u64::from_le_bytes(suffix)));
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&beside)?;
    let hex: Zeroizing<String> = Zeroizing::new(key.iter().map(|b| format!("{b:02x}")).collect());
    let written = file
        .write_all(hex.as_bytes())
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::hard_link(&beside, path));
    let _ = fs::remove_file(&beside);
    written
}

fn parse(hex: &str) -> Option<Key> {
    let mut key = Key::default();
    if hex.len() != 64 || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    for (n, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hex.get(2 * n..2 * n + 2)?, 16).ok()?;
    }
    Some(key)
}

fn damaged() -> Error {
    Error::new(
        Code::Refused,
        "A key file is damaged. Restore install.key, audit.key and vault.key from where you keep them; they are not made anew in silence.",
    )
}

fn unusable() -> Error {
    Error::new(
        Code::Refused,
        "The folder of the keys cannot be read or written. Check who owns it and its rights.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_read_again() {
        let dir = tempfile::tempdir().expect("a folder");
        let made = read_or_create(dir.path(), "one.key").expect("made");
        assert_eq!(read_or_create(dir.path(), "one.key").expect("read"), made);
        assert_ne!(read_or_create(dir.path(), "two.key").expect("made"), made);
        assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 2);
    }

    #[test]
    fn a_damaged_key_is_refused_and_left_as_it_is() {
        let dir = tempfile::tempdir().expect("a folder");
        for damage in ["", "00", &"g".repeat(64), &"é".repeat(32), &"+0".repeat(32)] {
            let file = dir.path().join("one.key");
            fs::write(&file, damage).expect("written");
            let refused = read_or_create(dir.path(), "one.key").err().map(|e| e.code());
            assert_eq!(refused, Some(Code::Refused), "{damage}");
            assert_eq!(fs::read_to_string(&file).expect("read"), damage);
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_or_never_ends_is_not_read() {
        let dir = tempfile::tempdir().expect("a folder");
        fs::create_dir(dir.path().join("folder.key")).expect("made");
        std::os::unix::fs::symlink("/dev/zero", dir.path().join("zero.key")).expect("linked");
        fs::write(dir.path().join("long.key"), "0".repeat(4096)).expect("written");
        for name in ["folder.key", "zero.key", "long.key"] {
            let refused = read_or_create(dir.path(), name).err().map(|e| e.code());
            assert_eq!(refused, Some(Code::Refused), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_others_could_read_is_taken_from_them() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().expect("a folder");
        let (folder, file) = (dir.path().join("keys"), dir.path().join("keys/one.key"));
        read_or_create(&folder, "one.key").expect("made");
        for (path, wide) in [(&folder, 0o755), (&file, 0o644)] {
            fs::set_permissions(path, fs::Permissions::from_mode(wide)).expect("widened");
        }
        read_or_create(&folder, "one.key").expect("read");
        let mode = |p: &Path| fs::metadata(p).expect("there").permissions().mode() & 0o777;
        assert_eq!((mode(&folder), mode(&file)), (0o700, 0o600));
    }
}
