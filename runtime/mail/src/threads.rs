//! Threads: the components of the reference edges of one account, kept up with every message (as THREAD=REFS).
//!
//! A node is a Message-ID that was seen or only referred to; so a reply finds its thread before its parent came, and
//! a second mail of the same Message-ID falls into the same thread as a message of its own. When an edge joins
//! threads, the older keeps its id and the other's id leads to it. Deliberately absent: threads by subject, and any
//! edge from one account into another.

use oaken_core::{Result, ThreadId};
use oaken_mime::View;
use oaken_store::rusqlite::{OptionalExtension, params};
use oaken_store::{OrFault, Tx};

/// References of one message that are followed: the nearest.
const FOLLOWED: usize = 100;
/// Bytes of a Message-ID; a longer one is none.
const LONGEST: usize = 998;

/// What a message refers to, oldest first, its parent last, each once.
pub(crate) fn references(view: &View) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    let parent = view.in_reply_to.iter().filter(|id| !view.references.contains(id));
    for id in view.references.iter().chain(parent) {
        let fits = !id.is_empty() && id.len() <= LONGEST && view.message_id.as_ref() != Some(id);
        if fits && !ids.contains(id) {
            ids.push(id.clone());
        }
        // A hostile list of a million ids must not be compared each with each.
        if ids.len() > 4 * FOLLOWED {
            ids.drain(..FOLLOWED);
        }
    }
    ids.drain(..ids.len().saturating_sub(FOLLOWED));
    ids
}

/// The thread of a message with this Message-ID and these references.
pub(crate) fn assign(
    tx: &Tx<'_>,
    account: i64,
    message_id: Option<&str>,
    references: &[String],
) -> Result<i64> {
    let own = message_id.filter(|id| !id.is_empty() && id.len() <= LONGEST);
    let nodes: Vec<&str> = own
        .into_iter()
        .chain(references.iter().map(String::as_str))
        .collect();
    let mut found: Vec<i64> = Vec::new();
    let mut unknown: Vec<&str> = Vec::new();
    for node in nodes {
        match thread_of(tx, account, node)? {
            Some(thread) => found.push(thread),
            None => unknown.push(node),
        }
    }
    found.sort_unstable();
    found.dedup();
    let thread = match found.split_first() {
        None => create(tx, account)?,
        Some((oldest, others)) => {
            for other in others {
                merge(tx, *other, *oldest)?;
            }
            *oldest
        }
    };
    let mut insert = tx
        .prepare_cached(
            "INSERT OR IGNORE INTO thread_node_row (account, message_id, thread) VALUES (?1, ?2, ?3)",
        )
        .or_fault()?;
    for node in unknown {
        insert.execute(params![account, node, thread]).or_fault()?;
    }
    Ok(thread)
}

fn thread_of(tx: &Tx<'_>, account: i64, node: &str) -> Result<Option<i64>> {
    tx.prepare_cached("SELECT thread FROM thread_node_row WHERE account = ?1 AND message_id = ?2")
        .or_fault()?
        .query_row(params![account, node], |r| r.get(0))
        .optional()
        .or_fault()
}

fn create(tx: &Tx<'_>, account: i64) -> Result<i64> {
    tx.prepare_cached("INSERT INTO thread_row (id, account) VALUES (?1, ?2)")
        .or_fault()?
        .execute(params![ThreadId::random().as_str(), account])
        .or_fault()?;
    Ok(tx.last_insert_rowid())
}

/// Makes one thread of two; the older keeps its id.
pub(crate) fn join(tx: &Tx<'_>, one: i64, other: i64) -> Result<()> {
    match one.cmp(&other) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Less => merge(tx, other, one),
        std::cmp::Ordering::Greater => merge(tx, one, other),
    }
}

fn merge(tx: &Tx<'_>, from: i64, into: i64) -> Result<()> {
    for sql in [
        "UPDATE thread_node_row SET thread = ?2 WHERE thread = ?1",
        "UPDATE message_row SET thread = ?2 WHERE thread = ?1",
        "UPDATE thread_row SET merged_into = ?2 WHERE merged_into = ?1",
        "UPDATE thread_row SET merged_into = ?2 WHERE row = ?1",
    ] {
        tx.prepare_cached(sql)
            .or_fault()?
            .execute([from, into])
            .or_fault()?;
    }
    Ok(())
}
