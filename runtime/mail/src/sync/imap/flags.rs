//! Flags of the messages that are here: those that changed since a mod-sequence where the server keeps them
//! (RFC 7162), else a bounded sweep: the newest each time, the older ones in turn.

use std::collections::HashMap;

use oaken_store::Durability;
use oaken_wire_imap::{BoxState, FlagState, Reader, UidRange};

use super::{Folder, Stored};
use crate::Flags;
use crate::sync::Run;
use crate::sync::failure::Failure;
use crate::sync::known::Known;
use crate::sync::record::{self, Said};

/// Messages of each kind in one sweep.
const SWEEP: usize = 5_000;
/// Rows changed in one transaction.
const ROWS: usize = 500;

/// Brings the flags of the places up to date. Returns where the next sweep goes on.
pub(super) async fn update(
    run: &mut Run,
    reader: &mut Reader,
    folder: &Folder,
    stored: &Stored,
    state: &BoxState,
    places: Vec<Known>,
) -> Result<i64, Failure> {
    if places.is_empty() {
        return Ok(0);
    }
    let newest = state.highest_modseq.and_then(|m| i64::try_from(m).ok());
    match newest {
        Some(newest) if stored.modseq > 0 && newest >= stored.modseq => {
            if newest > stored.modseq {
                let since = u64::try_from(stored.modseq).unwrap_or(0);
                let said = ask(reader, UidRange::all(), Some(since)).await?;
                record(run, folder, &places, said)?;
            }
            Ok(0)
        }
        _ => sweep(run, reader, folder, stored.swept_to, &places).await,
    }
}

async fn sweep(
    run: &mut Run,
    reader: &mut Reader,
    folder: &Folder,
    from: i64,
    places: &[Known],
) -> Result<i64, Failure> {
    let (older, newest) = places.split_at(places.len().saturating_sub(SWEEP));
    let at = older.partition_point(|p| p.uid < from);
    let in_turn = &older[at..older.len().min(at + SWEEP)];
    for part in [newest, in_turn] {
        if let (Some(first), Some(last)) = (part.first(), part.last())
            && let (Ok(first), Ok(last)) = (u32::try_from(first.uid), u32::try_from(last.uid))
            && let Some(range) = UidRange::new(first, last)
        {
            let said = ask(reader, range, None).await?;
            record(run, folder, part, said)?;
        }
    }
    // At the end of the older ones the next sweep begins with the oldest again.
    Ok(if at + SWEEP >= older.len() {
        0
    } else {
        older[at + SWEEP].uid
    })
}

async fn ask(
    reader: &mut Reader,
    range: UidRange,
    since: Option<u64>,
) -> Result<HashMap<i64, FlagState>, Failure> {
    let mut said = HashMap::new();
    reader
        .fetch_flags(range, since, |f| {
            said.insert(i64::from(f.uid), f);
        })
        .await?;
    Ok(said)
}

fn record(
    run: &mut Run,
    folder: &Folder,
    places: &[Known],
    mut said: HashMap<i64, FlagState>,
) -> Result<(), Failure> {
    let account = run.account.row;
    let told: Vec<(&Known, FlagState)> = places
        .iter()
        .filter_map(|p| Some((p, said.remove(&p.uid)?)))
        .collect();
    for batch in told.chunks(ROWS) {
        run.report.changed += run.services.store.write(Durability::Normal, |tx| {
            let mut changed = 0;
            for (place, state) in batch {
                let keywords = keywords(&state.flags);
                let said = Said {
                    flags: Flags::from_names(state.flags.iter().map(String::as_str)),
                    keywords: Some(&keywords),
                    modseq: modseq(state.modseq),
                    file: None,
                };
                changed += u64::from(record::flags(tx, account, place, &said)?);
            }
            Ok(changed)
        })?;
    }
    tracing::debug!(folder = folder.row, told = told.len(), "flags recorded");
    Ok(())
}

/// The keywords among flags.
pub(super) fn keywords(flags: &[String]) -> Vec<String> {
    flags.iter().filter(|f| !f.starts_with('\\')).cloned().collect()
}

/// As a row has it; 0 where there is none.
pub(super) fn modseq(modseq: Option<u64>) -> i64 {
    modseq.and_then(|m| i64::try_from(m).ok()).unwrap_or(0)
}
