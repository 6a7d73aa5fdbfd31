//! Opening the file: the place, its rights, and the pragmas every connection has. No mmap (it turns disk errors into
//! signals) and no shared cache.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use oaken_core::{Code, Error, Result};
use rusqlite::{Connection, OpenFlags};

use crate::OrFault;

/// How long a connection waits for another's lock.
pub(crate) const BUSY: Duration = Duration::from_secs(5);

/// SQLite before this one can damage a WAL database when it is reset under load (sqlite.org, 3.51.3).
const LEAST_SQLITE: i32 = 3_051_003;

/// The one read-write connection.
pub(crate) fn writer(path: &Path, busy: Duration) -> Result<Connection> {
    if rusqlite::version_number() < LEAST_SQLITE {
        return Err(Error::new(
            Code::Refused,
            "The SQLite this was built with is older than 3.51.3 and can damage the database.",
        ));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let c = Connection::open_with_flags(path, flags).or_fault()?;
    c.busy_timeout(busy).or_fault()?;
    // SQLite falls back to read-only in silence where the file may not be written.
    if c.is_readonly("main").or_fault()? {
        return Err(read_only());
    }
    let mode: String = c
        .pragma_update_and_check(None, "journal_mode", "WAL", |r| r.get(0))
        .or_fault()?;
    if !mode.eq_ignore_ascii_case("wal") {
        return Err(Error::new(
            Code::Refused,
            "The data directory lies on a file system that cannot hold the database (no WAL); use a local disk.",
        ));
    }
    c.pragma_update(None, "synchronous", "FULL").or_fault()?;
    c.pragma_update(None, "secure_delete", true).or_fault()?;
    c.pragma_update(None, "foreign_keys", true).or_fault()?;
    c.pragma_update(None, "temp_store", "MEMORY").or_fault()?;
    c.pragma_update(None, "trusted_schema", false).or_fault()?;
    c.set_prepared_statement_cache_capacity(128);
    Ok(c)
}

/// A read-only connection. `query_only` stays unset: it forbids the temporary views that reach needs.
pub(crate) fn reader(path: &Path, busy: Duration) -> Result<Connection> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let c = Connection::open_with_flags(path, flags).or_fault()?;
    c.busy_timeout(busy).or_fault()?;
    c.pragma_update(None, "temp_store", "MEMORY").or_fault()?;
    c.pragma_update(None, "trusted_schema", false).or_fault()?;
    c.set_prepared_statement_cache_capacity(128);
    Ok(c)
}

/// The path to open, with the links of its folder followed: the file itself may be none (SQLite would refuse a link
/// anywhere in a path, and homes are often behind one).
pub(crate) fn place(path: &Path) -> Result<PathBuf> {
    make_place(path)?;
    let parent = path
        .parent()
        .filter(|d| !d.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let (Ok(parent), Some(name)) = (parent.canonicalize(), path.file_name()) else {
        return Err(read_only());
    };
    let path = parent.join(name);
    if fs::symlink_metadata(&path).is_ok_and(|m| m.is_symlink()) {
        return Err(Error::new(
            Code::Refused,
            "The database file is a link, and none is followed. Put the file itself there, or name the folder it lies in with --data.",
        ));
    }
    Ok(path)
}

/// The folder, made with mode 0700 where it is missing and closed to others where it is open, and an empty file with
/// mode 0600.
fn make_place(path: &Path) -> Result<()> {
    let Some(dir) = path.parent().filter(|d| !d.as_os_str().is_empty()) else {
        return Ok(());
    };
    if !dir.is_dir() {
        fs::create_dir_all(dir).map_err(|e| match e.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => read_only(),
            _ => Error::new(
                Code::Refused,
                "The data directory cannot be made: a part of its path is no folder. Name another with --data.",
            ),
        })?;
        private(dir, 0o700)?;
    }
    close(dir)?;
    match fs::OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(_) => private(path, 0o600),
        Err(e) if e.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(_) => Err(read_only()),
    }
}

/// How the names of what Oaken keeps in its folder begin: databases, what SQLite keeps beside them, copies.
#[cfg(unix)]
const OWN: [&str; 2] = ["oaken.db", "index.db"];

/// Takes the rights of others from a folder that is Oaken's own: nothing but its databases is in it. One that holds
/// other things is left as it is, unless others could put another database there.
#[cfg(unix)]
fn close(dir: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(dir).map_err(|_| read_only())?.permissions().mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    let ours = |entry: std::io::Result<fs::DirEntry>| {
        entry.is_ok_and(|e| {
            let name = e.file_name();
            OWN.iter()
                .any(|own| name.as_encoded_bytes().starts_with(own.as_bytes()))
        })
    };
    if fs::read_dir(dir).is_ok_and(|mut entries| entries.all(ours)) {
        return private(dir, 0o700);
    }
    if mode & 0o022 == 0 {
        return Ok(());
    }
    Err(Error::new(
        Code::Refused,
        "The data directory holds other things and can be written by others. Name a folder of its own with --data, or take their right to write.",
    ))
}

#[cfg(not(unix))]
fn close(_: &Path) -> Result<()> {
    Ok(())
}

/// Takes the rights of everybody else from the database and from what SQLite keeps beside it.
pub(crate) fn keep_private(path: &Path) -> Result<()> {
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        let file = Path::new(&name);
        if file.exists() {
            private(file, 0o600)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
pub(crate) fn private(path: &Path, mode: u32) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let have = fs::metadata(path).map_err(|_| read_only())?.permissions().mode() & 0o777;
    if have & !mode == 0 {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(|_| read_only())
}

#[cfg(not(unix))]
pub(crate) fn private(_: &Path, _: u32) -> Result<()> {
    Ok(())
}

fn read_only() -> Error {
    Error::new(
        Code::Refused,
        "The data directory cannot be written. Check who owns it, its rights, and that the disk is not read-only.",
    )
}
