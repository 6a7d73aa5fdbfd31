//! Check 5 for a change: the intent is in the log before anything happens, then every step is applied, then their
//! local changes and the outcome are one transaction. It runs to its end when the caller has gone.

use std::sync::Arc;

use oaken_core::{Answer, Code, EntryId, Error, Result};
use oaken_store::Durability;
use serde_json::Value;

use crate::audit::{Kind, Row};
use crate::call::Call;
use crate::change::{self, Change, Planned, Step};
use crate::confirm::Given;
use crate::{Applied, Body, Commit, Confirmed, Fut, Gate, Grant, Note, intent, log, output, rights};

/// Makes a change that may be made.
pub(crate) async fn run(gate: &Gate, call: Call, given: Given) -> Result<Answer> {
    let gate = gate.clone();
    tokio::spawn(async move { whole(&gate, call, given).await })
        .await
        .map_err(|_| Error::internal())?
}

async fn whole(gate: &Gate, call: Call, given: Given) -> Result<Answer> {
    let entry = EntryId::random();
    let undoable = !given.change.is_none();
    let mut row = log::of(gate, Kind::Intent, &call, None);
    row.entry = undoable.then(|| entry.as_str().to_owned());
    row.proposal = given.redeemed.as_ref().map(|r| r.proposal().to_owned());
    row.count = given.change.preview.changes.len();
    row.detail = serde_json::to_string(&given.change.preview.changes).map_err(|_| Error::internal())?;

    let intent = begin(gate, &call, &given, row.clone()).await?;
    row.detail = "[]".to_owned();
    let Change { steps, ids, note, .. } = given.change;
    let applied = apply(gate, &call.grant, steps, intent, &entry).await;
    let outputs = finish(gate, intent, row, applied).await?;
    let output = output(gate, &call, note, outputs).map_err(|_| made_but_unanswered())?;
    let shaped = output::shape(gate, &call, &ids, output).map_err(|_| made_but_unanswered())?;
    Ok(Answer::Done {
        output: shaped.output,
        cut: shaped.cut,
        entry: call.descriptor.undo.filter(|_| undoable).map(|_| entry),
    })
}

/// The intent, and with it the end of the token; rights are read once more.
async fn begin(gate: &Gate, call: &Call, given: &Given, row: Row) -> Result<i64> {
    let (governance, grant) = (gate.governance.clone(), call.grant.clone());
    let (redeemed, name) = (given.redeemed.clone(), call.descriptor.name);
    gate.governance
        .write(Durability::Full, move |tx| {
            rights::unchanged(&governance, tx, &grant)?;
            if let Some(redeemed) = redeemed {
                redeemed.burn(&governance, tx, grant.caller().in_log(), name)?;
            }
            intent::open(tx, &governance.0.keys.audit, row)
        })
        .await
}

/// What the steps did: those that went well, and the error that ended them.
struct Made {
    outputs: Vec<Value>,
    commits: Vec<Commit>,
    failed: Option<Error>,
}

async fn apply(gate: &Gate, grant: &Arc<Grant>, steps: Vec<Step>, intent: i64, entry: &EntryId) -> Made {
    let mut made = Made {
        outputs: Vec::new(),
        commits: Vec::new(),
        failed: None,
    };
    for (n, step) in steps.into_iter().enumerate() {
        // Each step is a journal entry of its own; the first bears the entry of the whole.
        let own = if n == 0 { entry.clone() } else { EntryId::random() };
        match change::caught(|| start(gate, grant, step, intent, own)).await {
            Ok(applied) => {
                made.outputs.push(applied.output);
                made.commits.push(applied.commit);
            }
            Err(e) => {
                made.failed = Some(known_end(e));
                break;
            }
        }
    }
    made
}

