//! Which message a new location belongs to, and what becomes of one that lies nowhere any more.
//!
//! A location inherits the id of a message of the same content in the same account, unless that message already lies
//! in the same folder: two equal mails there are two. A message without a location has vanished: its id waits, its
//! text is erased once every folder was scanned. Deliberately absent: pairing by COPYUID, by a provider's ids, or by
//! anything weaker than the content, and any pairing across accounts.

use oaken_core::Result;
use oaken_store::rusqlite::{OptionalExtension, params};
use oaken_store::{OrFault, Tx};

use crate::ingest;

/// Days that a vanished id waits.
const WAIT_DAYS: i64 = 90;
/// Rows erased in one transaction.
const BATCH: i64 = 500;

/// The message whose id a new location inherits.
pub(crate) struct Holder {
    pub message: i64,
    /// Its text was erased and must be written again.
    pub is_empty: bool,
}

/// Of several, one that lies nowhere comes first, then the one that came nearest to `received`: equal mails keep their
/// own ids when a folder is numbered anew, in whatever order they are met.
pub(crate) fn holder(
    tx: &Tx<'_>,
    account: i64,
    folder: i64,
    hash: &[u8; 32],
    received: i64,
) -> Result<Option<Holder>> {
    tx.prepare_cached(
        "SELECT m.row, m.text_state = 'vanished' FROM message_row m
         WHERE m.account = ?1 AND m.content_hash = ?2
            AND NOT EXISTS (SELECT 1 FROM location_row l WHERE l.message = m.row AND l.folder = ?3)
         ORDER BY m.vanished_at IS NULL, abs(m.received - ?4), m.row LIMIT 1",
    )
    .or_fault()?
    .query_row(params![account, hash, folder, received], |r| {
        Ok(Holder {
            message: r.get(0)?,
            is_empty: r.get(1)?,
        })
    })
    .optional()
    .or_fault()
}

/// Takes a location away. Where it was the last, its message has vanished.
pub(crate) fn release(tx: &Tx<'_>, location: i64, now: i64) -> Result<()> {
    let message: Option<i64> = tx
        .prepare_cached("DELETE FROM location_row WHERE row = ?1 RETURNING message")
        .or_fault()?
        .query_row([location], |r| r.get(0))
        .optional()
        .or_fault()?;
    tx.prepare_cached(
        "UPDATE message_row SET vanished_at = ?2
         WHERE row = ?1 AND NOT EXISTS (SELECT 1 FROM location_row WHERE message = ?1)",
    )
    .or_fault()?
    .execute(params![message, now])
    .or_fault()?;
    Ok(())
}

/// After every folder was scanned: erases the text of what has vanished, and forgets what waited long enough. Returns
/// whether there may be more; each call is one bounded piece of work.
pub(crate) fn settle(tx: &Tx<'_>, account: i64, now: i64) -> Result<bool> {
    let vanished: Vec<i64> = tx
        .prepare_cached(
            "SELECT row FROM message_row
             WHERE account = ?1 AND vanished_at IS NOT NULL AND text_state <> 'vanished' LIMIT ?2",
        )
        .or_fault()?
        .query_map([account, BATCH], |r| r.get(0))
        .or_fault()?
        .collect::<oaken_store::rusqlite::Result<_>>()
        .or_fault()?;
    for message in &vanished {
        tx.prepare_cached("DELETE FROM body_row WHERE message = ?1")
            .or_fault()?
            .execute([message])
            .or_fault()?;
        tx.prepare_cached("DELETE FROM attachment_row WHERE message = ?1")
            .or_fault()?
            .execute([message])
            .or_fault()?;
        tx.prepare_cached(
            "UPDATE message_row SET subject = '', from_name = '', from_addr = '', to_first = '', snippet = '',
                list_id = NULL, attachments = 0, text_state = 'vanished', revision = ?2 WHERE row = ?1",
        )
        .or_fault()?
        .execute([*message, ingest::next_revision(tx, account)?])
        .or_fault()?;
    }
    let forgotten = tx
        .prepare_cached(
            "DELETE FROM message_row WHERE row IN (
                SELECT row FROM message_row WHERE vanished_at < ?1 AND account = ?2 LIMIT ?3)",
        )
        .or_fault()?
        .execute([now - WAIT_DAYS * 86_400, account, BATCH])
        .or_fault()?;
    Ok(vanished.len() as i64 == BATCH || forgotten as i64 == BATCH)
}
