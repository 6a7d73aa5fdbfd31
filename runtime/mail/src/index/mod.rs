//! The full text: `index.db`, one FTS5 table an account, written from `oaken.db` and disposable.
//!
//! One table an account, so that neither totals nor ranking statistics of one account tell anything of another. The
//! tables keep no text (contentless), only terms; row ids are those of `message_row`. Deliberately absent: ranking,
//! queries over several accounts, and reach; `oaken-retrieval` joins the hits to what a reader may see.

mod follow;
pub mod terms;

use std::path::Path;

use oaken_core::{Code, Result};
use oaken_store::rusqlite::{Connection, OptionalExtension, params};
use oaken_store::{Durability, OrFault, Store};

/// `position_row` says up to which revision of an account its table follows `oaken.db`.
const SCHEMA: &[&str] = &["CREATE TABLE position_row (
    account INTEGER PRIMARY KEY,
    account_id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    last TEXT                 -- the message of that revision
) STRICT;"];

/// The full text of all accounts. It knows no reach, so it is this crate's alone: a reader asks it, account by account.
pub(crate) struct Index {
    store: Store,
}

impl Index {
    /// Opens `index.db` in a folder; one that is damaged, or of another version, is removed and made anew.
    ///
    /// # Errors
    /// `refused` where the folder cannot be written, `busy` where another process holds it.
    pub fn open(data_dir: &Path) -> Result<Index> {
        let path = data_dir.join("index.db");
        let store = match Store::open(&path, SCHEMA) {
            Ok(store) if sound(&store) => store,
            Err(e) if e.code() == Code::Busy => return Err(e),
            _ => {
                for suffix in ["", "-wal", "-shm"] {
                    let mut name = path.clone().into_os_string();
                    name.push(suffix);
                    let _ = std::fs::remove_file(name);
                }
                Store::open(&path, SCHEMA)?
            }
        };
        Ok(Index { store })
    }

    /// The rows of `message_row` in an account that match an expression of [`terms::for_query`], in no order.
    ///
    /// # Errors
    /// What reading the index meets.
    pub fn matches(&self, account: i64, expression: &str, limit: usize) -> Result<Vec<i64>> {
        self.store.read(|c| {
            if Position::read(c, account)?.is_none() {
                return Ok(Vec::new());
            }
            let mut statement = c
                .prepare_cached(&format!(
                    "SELECT rowid FROM fts_{account} WHERE fts_{account} MATCH ?1 LIMIT ?2"
                ))
                .or_fault()?;
            let rows = statement
                .query_map(
                    params![expression, i64::try_from(limit).unwrap_or(i64::MAX)],
                    |r| r.get(0),
                )
                .or_fault()?;
            rows.collect::<oaken_store::rusqlite::Result<Vec<i64>>>()
                .or_fault()
        })
    }

    /// How many messages of an account it holds.
    ///
    /// # Errors
    /// What reading the index meets.
    pub fn held(&self, account: i64) -> Result<i64> {
        self.store.read(|c| {
            if Position::read(c, account)?.is_none() {
                return Ok(0);
            }
            c.query_row(&format!("SELECT count(*) FROM fts_{account}_docsize"), [], |r| {
                r.get(0)
            })
            .or_fault()
        })
    }

    /// Whether an account has a table at all, however far it is.
    ///
    /// # Errors
    /// What reading the index meets.
    pub fn has(&self, account: i64) -> Result<bool> {
        self.store.read(|c| Ok(Position::read(c, account)?.is_some()))
    }

    /// Removes an account's table.
    ///
    /// # Errors
    /// What writing the index meets.
    pub fn forget(&self, account: i64) -> Result<()> {
        self.store.write(Durability::Normal, |tx| {
            tx.execute_batch(&format!("DROP TABLE IF EXISTS fts_{account};"))
                .or_fault()?;
            tx.execute("DELETE FROM position_row WHERE account = ?1", [account])
                .or_fault()?;
            Ok(())
        })
    }
}

fn sound(store: &Store) -> bool {
    store
        .read(|c| {
            c.query_row("SELECT count(*) FROM position_row", [], |r| r.get::<_, i64>(0))
                .or_fault()
        })
        .is_ok()
}

/// Where the table of an account stands.
struct Position {
    account_id: String,
    revision: i64,
    last: Option<String>,
}

impl Position {
    /// Nothing where the account has no table.
    fn read(c: &Connection, account: i64) -> Result<Option<Position>> {
        c.query_row(
            "SELECT account_id, revision, last FROM position_row WHERE account = ?1",
            [account],
            |r| {
                Ok(Position {
                    account_id: r.get(0)?,
                    revision: r.get(1)?,
                    last: r.get(2)?,
                })
            },
        )
        .optional()
        .or_fault()
    }
}
