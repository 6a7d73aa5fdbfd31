//! The places of a folder as the rows have them, to hold against the mailbox.

use oaken_core::Result;
use oaken_store::OrFault;
use oaken_store::rusqlite::Connection;

use crate::Flags;

/// A place.
pub(super) struct Known {
    pub row: i64,
    pub uid: i64,
    pub flags: Flags,
    pub received: i64,
    pub name: Option<String>,
    pub file: Option<String>,
}

/// All places of a folder, by UID.
pub(super) fn places(c: &Connection, folder: i64) -> Result<Vec<Known>> {
    let mut statement = c
        .prepare_cached(
            "SELECT row, uid, flags, received, name, file FROM location_row WHERE folder = ?1 ORDER BY uid",
        )
        .or_fault()?;
    let rows = statement
        .query_map([folder], |r| {
            Ok(Known {
                row: r.get(0)?,
                uid: r.get(1)?,
                flags: Flags::from_bits(r.get(2)?),
                received: r.get(3)?,
                name: r.get(4)?,
                file: r.get(5)?,
            })
        })
        .or_fault()?;
    rows.collect::<oaken_store::rusqlite::Result<_>>().or_fault()
}
