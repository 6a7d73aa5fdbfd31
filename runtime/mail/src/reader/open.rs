//! Opening a reader: a pooled read-only connection, the reach of one grant, and one snapshot a question.

use std::sync::Arc;

use oaken_core::{AgentId, Result};
use oaken_gate::{Grant, Reach};
use oaken_store::rusqlite::Connection;
use oaken_store::{OrFault, Store};

use crate::Services;

use super::filter;

/// The mail in the reach of one grant. Every question is answered from one snapshot of the database, on a
/// connection that sees nothing else.
pub struct Reader {
    store: Arc<Store>,
    reach: Reach,
    /// Whose call it is, where it is an agent's.
    pub(super) agent: Option<AgentId>,
    pub(super) limits: Limits,
}

/// The settings of the caller that shape an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Rows in one listing.
    pub rows: usize,
    /// Characters of one gist.
    pub gist: usize,
    /// Seconds after which an account's mail counts as stale.
    pub stale_after: i64,
}

impl Reader {
    /// A reader of the mail in a grant's reach.
    ///
    /// # Errors
    /// None today: the database is met at the first question.
    pub fn open(services: &Services, grant: &Grant) -> Result<Reader> {
        Ok(Reader::over(services.store.clone(), grant))
    }

    /// The same, over a database alone.
    pub(crate) fn over(store: Arc<Store>, grant: &Grant) -> Reader {
        let size = |name: &str| usize::try_from(grant.setting(name)).unwrap_or(0).max(1);
        Reader {
            store,
            reach: grant.reach().clone(),
            agent: grant.agent().cloned(),
            limits: Limits {
                rows: size("max_results"),
                gist: size("snippet_chars"),
                stale_after: grant.setting("sync.stale_after_seconds"),
            },
        }
    }

    #[cfg(test)]
    pub(super) fn of(store: Arc<Store>, reach: Reach, rows: usize) -> Reader {
        Reader {
            store,
            reach,
            agent: None,
            limits: Limits {
                rows,
                gist: 100,
                stale_after: 300,
            },
        }
    }

    /// Asks in one snapshot, with the reach set on the connection.
    pub(super) fn with<T>(&self, ask: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let connection = self.store.checkout()?;
        filter::restrict(&connection, &self.reach)?;
        // Rolled back when dropped, also when `ask` fails: it only read.
        let snapshot = connection.unchecked_transaction().or_fault()?;
        ask(&snapshot)
    }
}
