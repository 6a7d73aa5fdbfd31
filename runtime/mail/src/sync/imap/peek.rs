//! Whether looking at mail marks it read at this server (case C86). Asked with two unread messages before any other
//! text of an account is fetched, and again with the first unread ones of every sync.

use std::collections::HashMap;

use oaken_store::{Durability, OrFault};
use oaken_wire_imap::{Reader, Section, UidRange};

use super::folder::only_refused;
use crate::Flags;
use crate::sync::Run;
use crate::sync::failure::Failure;

/// Messages that are risked.
const RISKED: usize = 2;

/// Before the first fetch of an account: reads two unread messages of these UIDs and looks what became of them.
pub(super) async fn prove(run: &mut Run, reader: &mut Reader, uids: &[u32]) -> Result<(), Failure> {
    if run.account.peek_proved || run.account.marking_accepted {
        return Ok(());
    }
    let before = seen(reader, uids).await?;
    let unread: Vec<u32> = uids
        .iter()
        .copied()
        .filter(|u| before.get(u) == Some(&false))
        .take(RISKED)
        .collect();
    if unread.is_empty() {
        return Ok(());
    }
    let read = async {
        reader.fetch_meta(&unread, |_| {}).await?;
        reader.fetch_section(&unread, &Section::Text, 1_024, |_| {}).await
    };
    match read.await {
        Err(e) if !only_refused(&e) => return Err(e.into()),
        _ => {}
    }
    verify(run, reader, &unread).await
}

/// After these unread messages were read: they are still unread, or the server marks by itself. One that somebody
/// read elsewhere in the meantime proves nothing while another stayed unread.
pub(super) async fn verify(run: &mut Run, reader: &mut Reader, unread: &[u32]) -> Result<(), Failure> {
    if run.account.marking_accepted {
        return Ok(());
    }
    let after = seen(reader, unread).await?;
    let told: Vec<bool> = unread.iter().filter_map(|u| after.get(u).copied()).collect();
    if told.is_empty() {
        return Ok(());
    }
    let marks = told.iter().all(|seen| *seen);
    let account = run.account.row;
    if marks {
        run.account.marks_on_read = true;
        run.services.store.write(Durability::Full, |tx| {
            tx.execute(
                "UPDATE account_row SET marks_on_read = 1 WHERE row = ?1",
                [account],
            )
            .or_fault()?;
            Ok(())
        })?;
        return Err(super::marks_on_read());
    }
    if !run.account.peek_proved {
        run.account.peek_proved = true;
        run.services.store.write(Durability::Normal, |tx| {
            tx.execute("UPDATE account_row SET peek_proved = 1 WHERE row = ?1", [account])
                .or_fault()?;
            Ok(())
        })?;
    }
    Ok(())
}

/// Whether each of these is marked read.
async fn seen(reader: &mut Reader, uids: &[u32]) -> Result<HashMap<u32, bool>, Failure> {
    let mut seen = HashMap::new();
    let (Some(first), Some(last)) = (uids.iter().min(), uids.iter().max()) else {
        return Ok(seen);
    };
    if let Some(range) = UidRange::new(*first, *last) {
        reader
            .fetch_flags(range, None, |f| {
                let flags = Flags::from_names(f.flags.iter().map(String::as_str));
                seen.insert(f.uid, flags.has(Flags::SEEN));
            })
            .await?;
    }
    Ok(seen)
}
