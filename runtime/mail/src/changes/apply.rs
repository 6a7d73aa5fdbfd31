//! One change of flags from the journal's entry to its outcome.
//!
//! What came of each place is known, or the whole is `unconfirmed`: then the journal and the rows are settled here, for
//! an error has no commit. Where nothing was sent or renamed the entry is taken back and the error is plain.

use std::collections::{BTreeMap, HashMap};

use oaken_core::model::{NotChanged, NotChangedReason};
use oaken_core::{AccountId, Code, Error, Result};
use oaken_gate::Commit;
use oaken_store::{Durability, TableOwner, Tx};

use super::imap::{At, Stores, Told};
use super::local::{self, Written};
use super::same::{self, Expected, Headers};
use super::{Changed, Done, PlaceOutcome, maildir};
use crate::Cx;
use crate::accounts::{self, Place as AccountPlace};
use crate::journal::{self, Planned};
use crate::reader::{Place, Target};
use crate::sync::Failure;

/// Runs a change.
pub(super) async fn run<E: Stores + 'static>(
    cx: &Cx<E>,
    operation: &'static str,
    done: Done,
    targets: &[Target],
) -> Result<Changed> {
    let (mark, set) = done.parts();
    let store = &cx.services.store;
    let mut work: BTreeMap<&AccountId, Vec<(&Target, &Place)>> = BTreeMap::new();
    let mut planned = Vec::new();
    for target in targets {
        for place in target
            .places()
            .iter()
            .filter(|p| p.flags().has(mark.flag()) != set)
        {
            work.entry(target.account()).or_default().push((target, place));
            planned.push(Planned {
                account: target.account_row(),
                message: target.row(),
                location: place.row(),
                content_hash: target.content_hash(),
                mark,
                before: !set,
                after: set,
            });
        }
    }
    if planned.is_empty() {
        return Ok(changed(targets, done, &Told::default(), Commit::nothing()));
    }
    let known = same::headers(store, targets)?;
    store.write(Durability::Full, |tx| {
        journal::record(tx, &cx.confirmed, operation, &planned)
    })?;

    let mut told = Told::default();
    for (id, places) in work {
        // From here on an error is what stopped the rest, never a reason to forget what is done.
        let part = match one_account(cx, id, &places, &known, done).await {
            Ok(part) => part,
            Err(error) => Told {
                failure: Some(error.into()),
                ..Told::default()
            },
        };
        told.outcomes.extend(part.outcomes);
        told.written.extend(part.written);
        if part.failure.is_some() {
            told.failure = part.failure;
            break;
        }
    }
    settle(cx, targets, done, told)
}

async fn one_account<E: Stores + 'static>(
    cx: &Cx<E>,
    id: &AccountId,
    places: &[(&Target, &Place)],
    known: &HashMap<i64, Headers>,
    done: Done,
) -> Result<Told> {
    let account = cx.services.store.read(|c| accounts::load(c, id))?;
    match &account.place {
        AccountPlace::Imap(server) => {
            let at = At {
                services: &cx.services,
                account: &account,
                server,
                leave: &cx.confirmed,
                edit: match done {
                    Done::Edit(edit) => Some(edit),
                    Done::AddSeen(_) => None,
                },
            };
            let expected: Vec<Expected<'_>> = places
                .iter()
                .map(|(target, place)| Expected {
                    place,
                    headers: known.get(&target.row()),
                })
                .collect();
            Ok(at.change(&expected).await)
        }
        AccountPlace::Maildir(root) => {
            let places: Vec<Place> = places.iter().map(|(_, place)| (*place).clone()).collect();
            in_maildir(root.clone(), places, done).await
        }
    }
}

