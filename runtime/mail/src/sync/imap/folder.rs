//! One folder: opened, held against its rows, finished.

use std::collections::HashSet;

use oaken_core::clock;
use oaken_store::rusqlite::params;
use oaken_store::{Durability, OrFault};
use oaken_wire_imap::{BoxState, Reader, Reason};

use super::{Folder, flags};
use crate::identity;
use crate::sync::failure::Failure;
use crate::sync::{Run, folders, known, state};

/// Rows changed in one transaction.
const ROWS: usize = 500;

/// What a folder needs.
pub(super) struct Work {
    /// The folder as it was opened.
    pub state: BoxState,
    /// UIDs that are not here yet, newest first.
    pub new: Vec<u32>,
    /// Where the next flag sweep goes on.
    pub swept_to: i64,
}

/// Opens a folder, takes out what is gone and records what changed. Nothing where the server told that nothing did.
pub(super) async fn look(
    run: &mut Run,
    reader: &mut Reader,
    folder: &Folder,
) -> Result<Option<Work>, Failure> {
    if is_unchanged(folder) {
        return Ok(None);
    }
    let state = reader.examine(&folder.raw, true).await?;
    let mut stored = folder.stored.clone();
    if stored.uid_validity != Some(i64::from(state.uid_validity)) {
        let is_renumbered = stored.uid_validity.is_some();
        // The UIDs mean other messages now. The ids wait for their contents, which are about to be read again.
        let services = run.services.clone();
        let row = folder.row;
        blocking(move || folders::clear(&services, row)).await?;
        stored = super::Stored::default();
        run.services.store.write(Durability::Normal, |tx| {
            tx.execute(
                "UPDATE folder_row SET uid_validity = ?2, uid_next = 1, modseq = 0, swept_to = 0, remote_total = NULL,
                    complete_back_to = NULL, state = 'syncing', reason = NULL, since = ?3 WHERE row = ?1",
                params![folder.row, state.uid_validity, clock::wall()],
            )
            .or_fault()?;
            if is_renumbered {
                tx.execute("UPDATE account_row SET complete_back_to = NULL WHERE row = ?1", [run.account.row])
                    .or_fault()?;
            }
            Ok(())
        })?;
    }
    let listed = reader.uids().await?;
    let there: HashSet<i64> = listed.uids.iter().map(|u| i64::from(*u)).collect();
    let places = run.services.store.read(|c| known::places(c, folder.row))?;
    let (stay, gone): (Vec<_>, Vec<_>) = places.into_iter().partition(|p| there.contains(&p.uid));
    if listed.confirmed {
        for batch in gone.chunks(ROWS) {
            run.services.store.write(Durability::Normal, |tx| {
                batch
                    .iter()
                    .try_for_each(|p| identity::release(tx, p.row, clock::wall()))
            })?;
        }
        run.report.gone += gone.len() as u64;
    } else {
        // Fewer than the server counts: that one is not in the list proves nothing.
        tracing::warn!("a server lists other messages than it counts; nothing is taken for gone");
    }
    let here: HashSet<i64> = stay.iter().map(|p| p.uid).collect();
    let mut new: Vec<u32> = listed
        .uids
        .iter()
        .copied()
        .filter(|u| !here.contains(&i64::from(*u)))
        .collect();
    new.sort_unstable_by_key(|uid| std::cmp::Reverse(*uid));
    let swept_to = flags::update(run, reader, folder, &stored, &state, stay).await?;
    run.lease.renew()?;
    Ok(Some(Work { state, new, swept_to }))
}

/// Opens a folder again to go on with it.
pub(super) async fn reopen(
    run: &mut Run,
    reader: &mut Reader,
    folder: &Folder,
    work: &Work,
) -> Result<(), Failure> {
    let state = reader.examine(&folder.raw, true).await?;
    run.lease.renew()?;
    if state.uid_validity == work.state.uid_validity {
        return Ok(());
    }
    Err(Failure {
        error: oaken_core::Error::new(
            oaken_core::Code::Stale,
            "A folder was made anew on the server while it was synced; sync again.",
        ),
        reason: "folder_changed",
        wait: crate::sync::failure::Wait::Backoff,
    })
}

/// Everything of a folder is in, up to how it was when it was opened.
pub(super) fn finish(run: &Run, folder: &Folder, work: &Work) -> Result<(), Failure> {
    let modseq = work
        .state
        .highest_modseq
        .and_then(|m| i64::try_from(m).ok())
        .unwrap_or(0);
    run.services.store.write(Durability::Normal, |tx| {
        tx.execute(
            "UPDATE folder_row SET uid_next = ?2, modseq = ?3, remote_total = ?4, swept_to = ?5 WHERE row = ?1",
            params![folder.row, work.state.uid_next.unwrap_or(1), modseq, work.state.exists, work.swept_to],
        )
        .or_fault()?;
        state::folder_ok(tx, folder.row)
    })?;
    Ok(())
}

/// Whether the counts of the listing say that nothing happened. Only mod-sequences tell of flags.
fn is_unchanged(folder: &Folder) -> bool {
    let (Some(told), stored) = (&folder.told, &folder.stored) else {
        return false;
    };
    stored.is_ok
        && !stored.is_waiting
        && stored.modseq > 0
        && told
            .highest_modseq
            .is_some_and(|m| i64::try_from(m) == Ok(stored.modseq))
        && told.uid_validity.map(i64::from) == stored.uid_validity
        && told.uid_next.map(i64::from) == Some(stored.uid_next)
        && told.messages.map(i64::from) == stored.remote_total
}

/// Whether an error says that this request, and only this one, was refused.
pub(super) fn only_refused(e: &oaken_wire_imap::WireError) -> bool {
    matches!(e.reason, Reason::No(..))
}

/// Runs in a thread that may block.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> oaken_core::Result<T> + Send + 'static,
) -> oaken_core::Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| oaken_core::Error::internal())?
}
