//! Syncing a Maildir: its folders, what is new, changed and gone, and the new files newest first over all folders.
//!
//! Reading renames nothing, so a message stays in `new/` until a mail program moves it or a person marks it. A link is
//! never followed, nor is anything but a regular file opened; what was left alone is told by name. A Maildir whose
//! folder is not there (a disk that is not mounted) is an error, never an empty mailbox.

mod discover;
mod listing;
mod read;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use oaken_core::{Result, clock};
use oaken_store::rusqlite::params;
use oaken_store::{Durability, OrFault};

use super::failure::Failure;
use super::folders;
use super::known::{self, Known};
use super::record::{self, Said};
use super::{Run, state};
use crate::ingest::{self, Spot};
use crate::{Flags, identity};
use listing::Found;

pub(crate) use discover::folder_path;
pub(crate) use listing::{locate, split as info};

/// Files and bytes in one batch.
const BATCH: (usize, u64) = (200, 16 * 1024 * 1024);
/// Rows changed in one transaction.
const ROWS: usize = 500;

/// How many folders a Maildir has.
///
/// # Errors
/// `refused` where there is none.
pub(crate) fn folders(path: &Path) -> Result<usize> {
    Ok(discover::discover(path)?.folders.len())
}

/// A folder in the course of a sync.
struct Folder {
    row: i64,
    path: PathBuf,
    /// To be stored once everything of it is in; absent where it must be looked at again.
    stamp: Option<String>,
}

/// A file that is new in its folder.
struct New {
    folder: usize,
    found: Found,
}

