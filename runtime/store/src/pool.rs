//! Read-only connections, opened as needed and kept for the next taker.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use oaken_core::Result;
use rusqlite::Connection;

use crate::open;

/// How many idle connections a pool keeps; more may be out at once.
const KEPT: usize = 8;

#[derive(Clone)]
pub(crate) struct Pool(Arc<Kept>);

struct Kept {
    path: PathBuf,
    busy: Duration,
    idle: Mutex<Vec<Connection>>,
}

impl Pool {
    pub(crate) fn new(path: &Path, busy: Duration) -> Self {
        Pool(Arc::new(Kept {
            path: path.to_owned(),
            busy,
            idle: Mutex::new(Vec::new()),
        }))
    }

    pub(crate) fn take(&self) -> Result<Pooled> {
        let idle = self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(c) => c,
            None => open::reader(&self.0.path, self.0.busy)?,
        };
        Ok(Pooled {
            connection: Some(connection),
            pool: self.clone(),
        })
    }
}

/// A connection that goes back to its pool when dropped.
pub struct Pooled {
    connection: Option<Connection>,
    pool: Pool,
}

impl Deref for Pooled {
    type Target = Connection;
    fn deref(&self) -> &Connection {
        match &self.connection {
            Some(c) => c,
            None => unreachable!("a connection leaves only when it is dropped"),
        }
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        let Some(c) = self.connection.take() else { return };
        // One left inside a transaction would show its next taker an old state.
        if !c.is_autocommit() {
            return;
        }
        let mut idle = self.pool.0.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(c);
        }
    }
}
