//! Listing messages: of an account, a folder or a label, narrowed, newest first.

use oaken_core::model::MessageRow;
use oaken_core::{AccountId, Error, FolderId, LabelId, Result, Timestamp};
use oaken_store::OrFault;
use oaken_store::rusqlite::types::Value;
use oaken_store::rusqlite::{Connection, OptionalExtension};

use super::coverage::{self, Reached};
use super::cursor::{self, Cursor};
use super::scan::{self, Key, Merged, Scan};
use super::{Page, Reader, row};

/// What to list. Everything that is given narrows.
#[derive(Clone, Copy, Debug, Default)]
pub struct MessageQuery<'a> {
    /// Of this account.
    pub account: Option<&'a AccountId>,
    /// In this folder.
    pub folder: Option<&'a FolderId>,
    /// With this label.
    pub label: Option<&'a LabelId>,
    /// Unread, or read.
    pub unread: Option<bool>,
    /// Flagged, or not.
    pub flagged: Option<bool>,
    /// Part of the sender's name or address, in any case.
    pub from: Option<&'a str>,
    /// Received at or after.
    pub since: Option<Timestamp>,
    /// Received before.
    pub before: Option<Timestamp>,
    /// Where the page before ended.
    pub cursor: Option<&'a str>,
}

const LIST: &str = "messages";

impl Reader {
    /// Messages, newest first. Unread and flagged are those of the place where a folder is given, else of any place
    /// outside Trash and Junk.
    ///
    /// # Errors
    /// `not_found` for what is not in reach, `invalid_input` for a bad cursor or a folder of another account.
    pub fn messages(&self, query: &MessageQuery<'_>) -> Result<Page<MessageRow>> {
        let cursor = Cursor::read(LIST, query.cursor)?;
        self.with(|c| {
            let after = place(c, cursor.as_ref())?;
            let accounts = coverage::accounts(c, query.account)?;
            let folder = match query.folder {
                Some(id) => Some(folder(c, id, &accounts)?),
                None => None,
            };
            let label = match query.label {
                Some(id) => Some(label(c, id, &accounts)?),
                None => None,
            };
            let scans = scans(query, &accounts, folder, label);
            let merged = scan::merge(c, &scans, query.from, after, self.limits.rows)?;
            let since = query.since.map(Timestamp::unix);
            let complete_back_to = match folder {
                Some(folder) => coverage::folder_complete_back_to(c, folder.row, since)?,
                None => coverage::complete_back_to(&accounts, since),
            };
            page(c, LIST, &merged, self.limits.gist, complete_back_to)
        })
    }
}

/// A folder in reach and what its triggers count.
#[derive(Clone, Copy)]
pub(super) struct Counted {
    pub row: i64,
    pub total: i64,
    pub unread: i64,
    pub flagged: i64,
}

/// The scans of a query: of the folder, else of the label, else one an account.
pub(super) fn scans(
    query: &MessageQuery<'_>,
    accounts: &[Reached],
    folder: Option<Counted>,
    label: Option<i64>,
) -> Vec<Scan> {
    let (since, before) = (
        query.since.map(Timestamp::unix),
        query.before.map(Timestamp::unix),
    );
    let scans = match (folder, label) {
        (Some(folder), label) => vec![of_folder(folder, label, query)],
        (None, Some(label)) => vec![of_label(label, query)],
        (None, None) => accounts.iter().map(|a| of_account(a.row, query)).collect(),
    };
    scans.into_iter().map(|s| s.between(since, before)).collect()
}

fn of_account(account: i64, query: &MessageQuery<'_>) -> Scan {
    let view = match query {
        MessageQuery {
            unread: Some(true),
            from: None,
            ..
        }
        | MessageQuery {
            flagged: Some(true),
            from: None,
            ..
        } => "message_once",
        _ => "message",
    };
    // The bound on time names the index that is the order of the list, for the count too.
    let scan = Scan::new(
        &format!("FROM {view} m WHERE m.account = ?1 AND m.received > -9000000000000000000"),
        vec![Value::Integer(account)],
        "m.received",
        "m.row",
    );
    narrowed(scan, query)
}

