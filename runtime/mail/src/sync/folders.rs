//! Folder rows after a listing: new ones, renamed uses, and those that are gone.

use oaken_core::{FolderId, Result, clock};
use oaken_store::rusqlite::params;
use oaken_store::{Durability, OrFault};

use super::special_use::{self, Named};
use crate::{Services, identity};

/// Places released in one transaction.
const BATCH: i64 = 500;

/// A folder as the mailbox lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    /// As people read it, levels parted by `/`.
    pub name: String,
    /// As the mailbox has it.
    pub wire_name: String,
    pub delimiter: Option<char>,
    /// What the server says it is for.
    pub said: Option<&'static str>,
    pub selectable: bool,
    /// Whether it is the person's own: not another user's, and not shared.
    pub personal: bool,
}

/// Makes the folder rows those of the listing, and returns their rows in its order. Where `all_listed`, a folder that
/// is not in it is gone with its places; their messages may turn up elsewhere. Returns how many places went.
pub(super) fn reconcile(
    services: &Services,
    account: i64,
    listed: &[Listed],
    all_listed: bool,
) -> Result<(Vec<i64>, u64)> {
    let named: Vec<Named<'_>> = listed
        .iter()
        .map(|l| Named {
            name: &l.name,
            said: l.said,
        })
        .collect();
    let uses = special_use::uses(&named);
    let rows = services.store.write(Durability::Normal, |tx| {
        let mut rows = Vec::with_capacity(listed.len());
        let mut upsert = tx
            .prepare_cached(
                "INSERT INTO folder_row (id, account, name, wire_name, delimiter, special_use, selectable, since, personal)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                 ON CONFLICT (account, wire_name) DO UPDATE SET name = excluded.name,
                    delimiter = excluded.delimiter, special_use = excluded.special_use,
                    selectable = excluded.selectable, personal = excluded.personal
                 RETURNING row",
            )
            .or_fault()?;
        for (folder, special_use) in listed.iter().zip(&uses) {
            let row: i64 = upsert
                .query_row(
                    params![
                        FolderId::random().as_str(),
                        account,
                        folder.name,
                        folder.wire_name,
                        folder.delimiter.map(String::from),
                        special_use,
                        folder.selectable,
                        clock::wall(),
                        folder.personal
                    ],
                    |r| r.get(0),
                )
                .or_fault()?;
            rows.push(row);
        }
        Ok(rows)
    })?;
    let mut gone = 0;
    if all_listed {
        let known: Vec<i64> = services.store.read(|c| {
            c.prepare_cached("SELECT row FROM folder_row WHERE account = ?1")
                .or_fault()?
                .query_map([account], |r| r.get(0))
                .or_fault()?
                .collect::<oaken_store::rusqlite::Result<_>>()
                .or_fault()
        })?;
        for folder in known.into_iter().filter(|f| !rows.contains(f)) {
            gone += clear(services, folder)?;
            services.store.write(Durability::Normal, |tx| {
                tx.execute("DELETE FROM folder_row WHERE row = ?1", [folder])
                    .or_fault()?;
                Ok(())
            })?;
        }
    }
    Ok((rows, gone))
}

/// Releases every place of a folder, batch by batch.
pub(super) fn clear(services: &Services, folder: i64) -> Result<u64> {
    let mut gone = 0;
    loop {
        let released = services.store.write(Durability::Normal, |tx| {
            let places: Vec<i64> = tx
                .prepare_cached("SELECT row FROM location_row WHERE folder = ?1 LIMIT ?2")
                .or_fault()?
                .query_map([folder, BATCH], |r| r.get(0))
                .or_fault()?
                .collect::<oaken_store::rusqlite::Result<_>>()
                .or_fault()?;
            for place in &places {
                identity::release(tx, *place, clock::wall())?;
            }
            Ok(places.len() as u64)
        })?;
        gone += released;
        if released < BATCH as u64 {
            return Ok(gone);
        }
    }
}
