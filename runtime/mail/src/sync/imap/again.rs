//! Text that a server withheld is asked for again by later syncs: three times, then the placeholder stays.
//!
//! A message keeps its id when its text comes. Deliberately absent: asking in the sync that met the refusal.

use std::collections::HashMap;

use oaken_core::Result;
use oaken_store::rusqlite::Connection;
use oaken_store::rusqlite::params;
use oaken_store::{Durability, OrFault};
use oaken_wire_imap::Reader;

use super::{Folder, fetch, peek};
use crate::ingest;
use crate::sync::Run;
use crate::sync::failure::Failure;

/// Messages of a folder that one sync asks for again.
const AT_ONCE: i64 = 50;

/// The same words as the index has; three tries are in them.
const WITHHELD: &str = "FROM message_row m CROSS JOIN location_row l ON l.message = m.row
    WHERE m.account = ?1 AND m.text_state = 'absent' AND m.fetch_tries < 3 AND l.folder = ?2";

struct Withheld {
    message: i64,
    received: i64,
}

/// Whether something in a folder is to be asked for again.
pub(super) fn is_waiting(c: &Connection, account: i64, folder: i64) -> Result<bool> {
    c.prepare_cached(&format!("SELECT EXISTS (SELECT 1 {WITHHELD})"))
        .or_fault()?
        .query_row([account, folder], |r| r.get(0))
        .or_fault()
}

/// Asks for what was withheld in the open folder.
pub(super) async fn ask(
    run: &mut Run,
    reader: &mut Reader,
    folder: &Folder,
) -> std::result::Result<(), Failure> {
    if !folder.stored.is_waiting || run.account.marks_on_read {
        return Ok(());
    }
    let (account, row) = (run.account.row, folder.row);
    let waiting: HashMap<u32, Withheld> = run.services.store.read(|c| withheld(c, account, row))?;
    if waiting.is_empty() {
        return Ok(());
    }
    let uids: Vec<u32> = waiting.keys().copied().collect();
    peek::prove(run, reader, &uids).await?;
    let mut metas = Vec::new();
    reader.fetch_meta(&uids, |m| metas.push(m)).await?;
    let unread: Vec<u32> = metas
        .iter()
        .filter(|m| !fetch::is_seen(m))
        .map(|m| m.uid)
        .collect();
    let most = fetch::most_text(run)?;
    let fetched = fetch::texts(reader, metas, most).await?;
    if !unread.is_empty() {
        peek::verify(run, reader, &unread).await?;
    }
    let mut came = Vec::new();
    for f in fetched.iter().filter(|f| !f.meta.header.is_empty()) {
        if let Some(w) = waiting.get(&f.meta.uid) {
            let received = f.meta.internal_date.unwrap_or(w.received);
            came.push((w.message, fetch::read(f, received)?));
        }
    }
    run.services.store.write(Durability::Normal, |tx| {
        for w in waiting.values() {
            tx.prepare_cached("UPDATE message_row SET fetch_tries = fetch_tries + 1 WHERE row = ?1")
                .or_fault()?
                .execute([w.message])
                .or_fault()?;
        }
        came.iter()
            .try_for_each(|(message, incoming)| ingest::complete(tx, *message, account, incoming))
    })?;
    run.batch_done(0, 0)
}

fn withheld(c: &Connection, account: i64, folder: i64) -> Result<HashMap<u32, Withheld>> {
    let sql = format!("SELECT l.uid, m.row, m.received {WITHHELD} ORDER BY l.uid DESC LIMIT ?3");
    let mut statement = c.prepare_cached(&sql).or_fault()?;
    let rows = statement
        .query_map(params![account, folder, AT_ONCE], |r| {
            Ok((
                r.get(0)?,
                Withheld {
                    message: r.get(1)?,
                    received: r.get(2)?,
                },
            ))
        })
        .or_fault()?;
    rows.collect::<oaken_store::rusqlite::Result<_>>().or_fault()
}