fn of_folder(folder: Counted, label: Option<i64>, query: &MessageQuery<'_>) -> Scan {
    // The sender is in the message; without one asked for, the places alone answer.
    let body = match query.from {
        Some(_) => "FROM location l CROSS JOIN message m ON m.row = l.message WHERE l.folder = ?1",
        None => "FROM location l WHERE l.folder = ?1",
    };
    let mut scan =
        Scan::new(body, vec![Value::Integer(folder.row)], "l.received", "l.message").with_flags("l.flags");
    scan = match query.unread {
        Some(true) => scan.and("l.flags & 1 = 0"),
        Some(false) => scan.and("l.flags & 1 <> 0"),
        None => scan,
    };
    scan = match query.flagged {
        Some(true) => scan.and("l.flags & 4 <> 0"),
        Some(false) => scan.and("l.flags & 4 = 0"),
        None => scan,
    };
    scan = scan.counted(match (query.unread, query.flagged) {
        (None, None) => Some(folder.total),
        (Some(true), None) => Some(folder.unread),
        (Some(false), None) => Some(folder.total - folder.unread),
        (None, Some(true)) => Some(folder.flagged),
        (None, Some(false)) => Some(folder.total - folder.flagged),
        _ => None,
    });
    match label {
        Some(label) => scan
            .and_value(
                "EXISTS (SELECT 1 FROM location_label ll WHERE ll.location = l.row AND ll.label =",
                label,
            )
            .closed(),
        None => scan,
    }
}

fn of_label(label: i64, query: &MessageQuery<'_>) -> Scan {
    // A message that carries the label at two places is listed once, by the later one.
    let scan = Scan::new(
        "FROM location_label ll CROSS JOIN location l ON l.row = ll.location CROSS JOIN message m ON m.row = l.message
         WHERE ll.label = ?1 AND NOT EXISTS (
            SELECT 1 FROM location o CROSS JOIN location_label p ON p.location = o.row
            WHERE o.message = l.message AND p.label = ?1 AND (p.received, o.row) > (ll.received, l.row))",
        vec![Value::Integer(label)],
        "ll.received",
        "l.message",
    );
    narrowed(scan, query)
}

fn narrowed(mut scan: Scan, query: &MessageQuery<'_>) -> Scan {
    scan = match query.unread {
        Some(true) => scan.and("m.unread = 1"),
        Some(false) => scan.and("m.unread = 0"),
        None => scan,
    };
    match query.flagged {
        Some(true) => scan.and("m.flagged = 1"),
        Some(false) => scan.and("m.flagged = 0"),
        None => scan,
    }
}

fn folder(c: &Connection, id: &FolderId, accounts: &[Reached]) -> Result<Counted> {
    let found = c
        .prepare_cached("SELECT account, row, total, unread, flagged FROM folder WHERE id = ?1")
        .or_fault()?
        .query_row([id.as_str()], |r| {
            let counted = Counted {
                row: r.get(1)?,
                total: r.get(2)?,
                unread: r.get(3)?,
                flagged: r.get(4)?,
            };
            Ok((r.get(0)?, counted))
        })
        .optional()
        .or_fault()?;
    of_asked_account(found, accounts, "/folder_id")
}

fn label(c: &Connection, id: &LabelId, accounts: &[Reached]) -> Result<i64> {
    let found = c
        .prepare_cached("SELECT account, row FROM label WHERE id = ?1")
        .or_fault()?
        .query_row([id.as_str()], |r| Ok((r.get(0)?, r.get(1)?)))
        .optional()
        .or_fault()?;
    of_asked_account(found, accounts, "/label_id")
}

fn of_asked_account<T>(found: Option<(i64, T)>, accounts: &[Reached], field: &str) -> Result<T> {
    match found {
        Some((account, it)) if accounts.iter().any(|a| a.row == account) => Ok(it),
        Some(_) => Err(Error::invalid_field(
            field,
            "belongs to another account than account_id names",
        )),
        None => Err(Error::not_found(field)),
    }
}

/// Where a cursor of messages ended. The message may lie nowhere any more; its number still tells the place.
pub(super) fn place(c: &Connection, cursor: Option<&Cursor>) -> Result<Option<Key>> {
    let Some(cursor) = cursor else { return Ok(None) };
    let row: Option<i64> = c
        .prepare_cached("SELECT row FROM message_once WHERE id = ?1")
        .or_fault()?
        .query_row([&cursor.id], |r| r.get(0))
        .optional()
        .or_fault()?;
    let row = row.ok_or_else(cursor::refused)?;
    Ok(Some(Key {
        time: cursor.time,
        row,
        flags: None,
    }))
}

/// The page of what a merge found.
pub(super) fn page(
    c: &Connection,
    list: &str,
    merged: &Merged,
    gist: usize,
    complete_back_to: Option<Timestamp>,
) -> Result<Page<MessageRow>> {
    let rows: Vec<MessageRow> = merged
        .page
        .iter()
        .map(|key| row::read(c, *key, gist))
        .collect::<Result<_>>()?;
    let last = merged.page.last().zip(rows.last()).filter(|_| merged.more);
    Ok(Page {
        next_cursor: last.map(|(key, row)| Cursor::write(list, key.time, row.message_id.as_str())),
        rows,
        total: merged.total,
        complete_back_to,
    })
}
