//! Joining full-text hits to what is in reach: the index knows no reach, so nothing of it counts before it was found
//! here.

use std::sync::Arc;

use oaken_core::model::MessageRow;
use oaken_core::{AccountId, Code, Error, Result, Timestamp};
use oaken_store::OrFault;
use oaken_store::rusqlite::{Connection, params};

use crate::Services;

use super::coverage;
use super::cursor::Cursor;
use super::scan::{Key, Merged};
use super::{Page, Reader, accounts, messages};

/// What to find.
#[derive(Clone, Copy, Debug, Default)]
pub struct FoundQuery<'a> {
    /// The expression, made of [`crate::index::terms::for_query`]'s.
    pub expression: &'a str,
    /// In this account.
    pub account: Option<&'a AccountId>,
    /// Received at or after.
    pub since: Option<Timestamp>,
    /// Received before.
    pub before: Option<Timestamp>,
    /// Where the page before ended.
    pub cursor: Option<&'a str>,
}

/// How much of what was searched the index holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Messages that it holds, at least.
    pub indexed: i64,
    /// Messages that were searched.
    pub searched: i64,
}

/// Row numbers asked for in one statement.
const CHUNK: usize = 20_000;

const LIST: &str = "search";

/// How long a search waits for full text that is missing.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);

impl Reader {
    /// The messages in reach that match, newest first, and how much of the mail the index holds. What the index of an
    /// account cannot say is missing from the page and from `indexed`; its table is then made anew in the background.
    /// One that is not there at all (`index.db` was lost) is waited for a little.
    ///
    /// # Errors
    /// `not_found` for an account that is not in reach, `invalid_input` for a bad cursor, `busy`.
    pub fn found(
        &self,
        services: &Arc<Services>,
        query: &FoundQuery<'_>,
    ) -> Result<(Page<MessageRow>, Coverage)> {
        let cursor = Cursor::read(LIST, query.cursor)?;
        let (since, before) = (
            query.since.map(Timestamp::unix),
            query.before.map(Timestamp::unix),
        );
        self.with(|c| {
            let after = messages::place(c, cursor.as_ref())?;
            let accounts = coverage::accounts(c, query.account)?;
            let (mut keys, mut coverage) = (Vec::new(), Coverage::default());
            for account in &accounts {
                let here = accounts::messages(c, account.row)?;
                if here > 0 && !services.index.has(account.row).unwrap_or(true) {
                    make(services, account.row);
                }
                let (rows, held) = hits(services, account.row, query.expression)?;
                let searched = match (since, before) {
                    (None, None) => here,
                    _ => in_range(c, account.row, since, before)?,
                };
                // Which ones the index lacks is not known: at worst all of them are in the range.
                coverage.indexed += (searched - (here - held).max(0)).max(0);
                coverage.searched += searched;
                for chunk in rows.chunks(CHUNK) {
                    keys.extend(seen(c, account.row, chunk, since, before)?);
                }
            }
            let merged = newest(keys, after, self.limits.rows);
            let complete = coverage::complete_back_to(&accounts, since);
            Ok((
                messages::page(c, LIST, &merged, self.limits.gist, complete)?,
                coverage,
            ))
        })
    }
}

/// The hits of one account and how many messages its table holds. A table that cannot be read holds nothing; an
/// expression that a sound table does not take is no reason to make it anew.
fn hits(services: &Arc<Services>, account: i64, expression: &str) -> Result<(Vec<i64>, i64)> {
    let index = &services.index;
    let ask = |expression: &str, limit: usize| -> Result<(Vec<i64>, i64)> {
        Ok((index.matches(account, expression, limit)?, index.held(account)?))
    };
    match ask(expression, usize::MAX) {
        Ok(found) => Ok(found),
        Err(e) if e.code() == Code::Busy => Err(e),
        Err(e) if e.code() != Code::Refused && ask("\"a\"", 1).is_ok() => Err(Error::invalid_field(
            "/query",
            "cannot be searched for as it stands",
        )),
        Err(_) => {
            remake(services, account);
            Ok((Vec::new(), 0))
        }
    }
}

/// Drops a table that cannot be read and writes it again from the mail. Best effort: where the whole file is damaged,
/// the next start makes it anew.
fn remake(services: &Arc<Services>, account: i64) {
    tracing::warn!(
        account,
        "the full text of an account cannot be read and is made anew"
    );
    if services.index.forget(account).is_ok() {
        write(services, account);
    }
}

/// Writes the table of an account that has none, and waits for it a little: most are done by then. A process that ends
/// before it is leaves a part, which the next sync completes.
fn make(services: &Arc<Services>, account: i64) {
    tracing::info!(account, "the full text of an account is missing and is made anew");
    let _ = write(services, account).recv_timeout(PATIENCE);
}

/// Brings a table up to the mail in the background, and says when it is done.
fn write(services: &Arc<Services>, account: i64) -> std::sync::mpsc::Receiver<()> {
    let (done, waiting) = std::sync::mpsc::channel();
    let services = services.clone();
    std::thread::spawn(move || {
        if services.index.follow(&services.store, account).is_err() {
            tracing::warn!(account, "the full text of an account could not be made anew");
        }
        let _ = done.send(());
    });
    waiting
}

/// Those of some rows that are in reach and in the range.
fn seen(
    c: &Connection,
    account: i64,
    rows: &[i64],
    since: Option<i64>,
    before: Option<i64>,
) -> Result<Vec<Key>> {
    let list = serde_json::to_string(rows).unwrap_or_default();
    let mut statement = c
        .prepare_cached(
            "SELECT m.received, m.row FROM json_each(?1) hit CROSS JOIN message m ON m.row = hit.value
             WHERE m.account = ?2 AND (?3 IS NULL OR m.received >= ?3) AND (?4 IS NULL OR m.received < ?4)",
        )
        .or_fault()?;
    let keys = statement
        .query_map(params![list, account, since, before], |r| {
            Ok(Key {
                time: r.get(0)?,
                row: r.get(1)?,
                flags: None,
            })
        })
        .or_fault()?;
    keys.collect::<oaken_store::rusqlite::Result<Vec<_>>>().or_fault()
}

fn in_range(c: &Connection, account: i64, since: Option<i64>, before: Option<i64>) -> Result<i64> {
    c.prepare_cached(
        "SELECT count(*) FROM message m WHERE m.account = ?1 AND m.received >= ?2 AND m.received < ?3",
    )
    .or_fault()?
    .query_row(
        params![account, since.unwrap_or(i64::MIN), before.unwrap_or(i64::MAX)],
        |r| r.get(0),
    )
    .or_fault()
}

fn newest(mut keys: Vec<Key>, after: Option<Key>, limit: usize) -> Merged {
    let total = i64::try_from(keys.len()).unwrap_or(i64::MAX);
    if let Some(after) = after {
        keys.retain(|k| (k.time, k.row) < (after.time, after.row));
    }
    keys.sort_unstable_by(|a, b| b.cmp(a));
    let more = keys.len() > limit;
    keys.truncate(limit);
    Merged {
        page: keys,
        more,
        total,
    }
}
