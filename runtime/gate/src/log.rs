//! Rows of the log outside a change's own transactions, written together by whoever comes first: under load one
//! commit carries many answers' rows, and no answer leaves before its row is in.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use oaken_core::{Error, Result};
use oaken_store::Durability;
use tokio::sync::oneshot;

pub(crate) use crate::audit::Kind;
use crate::audit::{self, Row};
use crate::call::Call;
use crate::input::Named;
use crate::{Gate, Governance};

/// Rows that wait for the next commit.
#[derive(Default)]
pub(crate) struct Waiting(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    rows: Vec<(Vec<Row>, oneshot::Sender<Result<()>>)>,
    writing: bool,
}

/// A row about a call.
pub(crate) fn of(gate: &Gate, kind: Kind, call: &Call, refused: Option<&Error>) -> Row {
    let now = gate.governance.0.clock.now();
    let mut row = Row::of(kind, now, call.grant.caller(), Some(call.descriptor));
    row.outcome = refused.map(|e| e.code().word());
    row
}

impl Row {
    /// With the ids that an answer holds, each once.
    pub(crate) fn with_ids(mut self, ids: &[Named]) -> Row {
        let ids: BTreeSet<&str> = ids.iter().map(|n| n.id.as_str()).collect();
        self.count = ids.len();
        self.detail = serde_json::to_string(&ids).unwrap_or_default();
        self
    }
}

/// Appends rows and returns when they are committed. A power cut may take the last of them; a change's own rows are
/// written elsewhere, and survive it.
pub(crate) async fn append(governance: &Governance, rows: Vec<Row>) -> Result<()> {
    let (done, written) = oneshot::channel();
    let lead = {
        let mut queue = governance
            .0
            .waiting
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        queue.rows.push((rows, done));
        !std::mem::replace(&mut queue.writing, true)
    };
    if lead {
        let governance = governance.clone();
        tokio::task::spawn_blocking(move || drain(&governance));
    }
    written.await.map_err(|_| Error::internal())?
}

fn drain(governance: &Governance) {
    let held = &governance.0;
    loop {
        let batch = {
            let mut queue = held.waiting.0.lock().unwrap_or_else(PoisonError::into_inner);
            if queue.rows.is_empty() {
                queue.writing = false;
                return;
            }
            std::mem::take(&mut queue.rows)
        };
        let (rows, waiting): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let rows: Vec<Row> = rows.into_iter().flatten().collect();
        let written = held
            .store
            .write(Durability::Normal, |tx| {
                audit::append(tx, &held.keys.audit, &rows)
            })
            .map(|_| ());
        for done in waiting {
            let _ = done.send(written.clone());
        }
    }
}