fn settle<E>(cx: &Cx<E>, targets: &[Target], done: Done, mut told: Told) -> Result<Changed> {
    let entry = cx.confirmed.entry().clone();
    let store = &cx.services.store;
    let has = |wanted: PlaceOutcome| told.outcomes.iter().any(|(_, o)| *o == wanted);
    let (is_unconfirmed, is_done) = (has(PlaceOutcome::Unconfirmed), has(PlaceOutcome::Done));
    match told.failure.take() {
        Some(Failure { error, .. }) if !is_unconfirmed && !is_done => {
            store.write(Durability::Full, |tx| journal::withdraw(tx, &entry))?;
            return Err(error);
        }
        Some(failure) if is_unconfirmed => {
            let Told {
                outcomes, written, ..
            } = told;
            let recorded = store.write(Durability::Full, |tx| {
                commit(tx, &entry, done, &outcomes, &written)
            });
            // Where that failed too the entry stays open, and the next sync settles it; what is told is the same.
            let is_recorded = recorded.is_ok();
            tracing::warn!(
                reason = failure.reason,
                is_recorded,
                "a change of flags is unconfirmed"
            );
            return Err(unconfirmed());
        }
        // Some places are done for sure and the rest was not tried: that is an answer, not an error.
        _ => {}
    }
    let (outcomes, written) = (told.outcomes.clone(), told.written.clone());
    let local = Commit::new(TableOwner, move |tx| {
        commit(tx, &entry, done, &outcomes, &written)
    });
    Ok(changed(targets, done, &told, local))
}

fn commit(
    tx: &Tx<'_>,
    entry: &oaken_core::EntryId,
    done: Done,
    outcomes: &[(i64, PlaceOutcome)],
    written: &[Written],
) -> Result<()> {
    for place in written {
        local::write(tx, done, place)?;
    }
    journal::settle(tx, entry, outcomes)
}

async fn in_maildir(path: std::path::PathBuf, places: Vec<Place>, done: Done) -> Result<Told> {
    tokio::task::spawn_blocking(move || {
        let mut told = Told::default();
        let root = std::fs::canonicalize(&path).map_err(|_| {
            Error::new(
                Code::Refused,
                "The account's Maildir is not there. If it lies on another disk, mount it; nothing was changed.",
            )
        });
        match root {
            Err(error) => told.failure = Some(error.into()),
            Ok(root) => {
                for place in &places {
                    let (outcome, file) = maildir::change(&root, place, done);
                    told.outcomes.push((place.row(), outcome));
                    if matches!(outcome, PlaceOutcome::Done | PlaceOutcome::Already) {
                        told.written.push(Written {
                            location: place.row(),
                            modseq: None,
                            file,
                        });
                    }
                }
            }
        }
        told
    })
    .await
    .map_err(|_| Error::internal())
}

/// What is said of each message: changed where one of its places was, else the first reason why not.
fn changed(targets: &[Target], done: Done, told: &Told, commit: Commit) -> Changed {
    let (mark, set) = done.parts();
    let outcomes: BTreeMap<i64, PlaceOutcome> = told.outcomes.iter().copied().collect();
    let (mut ids, mut not_changed) = (Vec::new(), Vec::new());
    for target in targets {
        let wanted = target
            .places()
            .iter()
            .filter(|p| p.flags().has(mark.flag()) != set);
        // A place that was wanted and is not told was not tried: the server refused to go on.
        let ends: Vec<PlaceOutcome> = wanted
            .map(|p| outcomes.get(&p.row()).copied().unwrap_or(PlaceOutcome::Refused))
            .collect();
        if ends.contains(&PlaceOutcome::Done) {
            ids.push(target.id().clone());
            continue;
        }
        let reason = match ends.first() {
            Some(end) => end.reason().unwrap_or(NotChangedReason::AlreadySo),
            None if target.places().is_empty() => NotChangedReason::NotThere,
            None => NotChangedReason::AlreadySo,
        };
        not_changed.push(NotChanged {
            message_id: target.id().clone(),
            reason,
        });
    }
    Changed {
        changed: ids,
        not_changed,
        commit,
    }
}

fn unconfirmed() -> Error {
    Error::new(
        Code::Unconfirmed,
        "The connection was lost while flags were being changed; some may be changed. Sync the account to see; nothing was repeated.",
    )
    .next("oaken accounts sync")
}
