//! Labels: the IMAP keywords of a location. They belong to the place, as the flags do.
//!
//! Recorded as the server has them. Deliberately absent: setting one; that is an operation of its own.

use oaken_core::{LabelId, Result};
use oaken_store::rusqlite::{OptionalExtension, params};
use oaken_store::{OrFault, Tx};

/// Keywords of one location that are kept.
const KEPT: usize = 100;
/// Bytes of a keyword; a longer one is none.
const LONGEST: usize = 100;

/// Makes the labels of a location exactly these. Returns whether any changed.
pub(crate) fn set(
    tx: &Tx<'_>,
    account: i64,
    location: i64,
    received: i64,
    keywords: &[String],
) -> Result<bool> {
    let had: Vec<i64> = tx
        .prepare_cached("SELECT label FROM location_label_row WHERE location = ?1 ORDER BY label")
        .or_fault()?
        .query_map([location], |r| r.get(0))
        .or_fault()?
        .collect::<oaken_store::rusqlite::Result<_>>()
        .or_fault()?;
    if had.is_empty() && keywords.is_empty() {
        return Ok(false);
    }
    let mut want = Vec::new();
    for keyword in keywords
        .iter()
        .filter(|k| !k.is_empty() && k.len() <= LONGEST)
        .take(KEPT)
    {
        want.push(label(tx, account, keyword)?);
    }
    want.sort_unstable();
    want.dedup();
    if had == want {
        return Ok(false);
    }
    for gone in had.iter().filter(|l| !want.contains(l)) {
        tx.prepare_cached("DELETE FROM location_label_row WHERE location = ?1 AND label = ?2")
            .or_fault()?
            .execute([location, *gone])
            .or_fault()?;
    }
    for new in want.iter().filter(|l| !had.contains(l)) {
        tx.prepare_cached(
            "INSERT INTO location_label_row (location, label, account, received) VALUES (?1, ?2, ?3, ?4)",
        )
        .or_fault()?
        .execute([location, *new, account, received])
        .or_fault()?;
    }
    Ok(true)
}

fn label(tx: &Tx<'_>, account: i64, name: &str) -> Result<i64> {
    let found: Option<i64> = tx
        .prepare_cached("SELECT row FROM label_row WHERE account = ?1 AND name = ?2")
        .or_fault()?
        .query_row(params![account, name], |r| r.get(0))
        .optional()
        .or_fault()?;
    if let Some(row) = found {
        return Ok(row);
    }
    tx.prepare_cached("INSERT INTO label_row (id, account, name) VALUES (?1, ?2, ?3)")
        .or_fault()?
        .execute(params![LabelId::random().as_str(), account, name])
        .or_fault()?;
    Ok(tx.last_insert_rowid())
}
