//! The overview: threads of a view, newest first.

use oaken_core::model::{ThreadRow, ThreadRowWhy};
use oaken_core::{AccountId, Error, Result, ThreadId, Timestamp};
use oaken_store::OrFault;
use oaken_store::rusqlite::types::Value;
use oaken_store::rusqlite::{Connection, OptionalExtension};

use super::cursor::{self, Cursor};
use super::row::{gist_of, message_id};
use super::scan::{self, Key, Scan};
use super::shown::{self, Shown};
use super::{Page, Reader, coverage};

/// Which threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// With a message in an inbox.
    #[default]
    Inbox,
    /// With an unread message outside Trash and Junk.
    Unread,
    /// With a flagged message.
    Flagged,
    /// With a message in Sent.
    Sent,
}

impl View {
    const fn list(self) -> &'static str {
        match self {
            View::Inbox => "mailbox.inbox",
            View::Unread => "mailbox.unread",
            View::Flagged => "mailbox.flagged",
            View::Sent => "mailbox.sent",
        }
    }

    /// The column of a thread that says when its newest message of the view came.
    const fn latest(self) -> &'static str {
        match self {
            View::Inbox => "t.latest_inbox",
            View::Unread => "t.latest_unread",
            View::Flagged => "t.latest_flagged",
            View::Sent => "t.latest_sent",
        }
    }

    /// What makes a message one of the view.
    const fn holds(self) -> &'static str {
        match self {
            View::Inbox => "m.in_inbox = 1",
            View::Unread => "m.unread = 1",
            View::Flagged => "m.flagged = 1",
            View::Sent => "m.in_sent = 1",
        }
    }

    const fn why(self) -> ThreadRowWhy {
        match self {
            View::Inbox => ThreadRowWhy::Inbox,
            View::Unread => ThreadRowWhy::Unread,
            View::Flagged => ThreadRowWhy::Flagged,
            View::Sent => ThreadRowWhy::Sent,
        }
    }
}

/// What to list.
#[derive(Clone, Copy, Debug, Default)]
pub struct MailboxQuery<'a> {
    /// Of this account.
    pub account: Option<&'a AccountId>,
    /// Which threads.
    pub view: View,
    /// Whose newest message of the view was received at or after.
    pub since: Option<Timestamp>,
    /// Or before.
    pub before: Option<Timestamp>,
    /// Where the page before ended.
    pub cursor: Option<&'a str>,
}

impl Reader {
    /// The threads of a view, by their newest message of that view.
    ///
    /// # Errors
    /// `not_found` for an account that is not in reach, `invalid_input` for a bad cursor.
    pub fn mailbox(&self, query: &MailboxQuery<'_>) -> Result<Page<ThreadRow>> {
        let list = query.view.list();
        let cursor = Cursor::read(list, query.cursor)?;
        self.with(|c| {
            let after = match &cursor {
                Some(cursor) => Some(place(c, cursor)?),
                None => None,
            };
            let accounts = coverage::accounts(c, query.account)?;
            let scans: Vec<Scan> = accounts.iter().map(|a| scan(a.row, query)).collect();
            let merged = scan::merge(c, &scans, None, after, self.limits.rows)?;
            let rows: Vec<ThreadRow> = merged
                .page
                .iter()
                .map(|key| row(c, *key, query.view, self.limits.gist))
                .collect::<Result<_>>()?;
            let last = merged.page.last().zip(rows.last()).filter(|_| merged.more);
            Ok(Page {
                next_cursor: last.map(|(key, row)| Cursor::write(list, key.time, row.thread_id.as_str())),
                rows,
                total: merged.total,
                complete_back_to: coverage::complete_back_to(&accounts, query.since.map(Timestamp::unix)),
            })
        })
    }
}

pub(super) fn scan(account: i64, query: &MailboxQuery<'_>) -> Scan {
    let latest = query.view.latest();
    Scan::new(
        &format!("FROM thread t WHERE t.account = ?1 AND {latest} IS NOT NULL"),
        vec![Value::Integer(account)],
        latest,
        "t.row",
    )
    .between(
        query.since.map(Timestamp::unix),
        query.before.map(Timestamp::unix),
    )
}

/// Where a cursor of threads ended. A thread that was merged meanwhile keeps its number.
fn place(c: &Connection, cursor: &Cursor) -> Result<Key> {
    let row: Option<i64> = c
        .prepare_cached("SELECT row FROM thread WHERE id = ?1")
        .or_fault()?
        .query_row([&cursor.id], |r| r.get(0))
        .optional()
        .or_fault()?;
    Ok(Key {
        time: cursor.time,
        row: row.ok_or_else(cursor::refused)?,
        flags: None,
    })
}

fn row(c: &Connection, key: Key, view: View, gist: usize) -> Result<ThreadRow> {
    let (id, account, messages, unread, flagged): (String, String, i64, i64, bool) = c
        .prepare_cached(
            "SELECT t.id, a.id,
                (SELECT count(*) FROM message m WHERE m.thread = t.row),
                (SELECT count(*) FROM message m WHERE m.thread = t.row AND m.unread = 1),
                EXISTS (SELECT 1 FROM message m WHERE m.thread = t.row AND m.flagged = 1)
             FROM thread t JOIN account a ON a.row = t.account WHERE t.row = ?1",
        )
        .or_fault()?
        .query_row([key.row], |r| {
            Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?, r.get(4)?))
        })
        .or_fault()?;
    let newest = format!(
        "SELECT m.id, m.subject, m.from_name, m.from_addr, m.received, m.snippet FROM message m
         WHERE m.thread = ?1 AND {} ORDER BY m.received DESC, m.row DESC LIMIT 1",
        view.holds()
    );
    let mut statement = c.prepare_cached(&newest).or_fault()?;
    let mut rows = statement.query([key.row]).or_fault()?;
    let r = rows.next().or_fault()?.ok_or_else(Error::internal)?;
    let text = |n: usize| r.get::<_, String>(n).or_fault();
    Ok(ThreadRow {
        thread_id: ThreadId::parse(&id).ok_or_else(Error::internal)?,
        account_id: AccountId::parse(&account).ok_or_else(Error::internal)?,
        subject: shown::line(&text(1)?),
        from: Shown::default().correspondent(&text(2)?, &text(3)?),
        newest: message_id(&text(0)?)?,
        received: Timestamp::from_unix(r.get(4).or_fault()?),
        messages,
        unread,
        flagged,
        gist: gist_of(&text(5)?, gist),
        why: view.why(),
    })
}