/// A step that panicked or met what should not happen may have done its remote part before: nobody can say.
fn known_end(e: Error) -> Error {
    if e.code() != Code::Internal {
        return e;
    }
    let place = e.place().unwrap_or_default();
    tracing::error!(place, "a change met what should not happen and is unconfirmed");
    unknown_end()
}

/// Each body gets leave for its own effect and no other.
fn start(gate: &Gate, grant: &Arc<Grant>, step: Step, intent: i64, entry: EntryId) -> Fut<Applied<Value>> {
    let caller = grant.caller.clone();
    let body = gate.entries.get(step.descriptor.name).map(|e| &e.body);
    match (body, step.plan) {
        (Some(Body::Mutate(fns)), Planned::Plan(plan)) => {
            (fns.apply)(Confirmed::after(intent, entry, caller), grant.clone(), plan)
        }
        (Some(Body::MarksRead(fns)), Planned::Plan(plan)) => {
            (fns.apply)(Confirmed::after(intent, entry, caller), grant.clone(), plan)
        }
        (Some(Body::Unseen(body)), Planned::Unseen(input)) => {
            body(Confirmed::after(intent, entry, caller), grant.clone(), input)
        }
        _ => Box::pin(std::future::ready(Err(Error::internal()))),
    }
}

/// Local changes and outcome in one transaction. A step that failed after another went well leaves a change half
/// made: what went well is kept and the whole is unconfirmed. So is what could not be recorded.
async fn finish(gate: &Gate, intent: i64, row: Row, made: Made) -> Result<Vec<Value>> {
    let failed = match (made.failed, made.commits.is_empty()) {
        (Some(_), false) => Some(half_made()),
        (failed, _) => failed,
    };
    let mut done = row.clone();
    done.at = gate.governance.0.clock.now();
    done.outcome = Some(failed.as_ref().map_or("done", |e| e.code().word()));
    let (commits, closed, held) = (made.commits, done.clone(), gate.governance.clone());
    let recorded = gate
        .governance
        .write(Durability::Full, move |tx| {
            for commit in commits {
                commit.write(tx)?;
            }
            intent::close(tx, &held.0.keys.audit, intent, closed)
        })
        .await;
    let Err(e) = recorded else {
        return failed.map_or(Ok(made.outputs), Err);
    };
    // The handler's own refusal undid its transaction; anything else leaves open what happened outside of it.
    let refused = matches!(
        e.code(),
        Code::InvalidInput | Code::NotFound | Code::Stale | Code::OverLimit | Code::NotAvailable
    );
    let e = if refused { e } else { unknown_end() };
    done.outcome = Some(e.code().word());
    // Where this fails too the intent stays open, and the next start settles it.
    let held = gate.governance.clone();
    let _ = gate
        .governance
        .write(Durability::Full, move |tx| {
            intent::close(tx, &held.0.keys.audit, intent, done)
        })
        .await;
    Err(e)
}

/// The output: the one step's, or what a nested operation makes of those of its steps.
fn output(gate: &Gate, call: &Call, note: Option<Note>, mut outputs: Vec<Value>) -> Result<Value> {
    match (gate.entries.get(call.descriptor.name).map(|e| &e.body), note) {
        (Some(Body::Nested { output, .. }), Some(note)) => {
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| output(note, outputs)))
                .map_err(|_| Error::internal())?
        }
        (Some(Body::Nested { .. }), None) => Err(Error::internal()),
        _ => outputs.pop().ok_or_else(Error::internal),
    }
}

fn half_made() -> Error {
    Error::new(
        Code::Unconfirmed,
        "A part of this was done and the rest failed. Look at what is so now before you call again.",
    )
}

fn unknown_end() -> Error {
    Error::new(
        Code::Unconfirmed,
        "This may have been done, and how it ended is not known. Look at what is so now before you call again.",
    )
}

/// The place in the declaration is in the service log.
fn made_but_unanswered() -> Error {
    Error::new(
        Code::Internal,
        "The change was made, but its answer is not what the operation declares. Do not repeat it.",
    )
}
