//! The rows after a change. Adding `\Seen` here takes the proof in `Done`, which only a `Confirmed<MarksRead>` makes.

use oaken_core::Result;
use oaken_store::rusqlite::params;
use oaken_store::{OrFault, Tx};

use super::Done;
use crate::Flags;

/// A place that was changed.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub location: i64,
    /// MODSEQ after it, with CONDSTORE.
    pub modseq: Option<i64>,
    /// A Maildir file's path after it.
    pub file: Option<String>,
}

/// Writes a change to a place. One that a sync took away meanwhile is left.
pub(super) fn write(tx: &Tx<'_>, done: Done, written: &Written) -> Result<()> {
    let flags: Option<i64> = tx
        .prepare_cached("SELECT flags FROM location_row WHERE row = ?1")
        .or_fault()?
        .query_map([written.location], |r| r.get(0))
        .or_fault()?
        .next()
        .transpose()
        .or_fault()?;
    let Some(flags) = flags else { return Ok(()) };
    tx.prepare_cached(
        "UPDATE location_row SET flags = ?2, modseq = max(modseq, coalesce(?3, 0)), file = coalesce(?4, file)
         WHERE row = ?1",
    )
    .or_fault()?
    .execute(params![
        written.location,
        done.on(Flags::from_bits(flags)).bits(),
        written.modseq,
        written.file
    ])
    .or_fault()?;
    Ok(())
}
