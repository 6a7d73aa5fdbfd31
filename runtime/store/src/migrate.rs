//! Migrations: forward only, each in its own transaction, a backup before the first one that touches data.

use std::fs;
use std::path::{Path, PathBuf};

use oaken_core::{Code, Error, Param, Result};
use rusqlite::Connection;
use rusqlite_migration::{M, Migrations};

use crate::{OrFault, fault, open};

/// Brings the database to the last migration. One a newer Oaken wrote is refused and left as it is.
pub(crate) fn to_latest(mut c: Connection, path: &Path, migrations: &[&str]) -> Result<Connection> {
    let have = version(&c)?;
    let known = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
    if have > known {
        return Err(Error::new(
            Code::Refused,
            "The database was written by a newer Oaken (version {have}; this one knows {known}). Use that one, or restore a backup.",
        )
        .with("have", Param::Int(have))
        .with("known", Param::Int(known)));
    }
    if have < 0 {
        return Err(other_shape());
    }
    if have == known {
        return Ok(c);
    }
    if have > 0
        && let Err(e) = back_up(&c, path, have, known)
    {
        return if version(&c)? > have {
            to_latest(c, path, migrations)
        } else {
            Err(e)
        };
    }
    let steps = Migrations::new(migrations.iter().map(|sql| M::up(sql)).collect());
    match steps.to_latest(&mut c) {
        Ok(()) => Ok(c),
        // Another process is migrating too, and was first with a step: what is left is tried anew.
        Err(_) if version(&c)? > have => to_latest(c, path, migrations),
        Err(rusqlite_migration::Error::RusqliteError { err, .. }) => {
            let error = fault(err);
            // A step that does not fit what is there: the version was altered, or the tables were.
            Err(if error.code() == Code::Internal {
                other_shape()
            } else {
                error
            })
        }
        Err(_) => Err(Error::internal()),
    }
}

fn other_shape() -> Error {
    Error::new(
        Code::Refused,
        "The database is not of the version that it says, so this Oaken cannot bring it up to its own. Nothing was changed; restore a backup.",
    )
}

fn version(c: &Connection) -> Result<i64> {
    c.query_row("PRAGMA user_version", [], |r| r.get(0)).or_fault()
}

/// A whole copy as `<database>.before-<to>`, which only its owner may read.
fn back_up(c: &Connection, path: &Path, have: i64, to: i64) -> Result<()> {
    let beside = |suffix: String| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    // Under a name of its own first: several processes may begin an upgrade at once.
    let own = beside(format!(".before-{to}-{}", oaken_core::EntryId::random()));
    let target = own.to_str().ok_or_else(|| {
        Error::new(
            Code::Refused,
            "The path of the data directory is not valid UTF-8; move it.",
        )
    })?;
    let copied = c.execute("VACUUM INTO ?1", [target]).or_fault().and_then(|_| {
        open::private(&own, 0o600)?;
        // A copy of what another process has migrated meanwhile is no copy of what was before.
        if version(&Connection::open(&own).or_fault()?)? != have {
            return Ok(());
        }
        fs::rename(&own, beside(format!(".before-{to}"))).map_err(|_| Error::internal())
    });
    let _ = fs::remove_file(&own);
    copied
}
