//! Intents and outcomes: a change is in the log before it is made, and how it ended after. An intent that a crash
//! left open is settled as unconfirmed by the next start, once the process that held it is gone.

use oaken_core::{Code, Result};
use oaken_store::rusqlite::params;
use oaken_store::{Durability, OrFault, Tx, process};

use crate::audit::{self, Kind, Row};
use crate::{Governance, caller};

/// Appends the intent and opens it.
pub(crate) fn open(tx: &Tx<'_>, key: &[u8; 32], row: Row) -> Result<i64> {
    let seq = audit::append(tx, key, &[row])?;
    tx.execute(
        "INSERT INTO open_intent_row (intent, process) VALUES (?1, ?2)",
        params![seq, process::this()],
    )
    .or_fault()?;
    Ok(seq)
}

/// Appends the outcome and closes the intent; the proposal that let it shows how it ended.
pub(crate) fn close(tx: &Tx<'_>, key: &[u8; 32], intent: i64, row: Row) -> Result<()> {
    if let Some(proposal) = &row.proposal {
        let outcome = match row.outcome {
            Some("done") => "applied",
            Some("unconfirmed") => "unconfirmed",
            Some("stale") => "stale",
            _ => "failed",
        };
        tx.execute(
            "UPDATE proposal_row SET outcome = ?2 WHERE id = ?1",
            params![proposal, outcome],
        )
        .or_fault()?;
    }
    audit::append(
        tx,
        key,
        &[Row {
            kind: Kind::Outcome,
            intent: Some(intent),
            ..row
        }],
    )?;
    tx.execute("DELETE FROM open_intent_row WHERE intent = ?1", [intent])
        .or_fault()?;
    Ok(())
}

/// Settles what a crash left open. Answers how many were settled.
pub(crate) fn settle(governance: &Governance) -> Result<usize> {
    let now = governance.0.clock.now();
    let open: Vec<(i64, String, i64)> = governance.0.store.read(|c| {
        c.prepare(
            "SELECT o.intent, o.process, a.at FROM open_intent_row o JOIN audit_row a ON a.seq = o.intent ORDER BY o.intent",
        )
        .and_then(|mut s| {
            s.query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))?
                .collect()
        })
        .or_fault()
    })?;
    let dead: Vec<i64> = open
        .into_iter()
        .filter(|(_, process, at)| !is_alive(process, now - at))
        .map(|(intent, ..)| intent)
        .collect();
    if dead.is_empty() {
        return Ok(0);
    }
    let held = &governance.0;
    let settled = held.store.write(Durability::Full, |tx| {
        for intent in &dead {
            let (door, caller, name, class, entry, proposal): (
                String,
                String,
                String,
                String,
                Option<String>,
                Option<String>,
            ) = tx
                .query_row(
                    "SELECT door, caller, operation, class, entry, proposal FROM audit_row WHERE seq = ?1",
                    [intent],
                    |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?, r.get(4)?, r.get(5)?)),
                )
                .or_fault()?;
            let row = Row {
                at: now,
                kind: Kind::Outcome,
                door: caller::door_word(&door),
                caller,
                operation: name,
                class: caller::class_word(&class),
                intent: Some(*intent),
                entry,
                proposal,
                outcome: Some(Code::Unconfirmed.word()),
                count: 0,
                detail: "[]".to_owned(),
            };
            close(tx, &held.keys.audit, *intent, row)?;
        }
        Ok(())
    });
    if let Err(e) = settled {
        // The disk is full, or another process writes: they stay open for the next start, and reading goes on.
        tracing::warn!(
            intents = dead.len(),
            code = e.code().word(),
            "changes that a crash left open cannot be settled now"
        );
        return Ok(0);
    }
    tracing::warn!(
        intents = dead.len(),
        "changes were left open by a crash and are now unconfirmed"
    );
    Ok(dead.len())
}

/// Where nobody can tell whether a process still runs, an intent is given an hour.
fn is_alive(process: &str, age: i64) -> bool {
    process::is_alive(process).unwrap_or(age < 3600)
}
