//! New messages: headers and dates in one command, texts in batches bounded by their size, each batch one transaction.
//!
//! What a server does not give of one message costs no other: it becomes a placeholder that is listed and opens.

use std::collections::HashMap;
use std::sync::Arc;

use oaken_core::{Result, clock};
use oaken_store::Durability;
use oaken_wire_imap::{Body, Meta, Reader, Section, UidRange};

use super::folder::{Work, blocking, only_refused};
use super::{Folder, flags, peek};
use crate::ingest::{self, Spot};
use crate::sync::failure::Failure;
use crate::sync::{Run, state};
use crate::{Flags, Services};

/// Messages whose headers are asked for at once.
const HEADERS: usize = 200;
/// Texts and their bytes in one batch.
const TEXTS: (usize, u64) = (50, 8 * 1024 * 1024);

/// A message as it was fetched.
pub(super) struct Fetched {
    pub(super) meta: Meta,
    /// The text behind the header; absent where the server did not give it.
    text: Option<Body>,
}

/// Takes in the new messages of the open folder. `more` says that older ones are left for later.
pub(super) async fn take_in(
    run: &mut Run,
    reader: &mut Reader,
    folder: &Folder,
    work: &Work,
    more: bool,
) -> std::result::Result<(), Failure> {
    if work.new.is_empty() {
        return Ok(());
    }
    if run.account.marks_on_read {
        return Err(super::marks_on_read());
    }
    let most = most_text(run)?;
    let mut is_verified = false;
    let chunks = work.new.len().div_ceil(HEADERS);
    for (n, chunk) in work.new.chunks(HEADERS).enumerate() {
        peek::prove(run, reader, chunk).await?;
        let mut metas = Vec::new();
        let report = reader.fetch_meta(chunk, |m| metas.push(m)).await?;
        for uid in report.damaged {
            metas.push(bare(reader, uid).await?);
        }
        metas.sort_unstable_by_key(|m| std::cmp::Reverse(m.uid));
        let mut rest = metas;
        while !rest.is_empty() {
            let later = rest.split_off(batch_of(&rest, most));
            let unread: Vec<u32> = rest.iter().filter(|m| !is_seen(m)).map(|m| m.uid).collect();
            let fetched = texts(reader, std::mem::replace(&mut rest, later), most).await?;
            if !is_verified && !unread.is_empty() {
                peek::verify(run, reader, &unread).await?;
                is_verified = true;
            }
            let is_last = n + 1 == chunks && rest.is_empty() && !more;
            store(run, folder, fetched, is_last).await?;
        }
    }
    Ok(())
}

/// Bytes of a message that are fetched for its text.
pub(super) fn most_text(run: &Run) -> Result<u32> {
    let settings = run.services.governance().settings()?;
    let most = settings.integer("sync.max_text_bytes", false);
    Ok(u32::try_from(most).unwrap_or(0).max(4_096))
}

pub(super) fn is_seen(meta: &Meta) -> bool {
    Flags::from_names(meta.flags.iter().map(String::as_str)).has(Flags::SEEN)
}

/// How many of these make one batch.
fn batch_of(metas: &[Meta], most: u32) -> usize {
    let mut bytes = 0;
    let mut count = 0;
    for meta in metas.iter().take(TEXTS.0) {
        bytes += meta.size.unwrap_or(u64::from(most)).min(u64::from(most));
        if count > 0 && bytes > TEXTS.1 {
            break;
        }
        count += 1;
    }
    count
}

/// What is known of a message whose answer could not be read: its flags, if those can be.
async fn bare(reader: &mut Reader, uid: u32) -> std::result::Result<Meta, Failure> {
    let mut meta = Meta {
        uid,
        flags: vec![],
        internal_date: None,
        size: None,
        modseq: None,
        header: vec![],
        header_complete: false,
    };
    if let Some(range) = UidRange::new(uid, uid) {
        let asked = reader
            .fetch_flags(range, None, |f| {
                meta.flags = f.flags;
                meta.modseq = f.modseq;
            })
            .await;
        match asked {
            Err(e) if !only_refused(&e) => return Err(e.into()),
            _ => {}
        }
    }
    Ok(meta)
}

