//! SQLite's errors as Oaken's. No word of SQLite leaves this file.

use oaken_core::{Code, Error, Result};
use rusqlite::ErrorCode;

/// What is said of a full disk: of a long run only the last step is lost.
pub const DISK_FULL: &str = "The disk is full: the last step was not kept, what was stored before it stays. Free some space and try again.";

/// The error a caller sees for one of SQLite's. Busy can be tried again; what a person can mend has a sentence that
/// says how; the rest is internal, with the place it arose at.
#[track_caller]
#[must_use]
pub fn fault(e: rusqlite::Error) -> Error {
    let Some(code) = e.sqlite_error_code() else {
        return Error::internal();
    };
    match code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => busy(),
        ErrorCode::DiskFull => Error::new(Code::Refused, DISK_FULL),
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied => Error::new(
            Code::Refused,
            "The database cannot be written; nothing was changed. Check who owns the data directory and its rights.",
        ),
        ErrorCode::CannotOpen => Error::new(
            Code::Refused,
            "The database cannot be opened. Check that the data directory exists and belongs to this user.",
        ),
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Error::new(
            Code::Refused,
            "The database is damaged or is no database of Oaken. Restore a backup; nothing was changed.",
        ),
        ErrorCode::SystemIoFailure => Error::new(
            Code::Refused,
            "The disk failed to read or write the database. Check the disk before you try again.",
        ),
        _ => Error::internal(),
    }
}

/// Another writer had the database for too long.
#[track_caller]
pub(crate) fn busy() -> Error {
    Error::new(
        Code::Busy,
        "The database is locked by another process; try again.",
    )
    .retry(true)
}

/// `.or_fault()?` on what rusqlite returns.
pub trait OrFault<T> {
    /// The value, or [`fault`] of the error.
    ///
    /// # Errors
    /// The error as Oaken's.
    #[track_caller]
    fn or_fault(self) -> Result<T>;
}

impl<T> OrFault<T> for rusqlite::Result<T> {
    #[track_caller]
    fn or_fault(self) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(e) => Err(fault(e)),
        }
    }
}
