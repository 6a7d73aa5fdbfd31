//! Syncing an account of a server: folder by folder what is gone, what changed, what is new; the newest of every folder
//! first, then the rest.
//!
//! A folder's stored mod-sequence moves only after everything up to it is in, so a sync that was killed does no step
//! too few. A server that marks mail read while it is only looked at is told, and its mail is fetched no further.

mod again;
mod connect;
mod fetch;
mod flags;
mod folder;
mod peek;

use oaken_core::{Code, Error, Result};
use oaken_store::rusqlite::{OptionalExtension, params};
use oaken_store::{Durability, OrFault};
use oaken_wire_imap::{Reader, SpecialUse};

use super::failure::Failure;
use super::folders::{self, Listed};
use super::{Run, state};
use crate::accounts::ImapPlace;

pub(crate) use connect::connect;

/// New messages of each folder that are taken in before any folder's older ones.
const FIRST: usize = 500;

/// A folder with its row.
struct Folder {
    row: i64,
    raw: String,
    special_use: Option<String>,
    stored: Stored,
    /// What LIST-STATUS told.
    told: Option<oaken_wire_imap::Status>,
}

/// Where the last sync ended.
#[derive(Clone, Debug, Default)]
struct Stored {
    uid_validity: Option<i64>,
    uid_next: i64,
    modseq: i64,
    remote_total: Option<i64>,
    swept_to: i64,
    is_ok: bool,
    /// Text that was withheld is to be asked for again.
    is_waiting: bool,
}

/// Syncs to the end.
pub(super) async fn sync(run: &mut Run, place: &ImapPlace) -> std::result::Result<(), Failure> {
    let session = connect(&run.services, &run.account, place).await?;
    let mut reader = Reader::new(session);
    let done = all(run, &mut reader).await;
    if done.is_ok() {
        reader.into_session().logout().await;
    }
    done
}

async fn all(run: &mut Run, reader: &mut Reader) -> std::result::Result<(), Failure> {
    let folders = list(run, reader).await?;
    let mut rest = Vec::new();
    for folder in folders {
        match folder::look(run, reader, &folder).await {
            Ok(Some(mut work)) => {
                run.progress.of += work.new.len() as u64;
                let later = work.new.split_off(work.new.len().min(FIRST));
                again::ask(run, reader, &folder).await?;
                fetch::take_in(run, reader, &folder, &work, !later.is_empty()).await?;
                if later.is_empty() {
                    folder::finish(run, &folder, &work)?;
                } else {
                    work.new = later;
                    rest.push((folder, work));
                }
            }
            Ok(None) => {}
            Err(failure) if failure.reason == "refused_by_server" => {
                run.services.store.write(Durability::Normal, |tx| {
                    state::folder_failed(tx, folder.row, failure.reason)
                })?;
            }
            Err(failure) => return Err(failure),
        }
    }
    for (folder, work) in rest {
        folder::reopen(run, reader, &folder, &work).await?;
        fetch::take_in(run, reader, &folder, &work, false).await?;
        folder::finish(run, &folder, &work)?;
    }
    Ok(())
}

async fn list(run: &mut Run, reader: &mut Reader) -> std::result::Result<Vec<Folder>, Failure> {
    let listing = reader.list().await?;
    let listed: Vec<Listed> = listing
        .folders
        .iter()
        .map(|f| Listed {
            name: match f.delimiter {
                Some(d) if d != '/' => f.name.replace(d, "/"),
                _ => f.name.clone(),
            },
            wire_name: f.raw.clone(),
            delimiter: f.delimiter,
            said: f.special_use.map(word),
            selectable: f.selectable,
            personal: f.personal,
        })
        .collect();
    // An answer that could not be read may be a folder: then none counts as gone.
    let all_listed = listing.unreadable == 0 && !listed.is_empty();
    let (rows, gone) = folders::reconcile(&run.services, run.account.row, &listed, all_listed)?;
    run.report.gone += gone;
    run.report.left_alone += listing.unreadable as u64;
    let mut folders = Vec::new();
    for (row, found) in rows.into_iter().zip(listing.folders) {
        if found.selectable {
            let (special_use, stored) = stored(run, row)?;
            folders.push(Folder {
                row,
                raw: found.raw,
                special_use,
                stored,
                told: found.status,
            });
        }
    }
    folders.sort_by_key(|f| match f.special_use.as_deref() {
        Some("inbox") => 0,
        Some("sent" | "drafts") => 1,
        None => 2,
        Some("trash" | "junk") => 4,
        Some(_) => 3,
    });
    Ok(folders)
}

fn stored(run: &Run, row: i64) -> Result<(Option<String>, Stored)> {
    run.services.store.read(|c| {
        let is_waiting = again::is_waiting(c, run.account.row, row)?;
        c.query_row(
            "SELECT special_use, uid_validity, uid_next, modseq, remote_total, swept_to, state = 'ok'
             FROM folder_row WHERE row = ?1",
            params![row],
            |r| {
                Ok((
                    r.get(0)?,
                    Stored {
                        uid_validity: r.get(1)?,
                        uid_next: r.get(2)?,
                        modseq: r.get(3)?,
                        remote_total: r.get(4)?,
                        swept_to: r.get(5)?,
                        is_ok: r.get(6)?,
                        is_waiting,
                    },
                ))
            },
        )
        .optional()
        .or_fault()?
        .ok_or_else(Error::internal)
    })
}

fn word(special_use: SpecialUse) -> &'static str {
    match special_use {
        SpecialUse::All => "all",
        SpecialUse::Archive => "archive",
        SpecialUse::Drafts => "drafts",
        SpecialUse::Flagged => "flagged",
        SpecialUse::Junk => "junk",
        SpecialUse::Sent => "sent",
        SpecialUse::Trash => "trash",
    }
}

/// The server marks by itself.
fn marks_on_read() -> Failure {
    Failure::person(
        Error::new(
            Code::RemoteRefused,
            "The server marked mail read although it was only looked at. No more of it is fetched until you accept that, and nothing was put back.",
        )
        .next("oaken accounts accept-marking"),
        "marks_on_read",
    )
}
