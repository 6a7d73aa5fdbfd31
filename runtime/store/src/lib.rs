//! SQLite for everything that lasts: one writer, read-only readers, migrations. And, apart from it, files of keys.
//!
//! This crate knows no table. It opens the file safely, hands out transactions and readers, and turns SQLite's
//! errors into Oaken's own, so that no word of SQLite reaches a caller. Reach, views and the authorizer are mail's.

mod aside;
mod fault;
pub mod key_file;
mod migrate;
mod open;
mod pool;
pub mod process;
mod turn;

use std::path::{Path, PathBuf};
use std::time::Instant;

use oaken_core::Result;
use rusqlite::{Connection, Transaction, TransactionBehavior};

pub use fault::{DISK_FULL, OrFault, fault};
pub use pool::Pooled;
pub use rusqlite;

/// The migrations of Oaken, in order; the database's `user_version` counts them.
pub const MIGRATIONS: &[&str] = &[
    include_str!("../../../migrations/0001_gate.sql"),
    include_str!("../../../migrations/0002_mail.sql"),
];

/// How much a commit survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Survives a power cut: synced before the call returns.
    Full,
    /// Survives a killed process; a power cut may take the last commits, never part of one.
    Normal,
}

/// An open database: one writer, and readers as they are needed.
pub struct Store {
    path: PathBuf,
    busy: std::time::Duration,
    writer: turn::Turns<Writer>,
    readers: pool::Pool,
    checkouts: pool::Pool,
}

struct Writer {
    connection: Connection,
    durability: Durability,
}

/// A write transaction. Derefs to rusqlite's; only [`Store::write`] makes and commits one.
pub struct Tx<'a>(Transaction<'a>);

/// Says that its holder owns tables: only a crate that depends on this one can name it. What takes a closure over a
/// [`Tx`] asks for it beside the closure, whose own text need name nothing: so no crate without tables writes SQL.
#[derive(Clone, Copy, Debug)]
pub struct TableOwner;

impl<'a> std::ops::Deref for Tx<'a> {
    type Target = Transaction<'a>;
    fn deref(&self) -> &Transaction<'a> {
        &self.0
    }
}

impl Store {
    /// Opens the database at `path`, making it and its folder where they are missing, and migrates it.
    ///
    /// # Errors
    /// `refused` where the place cannot hold a database or a newer Oaken wrote it; `busy` where it is locked.
    pub fn open(path: &Path, migrations: &[&str]) -> Result<Store> {
        Store::open_within(path, migrations, open::BUSY)
    }

    pub(crate) fn open_within(path: &Path, migrations: &[&str], busy: std::time::Duration) -> Result<Store> {
        let path = &open::place(path)?;
        let connection = open::writer(path, busy)?;
        let connection = migrate::to_latest(connection, path, migrations)?;
        open::keep_private(path)?;
        Ok(Store {
            path: path.clone(),
            busy,
            writer: turn::Turns::new(Writer {
                connection,
                durability: Durability::Full,
            }),
            readers: pool::Pool::new(path, busy),
            checkouts: pool::Pool::new(path, busy),
        })
    }

    /// The database file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs `work` in one write transaction: committed when it returns `Ok`, undone when it fails or panics.
    /// Blocks while another writer, of this process or another, holds the database; those of this process in turn. A
    /// worker thread of an async runtime is not held up: its other tasks go on elsewhere.
    ///
    /// # Errors
    /// What `work` returns; `busy` where the database stays locked for five seconds.
    pub fn write<T>(&self, durability: Durability, work: impl FnOnce(&Tx<'_>) -> Result<T>) -> Result<T> {
        aside::aside(|| self.in_turn(durability, work))
    }

    fn in_turn<T>(&self, durability: Durability, work: impl FnOnce(&Tx<'_>) -> Result<T>) -> Result<T> {
        let deadline = Instant::now() + self.busy;
        let mut writer = self.writer.take(deadline).ok_or_else(fault::busy)?;
        // What was spent on waiting for the others of this process is spent: callers are promised one time, not two.
        let left = deadline.saturating_duration_since(Instant::now());
        writer.connection.busy_timeout(left).or_fault()?;
        if writer.durability != durability {
            let mode = match durability {
                Durability::Full => "FULL",
                Durability::Normal => "NORMAL",
            };
            writer
                .connection
                .pragma_update(None, "synchronous", mode)
                .or_fault()?;
            writer.durability = durability;
        }
        let tx = writer
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .or_fault()?;
        let tx = Tx(tx);
        let done = work(&tx)?;
        tx.0.commit().or_fault()?;
        Ok(done)
    }

    /// Runs `work` on a plain read-only connection. For the crates that own tables; it knows no reach.
    ///
    /// # Errors
    /// What `work` returns, and what opening a reader meets.
    pub fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let reader = self.readers.take()?;
        work(&reader)
    }

    /// A read-only connection to keep for a while, from a pool of its own: what its taker sets on it (temporary
    /// views, an authorizer) stays on it, and never meets [`Store::read`].
    ///
    /// # Errors
    /// What opening a reader meets.
    pub fn checkout(&self) -> Result<Pooled> {
        self.checkouts.take()
    }
}

#[cfg(test)]
mod tests;
