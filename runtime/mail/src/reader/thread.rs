//! A thread in full, oldest first, each message without the text it quotes.

use oaken_core::model::Message;
use oaken_core::{Error, MessageId, Result, ThreadId};
use oaken_store::OrFault;
use oaken_store::rusqlite::{Connection, OptionalExtension, params};

use super::cursor::Cursor;
use super::message::{self, Wanted};
use super::{Page, Reader, messages};

/// A thread was merged into another at most so often in a row.
const MERGES: usize = 64;

const LIST: &str = "thread";

/// One page of a thread.
#[derive(Clone, Debug, PartialEq)]
pub struct ThreadPage {
    /// The thread, by the id it has now.
    pub thread_id: ThreadId,
    /// Its messages, oldest first.
    pub page: Page<Message>,
}

impl Reader {
    /// The thread of an id.
    ///
    /// # Errors
    /// `not_found` where it is not in reach or holds no message any more, `invalid_input` for a bad cursor.
    pub fn thread(&self, id: &ThreadId, cursor: Option<&str>) -> Result<ThreadPage> {
        self.thread_page(cursor, |c| {
            c.prepare_cached("SELECT row FROM thread WHERE id = ?1")
                .or_fault()?
                .query_row([id.as_str()], |r| r.get(0))
                .optional()
                .or_fault()?
                .ok_or_else(|| Error::not_found("/thread_id"))
        })
    }

    /// The thread that a message is in.
    ///
    /// # Errors
    /// `not_found` where the message is not in reach, `invalid_input` for a bad cursor.
    pub fn thread_of(&self, id: &MessageId, cursor: Option<&str>) -> Result<ThreadPage> {
        self.thread_page(cursor, |c| {
            c.prepare_cached("SELECT thread FROM message WHERE id = ?1")
                .or_fault()?
                .query_row([id.as_str()], |r| r.get(0))
                .optional()
                .or_fault()?
                .ok_or_else(|| Error::not_found("/message_id"))
        })
    }

    fn thread_page(
        &self,
        cursor: Option<&str>,
        begin: impl FnOnce(&Connection) -> Result<i64>,
    ) -> Result<ThreadPage> {
        let cursor = Cursor::read(LIST, cursor)?;
        self.with(|c| {
            let (thread, thread_id) = live(c, begin(c)?)?;
            let after = messages::place(c, cursor.as_ref())?.map_or((i64::MIN, 0), |key| (key.time, key.row));
            let mut statement = c
                .prepare_cached(
                    "SELECT m.row, m.received FROM message m WHERE m.thread = ?1 AND (m.received, m.row) > (?2, ?3)
                     ORDER BY m.received, m.row LIMIT ?4",
                )
                .or_fault()?;
            let limit = i64::try_from(self.limits.rows + 1).unwrap_or(i64::MAX);
            let keys = statement
                .query_map(params![thread, after.0, after.1, limit], |r| Ok((r.get(0)?, r.get(1)?)))
                .or_fault()?
                .collect::<oaken_store::rusqlite::Result<Vec<(i64, i64)>>>()
                .or_fault()?;
            let total: i64 = c
                .prepare_cached("SELECT count(*) FROM message m WHERE m.thread = ?1")
                .or_fault()?
                .query_row([thread], |r| r.get(0))
                .or_fault()?;
            if total == 0 {
                return Err(Error::not_found("/thread_id"));
            }
            let mut rows = Vec::new();
            for (row, _) in keys.iter().take(self.limits.rows) {
                rows.push(message::read(c, *row, Wanted::Own)?);
            }
            let more = keys.len() > self.limits.rows;
            let last = keys.get(rows.len().wrapping_sub(1)).zip(rows.last()).filter(|_| more);
            Ok(ThreadPage {
                thread_id,
                page: Page {
                    next_cursor: last.map(|((_, time), m)| Cursor::write(LIST, *time, m.message_id.as_str())),
                    rows,
                    total,
                    complete_back_to: None,
                },
            })
        })
    }
}

/// The thread that a thread became.
fn live(c: &Connection, mut row: i64) -> Result<(i64, ThreadId)> {
    let mut statement = c
        .prepare_cached("SELECT id, merged_into FROM thread WHERE row = ?1")
        .or_fault()?;
    for _ in 0..MERGES {
        let (id, into): (String, Option<i64>) = statement
            .query_row([row], |r| Ok((r.get(0)?, r.get(1)?)))
            .or_fault()?;
        match into {
            Some(into) => row = into,
            None => return Ok((row, ThreadId::parse(&id).ok_or_else(Error::internal)?)),
        }
    }
    Err(Error::internal())
}
