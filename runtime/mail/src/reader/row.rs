//! A message as a row of a listing.

use oaken_core::model::MessageRow;
use oaken_core::{AccountId, Error, FolderId, MessageId, Result, Text, ThreadId, Timestamp};
use oaken_store::OrFault;
use oaken_store::rusqlite::Connection;

use super::scan::Key;
use super::shown::{self, Shown};

/// The row of a key. In a list of one folder the flags and the time are those of the place.
pub(super) fn read(c: &Connection, key: Key, gist: usize) -> Result<MessageRow> {
    let mut statement = c
        .prepare_cached(
            "SELECT m.id, t.id, a.id, m.from_name, m.from_addr, m.subject, m.snippet, m.unread, m.flagged,
                m.answered, m.attachments, m.is_list
             FROM message m JOIN thread t ON t.row = m.thread JOIN account a ON a.row = m.account
             WHERE m.row = ?1",
        )
        .or_fault()?;
    let mut rows = statement.query([key.row]).or_fault()?;
    let r = rows.next().or_fault()?.ok_or_else(Error::internal)?;
    let text = |n: usize| r.get::<_, String>(n).or_fault();
    let flag = |n: usize| r.get::<_, bool>(n).or_fault();
    let (unread, flagged, answered) = match key.flags {
        Some(flags) => (flags & 1 == 0, flags & 4 != 0, flags & 2 != 0),
        None => (flag(7)?, flag(8)?, flag(9)?),
    };
    Ok(MessageRow {
        message_id: message_id(&text(0)?)?,
        thread_id: ThreadId::parse(&text(1)?).ok_or_else(Error::internal)?,
        account_id: AccountId::parse(&text(2)?).ok_or_else(Error::internal)?,
        folder_ids: folders(c, key.row)?,
        from: Shown::default().correspondent(&text(3)?, &text(4)?),
        subject: shown::line(&text(5)?),
        received: Timestamp::from_unix(key.time),
        gist: gist_of(&text(6)?, gist),
        unread,
        flagged,
        answered,
        attachments: r.get(10).or_fault()?,
        list: flag(11)?,
    })
}

/// The beginning of a message's own text, as long as the caller's setting says.
pub(super) fn gist_of(snippet: &str, chars: usize) -> Text {
    Text::new(oaken_mime::snippet(shown::line(snippet).as_str(), chars))
}

/// The folders a message lies in.
pub(super) fn folders(c: &Connection, message: i64) -> Result<Vec<FolderId>> {
    let mut statement = c
        .prepare_cached(
            "SELECT f.id FROM location l CROSS JOIN folder f ON f.row = l.folder
             WHERE l.message = ?1 ORDER BY l.folder",
        )
        .or_fault()?;
    let mut rows = statement.query([message]).or_fault()?;
    let mut folders: Vec<FolderId> = Vec::new();
    while let Some(r) = rows.next().or_fault()? {
        let id = FolderId::parse(&r.get::<_, String>(0).or_fault()?).ok_or_else(Error::internal)?;
        if folders.last() != Some(&id) {
            folders.push(id);
        }
    }
    Ok(folders)
}

/// A stored id as its type.
pub(super) fn message_id(id: &str) -> Result<MessageId> {
    MessageId::parse(id).ok_or_else(Error::internal)
}
