//! Message bytes to rows. Reading needs no database and runs outside the transaction; placing needs no bytes.
//!
//! What cannot be read is a row too: a placeholder that a listing shows and that still opens. Deliberately absent:
//! the raw bytes, which stay where the mail is, and any limit on what is fetched; the fetcher sets it.

use oaken_core::{AttachmentId, Error, MessageId, Result};
use oaken_mime::{Disposition, Doubt, TextSource, View};
use oaken_store::rusqlite::{OptionalExtension, params};
use oaken_store::{OrFault, Tx};
use sha2::{Digest, Sha256};

use crate::facts::{HeaderFacts, Mailbox, Unsubscribe};
use crate::{Flags, identity, labels, threads};

/// Bytes of a message that its content hash covers.
const HASHED: usize = 512 * 1024;
/// Bytes of text that are kept.
const TEXT: usize = 512 * 1024;
/// Characters of a snippet that are kept.
const SNIPPET: usize = 400;
/// Characters of one header value in a row.
const LINE: usize = 1_000;

/// A message as it was read, ready to be placed.
pub(crate) struct Incoming {
    pub hash: [u8; 32],
    pub size: i64,
    pub received: i64,
    pub text_state: &'static str,
    view: View,
}

/// Where it lies.
pub(crate) struct Spot<'a> {
    pub account: i64,
    pub folder: i64,
    pub uid: i64,
    pub flags: Flags,
    pub keywords: &'a [String],
    pub modseq: i64,
    pub received: i64,
    /// A Maildir file's unique part, and its path below the folder.
    pub name: Option<&'a str>,
    pub file: Option<&'a str>,
}

/// Reads the first bytes of a message of `size` bytes in all.
pub(crate) fn read(raw: &[u8], size: u64, received: i64) -> Incoming {
    let mut view = oaken_mime::parse(raw);
    let is_cut = (raw.len() as u64) < size || view.text.len() > TEXT;
    truncate(&mut view.text, TEXT);
    let text_state = match view.doubt {
        Some(Doubt::Unreadable | Doubt::TooLarge) => "unreadable",
        _ if is_cut => "cut",
        _ => "whole",
    };
    Incoming {
        hash: content_hash(raw),
        size: i64::try_from(size).unwrap_or(i64::MAX),
        received: received.max(0),
        text_state,
        view,
    }
}

/// A message of which the server gave the header alone.
pub(crate) fn header_only(header: &[u8], size: u64, received: i64) -> Incoming {
    Incoming {
        view: oaken_mime::parse_headers(header),
        text_state: "absent",
        ..read(header, size, received)
    }
}

/// A message whose bytes the server did not give. Its hash is random: it is like no other.
pub(crate) fn absent(size: u64, received: i64) -> Result<Incoming> {
    let mut hash = [0u8; 32];
    getrandom::fill(&mut hash).map_err(|_| Error::internal())?;
    Ok(Incoming {
        hash,
        size: i64::try_from(size).unwrap_or(i64::MAX),
        received: received.max(0),
        text_state: "absent",
        view: View::default(),
    })
}

/// Over the header block and the text as they lie there.
pub(crate) fn content_hash(raw: &[u8]) -> [u8; 32] {
    Sha256::digest(&raw[..raw.len().min(HASHED)]).into()
}

