//! The journal: what a confirmed change did, place by place, so that it can be undone where it is still as it was left.
//!
//! An entry is written before the mailbox is touched and settled after. Ids, states and outcomes; never mail text.
//! Deliberately absent: undoing; `undo` calls the inverse operation for the messages named here.

use std::collections::HashSet;

use oaken_core::{EntryId, Error, MessageId, Result, clock};
use oaken_gate::{Confirmed, Reach};
use oaken_store::rusqlite::{Connection, OptionalExtension, params};
use oaken_store::{OrFault, Tx, process};

use crate::changes::{Mark, PlaceOutcome};
use crate::{Flags, ReadCx};

/// Seconds after which an entry that is still open was left so, where its process does not tell.
const LEFT: i64 = 600;

/// What is about to change at one place.
pub(crate) struct Planned<'a> {
    pub account: i64,
    pub message: i64,
    pub location: i64,
    pub content_hash: &'a [u8],
    pub mark: Mark,
    pub before: bool,
    pub after: bool,
}

/// Opens the entry of a confirmed change.
pub(crate) fn record<E>(
    tx: &Tx<'_>,
    confirmed: &Confirmed<E>,
    operation: &str,
    planned: &[Planned<'_>],
) -> Result<()> {
    tx.execute(
        "INSERT INTO journal_entry_row (id, intent, operation, agent, at, process, state)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'open')",
        params![
            confirmed.entry().as_str(),
            confirmed.intent(),
            operation,
            confirmed.caller().agent().map(|a| a.as_str()),
            clock::wall(),
            process::this()
        ],
    )
    .or_fault()?;
    let entry = tx.last_insert_rowid();
    let mut change = tx
        .prepare_cached(
            "INSERT INTO journal_change_row (entry, account, message, location, content_hash, what, before, after,
                outcome)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'open')",
        )
        .or_fault()?;
    for p in planned {
        change
            .execute(params![
                entry,
                p.account,
                p.message,
                p.location,
                p.content_hash,
                p.mark.word(),
                p.before,
                p.after
            ])
            .or_fault()?;
    }
    Ok(())
}

/// Says how it ended at each place. Places not named keep what they had.
pub(crate) fn settle(tx: &Tx<'_>, entry: &EntryId, outcomes: &[(i64, PlaceOutcome)]) -> Result<()> {
    let row: i64 = tx
        .query_row(
            "SELECT row FROM journal_entry_row WHERE id = ?1",
            [entry.as_str()],
            |r| r.get(0),
        )
        .or_fault()?;
    let mut is_unconfirmed = false;
    for (location, outcome) in outcomes {
        is_unconfirmed |= *outcome == PlaceOutcome::Unconfirmed;
        tx.prepare_cached("UPDATE journal_change_row SET outcome = ?3 WHERE entry = ?1 AND location = ?2")
            .or_fault()?
            .execute(params![row, location, outcome.word()])
            .or_fault()?;
    }
    let state = if is_unconfirmed { "unconfirmed" } else { "done" };
    tx.execute(
        "UPDATE journal_entry_row SET state = ?2 WHERE row = ?1",
        params![row, state],
    )
    .or_fault()?;
    Ok(())
}

/// Takes back an entry under which nothing was sent or renamed.
pub(crate) fn withdraw(tx: &Tx<'_>, entry: &EntryId) -> Result<()> {
    tx.execute("DELETE FROM journal_entry_row WHERE id = ?1", [entry.as_str()])
        .or_fault()?;
    Ok(())
}

/// Before a sync of an account: the entries that it will settle. Their changes were made, or not, before it looked:
/// the connection was lost, or the process is gone. One that may still be under way is not among them.
pub(crate) fn left_open(c: &Connection, account: i64) -> Result<Vec<i64>> {
    let mut statement = c
        .prepare_cached(
            "SELECT row, state = 'unconfirmed' OR at < ?2, process FROM journal_entry_row e
             WHERE state IN ('open', 'unconfirmed')
                AND EXISTS (SELECT 1 FROM journal_change_row c WHERE c.entry = e.row AND c.account = ?1)",
        )
        .or_fault()?;
    let mut rows = statement.query([account, clock::wall() - LEFT]).or_fault()?;
    let mut left = Vec::new();
    while let Some(r) = rows.next().or_fault()? {
        let is_over: bool = r.get(1).or_fault()?;
        let process: Option<String> = r.get(2).or_fault()?;
        if is_over || process.is_some_and(|p| process::is_alive(&p) == Some(false)) {
            left.push(r.get(0).or_fault()?);
        }
    }
    Ok(left)
}