/// The texts of these messages, as far as the server gives them.
pub(super) async fn texts(
    reader: &mut Reader,
    metas: Vec<Meta>,
    most: u32,
) -> std::result::Result<Vec<Fetched>, Failure> {
    // A message without a header gave nothing; it is not asked for its text too.
    let asked: Vec<u32> = metas
        .iter()
        .filter(|m| !m.header.is_empty())
        .map(|m| m.uid)
        .collect();
    let mut bodies: HashMap<u32, Body> = HashMap::new();
    if !asked.is_empty() {
        reader
            .fetch_section(&asked, &Section::Text, most, |b| {
                bodies.insert(b.uid, b);
            })
            .await?;
    }
    Ok(metas
        .into_iter()
        .map(|meta| Fetched {
            text: bodies.remove(&meta.uid),
            meta,
        })
        .collect())
}

async fn store(
    run: &mut Run,
    folder: &Folder,
    fetched: Vec<Fetched>,
    is_last: bool,
) -> std::result::Result<(), Failure> {
    let services = Arc::clone(&run.services);
    let (account, row) = (run.account.row, folder.row);
    let count = fetched.len() as u64;
    let bytes = fetched
        .iter()
        .map(|f| f.meta.header.len() as u64 + f.text.as_ref().map_or(0, |t| t.bytes.len() as u64))
        .sum();
    blocking(move || place_all(&services, account, row, &fetched, is_last)).await?;
    run.batch_done(count, bytes)?;
    Ok(())
}

fn place_all(
    services: &Services,
    account: i64,
    folder: i64,
    fetched: &[Fetched],
    is_last: bool,
) -> Result<()> {
    let now = clock::wall();
    let mut incoming = Vec::with_capacity(fetched.len());
    for f in fetched {
        let received = f.meta.internal_date.unwrap_or(now);
        incoming.push((f, received, read(f, received)?));
    }
    services.store.write(Durability::Normal, |tx| {
        for (f, received, incoming) in &incoming {
            let keywords = flags::keywords(&f.meta.flags);
            let spot = Spot {
                account,
                folder,
                uid: i64::from(f.meta.uid),
                flags: Flags::from_names(f.meta.flags.iter().map(String::as_str)),
                keywords: &keywords,
                modseq: flags::modseq(f.meta.modseq),
                received: *received,
                name: None,
                file: None,
            };
            ingest::place(tx, incoming, &spot)?;
        }
        let back_to = incoming.iter().map(|(_, received, _)| *received).min();
        match back_to {
            Some(back_to) if !is_last => state::complete_back_to(tx, account, Some(folder), back_to),
            _ => Ok(()),
        }
    })
}

/// Header and text put together are the message as it lies there.
pub(super) fn read(fetched: &Fetched, received: i64) -> Result<ingest::Incoming> {
    let meta = &fetched.meta;
    let size = meta.size.unwrap_or(meta.header.len() as u64);
    if meta.header.is_empty() {
        return ingest::absent(size, received);
    }
    let Some(text) = fetched
        .text
        .as_ref()
        .filter(|t| !t.bytes.is_empty() || size <= meta.header.len() as u64 + 2)
    else {
        return Ok(ingest::header_only(&meta.header, size, received));
    };
    let mut raw = meta.header.clone();
    raw.extend_from_slice(&text.bytes);
    let is_whole = text.complete && meta.header_complete;
    // Some servers guess the size; whether all is here the fetch knows.
    let size = if is_whole {
        raw.len() as u64
    } else {
        size.max(raw.len() as u64 + 1)
    };
    Ok(ingest::read(&raw, size, received))
}