/// Puts a message in its place: under the id of the same content where identity allows it, else under a new one.
/// Returns its row.
///
/// # Errors
/// What writing meets.
pub(crate) fn place(tx: &Tx<'_>, incoming: &Incoming, spot: &Spot<'_>) -> Result<i64> {
    // A run that lost its lease without knowing may come second; what is there is as good.
    let there: Option<i64> = tx
        .prepare_cached("SELECT message FROM location_row WHERE folder = ?1 AND uid = ?2")
        .or_fault()?
        .query_row([spot.folder, spot.uid], |r| r.get(0))
        .optional()
        .or_fault()?;
    if let Some(message) = there {
        return Ok(message);
    }
    let message = match identity::holder(tx, spot.account, spot.folder, &incoming.hash, incoming.received)? {
        Some(holder) => {
            if holder.is_empty {
                write_content(tx, holder.message, spot.account, incoming)?;
            }
            holder.message
        }
        None => insert(tx, spot.account, incoming)?,
    };
    tx.prepare_cached(
        "INSERT INTO location_row (account, message, folder, uid, modseq, flags, received, name, file)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )
    .or_fault()?
    .execute(params![
        spot.account,
        message,
        spot.folder,
        spot.uid,
        spot.modseq,
        spot.flags.bits(),
        spot.received.max(0),
        spot.name,
        spot.file
    ])
    .or_fault()?;
    let location = tx.last_insert_rowid();
    labels::set(tx, spot.account, location, spot.received.max(0), spot.keywords)?;
    tx.prepare_cached("UPDATE message_row SET vanished_at = NULL WHERE row = ?1 AND vanished_at IS NOT NULL")
        .or_fault()?
        .execute([message])
        .or_fault()?;
    Ok(message)
}

fn insert(tx: &Tx<'_>, account: i64, incoming: &Incoming) -> Result<i64> {
    let view = &incoming.view;
    let references = threads::references(view);
    let thread = threads::assign(tx, account, view.message_id.as_deref(), &references)?;
    tx.prepare_cached(
        "INSERT INTO message_row (id, account, thread, content_hash, received, text_state, revision)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0)",
    )
    .or_fault()?
    .execute(params![
        MessageId::random().as_str(),
        account,
        thread,
        incoming.hash,
        incoming.received,
        incoming.text_state
    ])
    .or_fault()?;
    let message = tx.last_insert_rowid();
    write_content(tx, message, account, incoming)?;
    write_references(tx, message, account, &references)?;
    Ok(message)
}

/// Fills in a placeholder whose text came after all: it keeps its id. Where its thread turns out to be another, the two
/// are one. Where the same content lies elsewhere already they stay two messages: an id is never taken back.
pub(crate) fn complete(tx: &Tx<'_>, message: i64, account: i64, incoming: &Incoming) -> Result<()> {
    let view = &incoming.view;
    let references = threads::references(view);
    let thread = threads::assign(tx, account, view.message_id.as_deref(), &references)?;
    let before: i64 = tx
        .prepare_cached("SELECT thread FROM message_row WHERE row = ?1")
        .or_fault()?
        .query_row([message], |r| r.get(0))
        .or_fault()?;
    threads::join(tx, before, thread)?;
    tx.prepare_cached("UPDATE message_row SET content_hash = ?2, received = ?3 WHERE row = ?1")
        .or_fault()?
        .execute(params![message, incoming.hash, incoming.received])
        .or_fault()?;
    tx.prepare_cached("DELETE FROM reference_row WHERE message = ?1")
        .or_fault()?
        .execute([message])
        .or_fault()?;
    write_references(tx, message, account, &references)?;
    write_content(tx, message, account, incoming)
}

fn write_references(tx: &Tx<'_>, message: i64, account: i64, references: &[String]) -> Result<()> {
    let mut edge = tx
        .prepare_cached(
            "INSERT INTO reference_row (message, position, account, parent) VALUES (?1, ?2, ?3, ?4)",
        )
        .or_fault()?;
    for (position, parent) in references.iter().enumerate() {
        edge.execute(params![message, position as i64, account, parent])
            .or_fault()?;
    }
    Ok(())
}

fn write_content(tx: &Tx<'_>, message: i64, account: i64, incoming: &Incoming) -> Result<()> {
    let view = &incoming.view;
    let from = view.from.first().or(view.sender.first());
    let to = view.to.first().or(view.cc.first());
    tx.prepare_cached(
        "UPDATE message_row SET message_id = ?2, sent = ?3, subject = ?4, from_name = ?5, from_addr = ?6,
            to_first = ?7, recipients = ?8, is_list = ?9, list_id = ?10, automatic = ?11, attachments = ?12,
            size = ?13, snippet = ?14, text_state = ?15, revision = ?16 WHERE row = ?1",
    )
    .or_fault()?
    .execute(params![
        message,
        view.message_id,
        view.date,
        line(&view.subject),
        from.map(|a| line(&a.name)).unwrap_or_default(),
        from.map(|a| line(&a.addr).to_lowercase()).unwrap_or_default(),
        to.map(|a| line(if a.name.is_empty() { &a.addr } else { &a.name }))
            .unwrap_or_default(),
        (view.to.len() + view.cc.len()) as i64,
        view.list.is_some(),
        view.list
            .as_ref()
            .map(|l| line(&l.list_id))
            .filter(|id| !id.is_empty()),
        view.auto,
        view.parts.iter().filter(|p| is_attachment(p)).count() as i64,
        incoming.size,
        oaken_mime::snippet(&view.text, SNIPPET),
        incoming.text_state,
        next_revision(tx, account)?,
    ])
    .or_fault()?;
    tx.prepare_cached(
        "INSERT INTO body_row (message, account, text, facts) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (message) DO UPDATE SET text = ?3, facts = ?4",
    )
    .or_fault()?
    .execute(params![message, account, view.text, facts(view).write()])
    .or_fault()?;
    let id: String = tx
        .prepare_cached("SELECT id FROM message_row WHERE row = ?1")
        .or_fault()?
        .query_row([message], |r| r.get(0))
        .or_fault()?;
    let mut part = tx
        .prepare_cached(
            "INSERT OR IGNORE INTO attachment_row (id, account, message, part, name, media_type, size, inline)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )
        .or_fault()?;
    for p in &view.parts {
        let Some(attachment) = AttachmentId::parse(&format!("at{}-{}", id.trim_start_matches('m'), p.id))
        else {
            continue;
        };
        part.execute(params![
            attachment.as_str(),
            account,
            message,
            p.id,
            p.name.as_deref().map(line).unwrap_or_default(),
            line(&p.media_type),
            i64::try_from(p.size_bytes).unwrap_or(i64::MAX),
            p.disposition == Disposition::Inline
        ])
        .or_fault()?;
    }
    Ok(())
}

/// The next revision of an account: what the full text follows.
pub(crate) fn next_revision(tx: &Tx<'_>, account: i64) -> Result<i64> {
    tx.prepare_cached("UPDATE account_row SET revision = revision + 1 WHERE row = ?1 RETURNING revision")
        .or_fault()?
        .query_row([account], |r| r.get(0))
        .or_fault()
}

fn is_attachment(part: &oaken_mime::Part) -> bool {
    part.disposition == Disposition::Attachment || part.name.is_some()
}

fn facts(view: &View) -> HeaderFacts {
    let mailboxes = |list: &[oaken_mime::Address]| {
        list.iter()
            .map(|a| Mailbox {
                name: line(&a.name),
                address: line(&a.addr),
            })
            .collect()
    };
    HeaderFacts {
        from: mailboxes(&view.from),
        sender: mailboxes(&view.sender),
        reply_to: mailboxes(&view.reply_to),
        to: mailboxes(&view.to),
        cc: mailboxes(&view.cc),
        bcc: mailboxes(&view.bcc),
        authentication: view.authentication.as_deref().map(line),
        unsubscribe: view
            .list
            .as_ref()
            .filter(|l| !l.unsubscribe.is_empty())
            .map(|l| Unsubscribe {
                ways: l.unsubscribe.iter().map(|w| line(w)).collect(),
                one_click: l.one_click,
            }),
        hidden: view.hidden,
        invisible: view.invisible,
        from_html: view.text_from == TextSource::Html,
        receipt_requested: view.receipt_requested,
        ambiguous: view.is_ambiguous,
        doubt: view.doubt.map(|d| d.word().to_owned()),
    }
}

fn line(text: &str) -> String {
    text.chars().take(LINE).collect()
}

fn truncate(text: &mut String, bytes: usize) {
    if text.len() > bytes {
        let mut at = bytes;
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        text.truncate(at);
    }
}
