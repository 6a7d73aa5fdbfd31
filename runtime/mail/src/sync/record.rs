//! Recording the flags that a mailbox has, `\Seen` among them. The one writer of flags besides a confirmed change: it
//! copies what the server or the Maildir says and takes nothing from a caller.

use oaken_core::Result;
use oaken_store::rusqlite::params;
use oaken_store::{OrFault, Tx};

use super::known::Known;
use crate::{Flags, labels};

/// What the mailbox says of a place now.
pub(super) struct Said<'a> {
    pub flags: Flags,
    /// Absent where the mailbox keeps none.
    pub keywords: Option<&'a [String]>,
    pub modseq: i64,
    /// A Maildir file's path now.
    pub file: Option<&'a str>,
}

/// Makes a place what the mailbox says. Returns whether flags or labels changed.
pub(super) fn flags(tx: &Tx<'_>, account: i64, place: &Known, said: &Said<'_>) -> Result<bool> {
    tx.prepare_cached(
        "UPDATE location_row SET flags = ?2, modseq = max(modseq, ?3), file = coalesce(?4, file) WHERE row = ?1",
    )
    .or_fault()?
    .execute(params![place.row, said.flags.bits(), said.modseq, said.file])
    .or_fault()?;
    let relabelled = match said.keywords {
        Some(keywords) => labels::set(tx, account, place.row, place.received, keywords)?,
        None => false,
    };
    Ok(relabelled || said.flags != place.flags)
}