/// After a sync of an account: what a crash left open is settled by what the mailbox was just seen to hold. Nothing is
/// sent again: leave to change ends with the process it was given to.
pub(crate) fn observe(tx: &Tx<'_>, account: i64, entries: &[i64]) -> Result<()> {
    for entry in entries {
        tx.execute(
            "UPDATE journal_change_row SET outcome = CASE
                WHEN NOT EXISTS (SELECT 1 FROM location_row l WHERE l.row = journal_change_row.location)
                    THEN 'not_there'
                WHEN (SELECT l.flags & CASE what WHEN 'seen' THEN ?3 ELSE ?4 END <> 0 FROM location_row l
                    WHERE l.row = journal_change_row.location) = after THEN 'done'
                ELSE 'refused' END
             WHERE account = ?1 AND outcome IN ('open', 'unconfirmed') AND entry = ?2",
            params![account, entry, Flags::SEEN.bits(), Flags::FLAGGED.bits()],
        )
        .or_fault()?;
        // An entry of several accounts is done once each of them was seen.
        tx.execute(
            "UPDATE journal_entry_row SET state = 'done' WHERE row = ?1 AND state IN ('open', 'unconfirmed')
                AND NOT EXISTS (SELECT 1 FROM journal_change_row c WHERE c.entry = journal_entry_row.row
                    AND c.outcome IN ('open', 'unconfirmed'))",
            [entry],
        )
        .or_fault()?;
    }
    Ok(())
}

/// Places that an undo puts back. Made by the journal alone; given to the inverse operation it leaves of its messages
/// these places only, so that a copy that was never changed stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places(HashSet<i64>);

impl Places {
    pub(crate) fn holds(&self, location: i64) -> bool {
        self.0.contains(&location)
    }
}

/// What undoing an entry comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undoable {
    /// The entry.
    pub entry: EntryId,
    /// The flag it changed.
    pub mark: Mark,
    /// What it was set to; undoing sets the opposite.
    pub set_to: bool,
    /// Messages still as the entry left them.
    pub as_left: Vec<MessageId>,
    /// The places of those that are.
    pub places: Places,
    /// Messages that are nowhere as it left them: somebody changed them since, or they are gone.
    pub stale: Vec<MessageId>,
}

/// What undoing these entries comes to, as far as the caller reaches: an agent its own entries, everyone the accounts
/// in reach.
///
/// # Errors
/// `not_found` at `/entry_ids/N` for an entry that is another's, out of reach, or none.
pub fn undoable(cx: &ReadCx, entries: &[EntryId]) -> Result<Vec<Undoable>> {
    cx.services.store.read(|c| {
        let mut all = Vec::with_capacity(entries.len());
        for (n, entry) in entries.iter().enumerate() {
            let missing = || Error::not_found(format!("/entry_ids/{n}"));
            let (row, agent): (i64, Option<String>) = c
                .prepare_cached("SELECT row, agent FROM journal_entry_row WHERE id = ?1")
                .or_fault()?
                .query_row([entry.as_str()], |r| Ok((r.get(0)?, r.get(1)?)))
                .optional()
                .or_fault()?
                .ok_or_else(missing)?;
            if let Some(caller) = cx.grant.agent()
                && agent.as_deref() != Some(caller.as_str())
            {
                return Err(missing());
            }
            all.push(undo_of(c, cx.grant.reach(), entry, row)?.ok_or_else(missing)?);
        }
        Ok(all)
    })
}

fn undo_of(
    c: &oaken_store::rusqlite::Connection,
    reach: &Reach,
    entry: &EntryId,
    row: i64,
) -> Result<Option<Undoable>> {
    let mut statement = c
        .prepare_cached(
            "SELECT c.account, c.what, c.after, m.id, l.flags, c.outcome = 'done' AND m.content_hash = c.content_hash,
                c.location
             FROM journal_change_row c JOIN message_row m ON m.row = c.message
             LEFT JOIN location_row l ON l.row = c.location AND l.message = c.message
             WHERE c.entry = ?1 ORDER BY c.row",
        )
        .or_fault()?;
    let mut rows = statement.query([row]).or_fault()?;
    let mut undo: Option<Undoable> = None;
    while let Some(r) = rows.next().or_fault()? {
        let account: i64 = r.get(0).or_fault()?;
        if matches!(reach, Reach::Only(rows) if !rows.contains(&account)) {
            continue;
        }
        let mark = Mark::from_word(&r.get::<_, String>(1).or_fault()?).ok_or_else(Error::internal)?;
        let after: bool = r.get(2).or_fault()?;
        let id = MessageId::parse(&r.get::<_, String>(3).or_fault()?).ok_or_else(Error::internal)?;
        let flags: Option<i64> = r.get(4).or_fault()?;
        let was_done: bool = r.get(5).or_fault()?;
        let undo = undo.get_or_insert_with(|| Undoable {
            entry: entry.clone(),
            mark,
            set_to: after,
            as_left: vec![],
            places: Places::default(),
            stale: vec![],
        });
        let is_as_left = was_done && flags.is_some_and(|f| Flags::from_bits(f).has(mark.flag()) == after);
        let list = if is_as_left {
            undo.places.0.insert(r.get(6).or_fault()?);
            &mut undo.as_left
        } else {
            &mut undo.stale
        };
        if !list.contains(&id) {
            list.push(id);
        }
    }
    if let Some(undo) = &mut undo {
        // Of a message in two places one may be as it was left: that one is put back.
        undo.stale.retain(|id| !undo.as_left.contains(id));
    }
    Ok(undo)
}