/// Syncs to the end. Blocks.
pub(super) fn sync(run: &mut Run, path: &Path) -> std::result::Result<(), Failure> {
    let account = run.account.row;
    let discovered = discover::discover(path).map_err(|e| Failure::person(e, "maildir_missing"))?;
    run.services
        .store
        .write(Durability::Normal, |tx| state::forget_issues(tx, account, None))?;
    note(run, None, &discovered.left_alone)?;
    let (rows, gone) = folders::reconcile(&run.services, account, &discovered.folders, discovered.is_whole)?;
    run.report.gone += gone;
    let mut folders = Vec::with_capacity(rows.len());
    let mut new = Vec::new();
    for (row, listed) in rows.into_iter().zip(&discovered.folders) {
        let path = folder_path(&discovered.root, &listed.wire_name);
        let stamp = listing::stamp(&path);
        let last: Option<String> = run.services.store.read(|c| {
            c.query_row("SELECT stamp FROM folder_row WHERE row = ?1", [row], |r| r.get(0))
                .or_fault()
        })?;
        let unchanged = last.is_some() && last == stamp;
        folders.push(Folder { row, path, stamp });
        if unchanged {
            run.report.left_alone += state::issues(&run.services, row)?;
        } else {
            look(run, &mut folders, &mut new)?;
        }
    }
    run.progress.of = new.len() as u64;
    take_in(run, &mut folders, new)?;
    run.services.store.write(Durability::Normal, |tx| {
        for folder in &folders {
            tx.execute(
                "UPDATE folder_row SET stamp = ?2 WHERE row = ?1",
                params![folder.row, folder.stamp],
            )
            .or_fault()?;
            state::folder_ok(tx, folder.row)?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Holds the last folder against its rows: what is gone is released, what changed is recorded, what is new noted.
fn look(run: &mut Run, folders: &mut [Folder], new: &mut Vec<New>) -> std::result::Result<(), Failure> {
    let (account, at) = (run.account.row, folders.len() - 1);
    let Some(folder) = folders.last_mut() else {
        return Ok(());
    };
    let row = folder.row;
    let (mut files, left_alone) = listing::list(&folder.path)?;
    run.services.store.write(Durability::Normal, |tx| {
        state::forget_issues(tx, account, Some(row))
    })?;
    note(run, Some(row), &left_alone)?;
    let known = run.services.store.read(|c| known::places(c, row))?;
    let (mut gone, mut changed) = (Vec::new(), Vec::new());
    for place in known {
        match place.name.as_deref().and_then(|name| files.remove(name)) {
            None => gone.push(place),
            Some(found) if place.file.as_deref() != Some(&*found.file) => changed.push((place, found)),
            Some(_) => {}
        }
    }
    for batch in gone.chunks(ROWS) {
        run.services.store.write(Durability::Normal, |tx| {
            batch
                .iter()
                .try_for_each(|place| identity::release(tx, place.row, clock::wall()))
        })?;
    }
    run.report.gone += gone.len() as u64;
    for batch in changed.chunks(ROWS) {
        run.report.changed += run
            .services
            .store
            .write(Durability::Normal, |tx| record_all(tx, account, batch))?;
    }
    new.extend(files.into_values().map(|found| New { folder: at, found }));
    run.lease.renew()?;
    run.check_stop()
}

fn record_all(tx: &oaken_store::Tx<'_>, account: i64, batch: &[(Known, Found)]) -> Result<u64> {
    let mut changed = 0;
    for (place, found) in batch {
        let said = Said {
            flags: Flags::from_info(&found.letters),
            keywords: None,
            modseq: 0,
            file: Some(&found.file),
        };
        changed += u64::from(record::flags(tx, account, place, &said)?);
    }
    Ok(changed)
}

/// Takes the new files in, newest first over all folders.
fn take_in(run: &mut Run, folders: &mut [Folder], mut new: Vec<New>) -> std::result::Result<(), Failure> {
    new.sort_by(|a, b| {
        b.found
            .received
            .cmp(&a.found.received)
            .then_with(|| b.found.name.cmp(&a.found.name))
    });
    let mut rest = new.as_slice();
    while !rest.is_empty() {
        let mut batch = Vec::new();
        let mut bytes = 0;
        let mut left_alone: Vec<(i64, &'static str, String)> = Vec::new();
        let mut taken = 0;
        for file in rest.iter().take(BATCH.0) {
            if bytes >= BATCH.1 {
                break;
            }
            taken += 1;
            let Some(folder) = folders.get_mut(file.folder) else {
                continue;
            };
            match read::file(&folder.path.join(&file.found.file)) {
                Ok(Some((raw, size))) => {
                    bytes += raw.len() as u64;
                    batch.push((file, folder.row, ingest::read(&raw, size, file.found.received)));
                }
                // Moved since it was listed: the next sync finds it where it is.
                Ok(None) => folder.stamp = None,
                Err(reason) => {
                    folder.stamp = None;
                    left_alone.push((folder.row, reason, file.found.file.clone()));
                }
            }
        }
        let (done, remaining) = rest.split_at(taken);
        let back_to = done.last().map_or(0, |f| f.found.received);
        let account = run.account.row;
        run.services.store.write(Durability::Normal, |tx| {
            for (file, folder, incoming) in &batch {
                let uid: i64 = tx
                    .prepare_cached(
                        "UPDATE folder_row SET uid_next = uid_next + 1 WHERE row = ?1 RETURNING uid_next - 1",
                    )
                    .or_fault()?
                    .query_row([folder], |r| r.get(0))
                    .or_fault()?;
                let spot = Spot {
                    account,
                    folder: *folder,
                    uid,
                    flags: Flags::from_info(&file.found.letters),
                    keywords: &[],
                    modseq: 0,
                    received: file.found.received,
                    name: Some(&file.found.name),
                    file: Some(&file.found.file),
                };
                ingest::place(tx, incoming, &spot)?;
            }
            if !remaining.is_empty() {
                state::complete_back_to(tx, account, None, back_to)?;
            }
            Ok(())
        })?;
        for (folder, reason, name) in left_alone {
            note(run, Some(folder), &[(reason, name)])?;
        }
        run.batch_done(batch.len() as u64, bytes)?;
        rest = remaining;
    }
    Ok(())
}

fn note(run: &mut Run, folder: Option<i64>, left_alone: &[(&'static str, String)]) -> Result<()> {
    if left_alone.is_empty() {
        return Ok(());
    }
    run.report.left_alone += left_alone.len() as u64;
    let account = run.account.row;
    run.services.store.write(Durability::Normal, |tx| {
        left_alone
            .iter()
            .try_for_each(|(reason, name)| state::issue(tx, account, folder, reason, name))
    })
}

/// Files by their unique part.
type Files = HashMap<String, Found>;
