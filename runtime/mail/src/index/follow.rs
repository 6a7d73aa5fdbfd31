//! Brings an account's full text up to `oaken.db`: after each batch of a sync, and from nothing when it is rebuilt.
//!
//! Both are the same walk over the account's revisions from where the table stands, so that a table that is missing,
//! behind, or ahead (a backup of `oaken.db` was restored) mends itself. Nothing here writes `oaken.db`.

use oaken_core::Result;
use oaken_store::rusqlite::{OptionalExtension, params};
use oaken_store::{Durability, OrFault, Store, Tx};

use super::{Index, Position, terms};

/// Messages in one transaction of the index.
const BATCH: usize = 500;

struct Document {
    row: i64,
    id: String,
    revision: i64,
    vanished: bool,
    subject: String,
    sender: String,
    recipients: String,
    body: String,
    /// Names of the attachments, one a line.
    files: String,
}

impl Index {
    /// Brings the table of an account up to date. Returns how many messages it wrote or took out.
    ///
    /// # Errors
    /// What reading `oaken.db` or writing the index meets; the table then stands at a whole batch.
    pub fn follow(&self, oaken: &Store, account: i64) -> Result<usize> {
        let Some((id, newest)) = oaken.read(|c| {
            c.query_row(
                "SELECT id, revision FROM account_row WHERE row = ?1",
                [account],
                |r| Ok((r.get::<_, String>(0)?, r.get::<_, i64>(1)?)),
            )
            .optional()
            .or_fault()
        })?
        else {
            self.forget(account)?;
            return Ok(0);
        };
        let mut written = 0;
        loop {
            let done = self.store.write(Durability::Normal, |tx| {
                let from = prepare(tx, oaken, account, &id, newest)?;
                let documents = oaken.read(|c| read(c, account, from))?;
                let Some(last) = documents.last() else {
                    return Ok(0);
                };
                for document in &documents {
                    write(tx, account, document, from > 0)?;
                }
                tx.execute(
                    "UPDATE position_row SET revision = ?2, last = ?3 WHERE account = ?1",
                    params![account, last.revision, last.id],
                )
                .or_fault()?;
                Ok(documents.len())
            })?;
            written += done;
            if done < BATCH {
                return Ok(written);
            }
        }
    }
}

/// What a table is made of. One that an older Oaken made of something else is made anew.
const TABLE: &str = "USING fts5(subject, sender, recipients, body, files,
    content='', contentless_delete=1, tokenize=\"unicode61 remove_diacritics 2\")";

/// The revision the table stands at; made anew where it follows another history, or is of another make.
fn prepare(tx: &Tx<'_>, oaken: &Store, account: i64, id: &str, newest: i64) -> Result<i64> {
    match Position::read(tx, account)? {
        Some(at)
            if at.account_id == id
                && at.revision <= newest
                && is_same_make(tx, account)?
                && is_same_history(oaken, account, &at)? =>
        {
            Ok(at.revision)
        }
        _ => {
            tx.execute_batch(&format!(
                "DROP TABLE IF EXISTS fts_{account};
                 CREATE VIRTUAL TABLE fts_{account} {TABLE};"
            ))
            .or_fault()?;
            tx.execute(
                "INSERT INTO position_row (account, account_id, revision) VALUES (?1, ?2, 0)
                 ON CONFLICT (account) DO UPDATE SET account_id = ?2, revision = 0, last = NULL",
                params![account, id],
            )
            .or_fault()?;
            Ok(0)
        }
    }
}

fn is_same_make(tx: &Tx<'_>, account: i64) -> Result<bool> {
    let made: Option<String> = tx
        .query_row(
            "SELECT sql FROM sqlite_schema WHERE name = ?1",
            [format!("fts_{account}")],
            |r| r.get(0),
        )
        .optional()
        .or_fault()?;
    Ok(made.is_some_and(|sql| sql.ends_with(TABLE)))
}

/// Whether the message of the revision the table stands at is the one it was then. It is not after an older `oaken.db`
/// was put back and took in other mail since. Where that message changed again nobody bears the revision.
fn is_same_history(oaken: &Store, account: i64, at: &Position) -> Result<bool> {
    let now: Option<String> = oaken.read(|c| {
        c.prepare_cached("SELECT id FROM message_row WHERE account = ?1 AND revision = ?2")
            .or_fault()?
            .query_row([account, at.revision], |r| r.get(0))
            .optional()
            .or_fault()
    })?;
    Ok(now.is_none() || now == at.last)
}

fn read(c: &oaken_store::rusqlite::Connection, account: i64, from: i64) -> Result<Vec<Document>> {
    let mut statement = c
        .prepare_cached(
            "SELECT m.row, m.id, m.revision, m.vanished_at IS NOT NULL, m.subject, m.from_name || ' ' || m.from_addr,
                coalesce(b.facts, ''), coalesce(b.text, ''),
                coalesce((SELECT group_concat(a.name, char(10)) FROM attachment_row a WHERE a.message = m.row), '')
             FROM message_row m LEFT JOIN body_row b ON b.message = m.row
             WHERE m.account = ?1 AND m.revision > ?2 ORDER BY m.revision LIMIT ?3",
        )
        .or_fault()?;
    let rows = statement
        .query_map(params![account, from, BATCH as i64], |r| {
            Ok(Document {
                row: r.get(0)?,
                id: r.get(1)?,
                revision: r.get(2)?,
                vanished: r.get(3)?,
                subject: r.get(4)?,
                sender: r.get(5)?,
                recipients: crate::facts::HeaderFacts::read(&r.get::<_, String>(6)?).recipients_line(),
                body: r.get(7)?,
                files: r.get(8)?,
            })
        })
        .or_fault()?;
    rows.collect::<oaken_store::rusqlite::Result<Vec<_>>>().or_fault()
}

fn write(tx: &Tx<'_>, account: i64, document: &Document, may_be_there: bool) -> Result<()> {
    if may_be_there {
        tx.prepare_cached(&format!("DELETE FROM fts_{account} WHERE rowid = ?1"))
            .or_fault()?
            .execute([document.row])
            .or_fault()?;
    }
    if document.vanished {
        return Ok(());
    }
    tx.prepare_cached(&format!(
        "INSERT INTO fts_{account} (rowid, subject, sender, recipients, body, files)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
    ))
    .or_fault()?
    .execute(params![
        document.row,
        terms::for_index(&document.subject),
        terms::for_index(&document.sender),
        terms::for_index(&document.recipients),
        terms::for_index(&document.body),
        terms::for_index(&document.files),
    ])
    .or_fault()?;
    Ok(())
}
