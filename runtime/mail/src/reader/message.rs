//! A message in full: headers, text, attachments by name, and what a reader should know.

use oaken_core::model::{Attachment, Correspondent, Message, MessageFacts};
use oaken_core::{AccountId, AttachmentId, Error, MessageId, Result, Text, ThreadId, Timestamp};
use oaken_store::OrFault;
use oaken_store::rusqlite::{Connection, OptionalExtension};

use crate::facts::{HeaderFacts, Mailbox};

use super::row::{folders, message_id};
use super::shown::Shown;
use super::{Reader, shown};

/// Which part of a message's text is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted {
    /// All of it from so many characters on.
    From(usize),
    /// What it adds to its thread: quoted text left out.
    Own,
}

impl Reader {
    /// Messages in full, in the order asked, each text from `offset` characters on.
    ///
    /// # Errors
    /// `not_found` for a message that is not in reach, or lies nowhere any more.
    pub fn read(&self, ids: &[MessageId], offset: usize) -> Result<Vec<Message>> {
        self.with(|c| {
            let mut messages = Vec::with_capacity(ids.len());
            for (n, id) in ids.iter().enumerate() {
                let row: Option<i64> = c
                    .prepare_cached("SELECT row FROM message WHERE id = ?1")
                    .or_fault()?
                    .query_row([id.as_str()], |r| r.get(0))
                    .optional()
                    .or_fault()?;
                let row = row.ok_or_else(|| Error::not_found(format!("/message_ids/{n}")))?;
                messages.push(read(c, row, Wanted::From(offset))?);
            }
            Ok(messages)
        })
    }
}

struct Body {
    text: String,
    facts: HeaderFacts,
}

/// The message of a row in reach.
pub(super) fn read(c: &Connection, row: i64, wanted: Wanted) -> Result<Message> {
    let mut statement = c
        .prepare_cached(
            "SELECT m.id, t.id, a.id, m.from_name, m.from_addr, m.subject, m.sent, m.received, m.unread, m.flagged,
                m.answered, m.automatic, m.text_state
             FROM message m JOIN thread t ON t.row = m.thread JOIN account a ON a.row = m.account
             WHERE m.row = ?1",
        )
        .or_fault()?;
    let mut rows = statement.query([row]).or_fault()?;
    let r = rows.next().or_fault()?.ok_or_else(Error::internal)?;
    let text = |n: usize| r.get::<_, String>(n).or_fault();
    let flag = |n: usize| r.get::<_, bool>(n).or_fault();
    let body = body(c, row)?;
    let mut shown = Shown::default();
    let from = match body.facts.from.first() {
        Some(first) => shown.correspondent(&first.name, &first.address),
        None => shown.correspondent(&text(3)?, &text(4)?),
    };
    let subject = shown.line(&text(5)?);
    let reply_to = each(&mut shown, &body.facts.reply_to);
    let to = each(&mut shown, &body.facts.to);
    let cc = each(&mut shown, &body.facts.cc);
    let authentication = body.facts.authentication.as_deref().map(|a| shown.line(a));
    let unsubscribe = body
        .facts
        .unsubscribe
        .as_ref()
        .filter(|u| !u.ways.is_empty())
        .map(|u| shown.line(&u.ways.join(", ")));
    let readable = shown.text(&body.text);
    let readable = match wanted {
        Wanted::Own => oaken_mime::strip_quotes(&readable),
        Wanted::From(0) => readable,
        Wanted::From(offset) => readable.chars().skip(offset).collect(),
    };
    let attachments = attachments(c, row, &mut shown)?;
    Ok(Message {
        message_id: message_id(&text(0)?)?,
        thread_id: ThreadId::parse(&text(1)?).ok_or_else(Error::internal)?,
        account_id: AccountId::parse(&text(2)?).ok_or_else(Error::internal)?,
        folder_ids: folders(c, row)?,
        facts: facts(&body.facts, &text(12)?, flag(11)?, shown.marked),
        from,
        reply_to,
        to,
        cc,
        subject,
        date: r.get::<_, Option<i64>>(6).or_fault()?.map(Timestamp::from_unix),
        received: Timestamp::from_unix(r.get(7).or_fault()?),
        unread: flag(8)?,
        flagged: flag(9)?,
        answered: flag(10)?,
        authentication,
        unsubscribe,
        attachments,
        text: Text::new(readable),
    })
}

fn each(shown: &mut Shown, mailboxes: &[Mailbox]) -> Vec<Correspondent> {
    mailboxes
        .iter()
        .filter_map(|m| shown.correspondent(&m.name, &m.address))
        .collect()
}

/// The stored text and facts; nothing where the text was not fetched.
fn body(c: &Connection, row: i64) -> Result<Body> {
    let stored: Option<(String, String)> = c
        .prepare_cached("SELECT text, facts FROM body WHERE message = ?1")
        .or_fault()?
        .query_row([row], |r| Ok((r.get(0)?, r.get(1)?)))
        .optional()
        .or_fault()?;
    Ok(match stored {
        Some((text, facts)) => Body {
            text,
            facts: HeaderFacts::read(&facts),
        },
        None => Body {
            text: String::new(),
            facts: HeaderFacts::default(),
        },
    })
}

fn attachments(c: &Connection, row: i64, shown: &mut Shown) -> Result<Vec<Attachment>> {
    let mut statement = c
        .prepare_cached(
            "SELECT id, name, media_type, size, inline FROM attachment WHERE message = ?1 ORDER BY row",
        )
        .or_fault()?;
    let mut rows = statement.query([row]).or_fault()?;
    let mut attachments = Vec::new();
    while let Some(r) = rows.next().or_fault()? {
        let name: String = r.get(1).or_fault()?;
        attachments.push(Attachment {
            attachment_id: AttachmentId::parse(&r.get::<_, String>(0).or_fault()?)
                .ok_or_else(Error::internal)?,
            name: (!name.is_empty()).then(|| shown.line(&name)),
            media_type: shown::line(&r.get::<_, String>(2).or_fault()?),
            size_bytes: r.get(3).or_fault()?,
            inline: r.get(4).or_fault()?,
        });
    }
    Ok(attachments)
}

/// What a reader should know, in the order of the spec.
fn facts(headers: &HeaderFacts, text_state: &str, automatic: bool, invisible: bool) -> Vec<MessageFacts> {
    let doubt = headers.doubt.as_deref().unwrap_or_default();
    let incomplete = matches!(text_state, "cut" | "absent")
        || matches!(
            doubt,
            "text_cut"
                | "too_many_addresses"
                | "header_too_large"
                | "too_many_parts"
                | "too_deep"
                | "too_large"
        );
    let unreadable = text_state == "unreadable" || matches!(doubt, "unreadable" | "unknown_charset");
    [
        (reply_to_differs(headers), MessageFacts::ReplyToDiffers),
        (headers.hidden, MessageFacts::HiddenTextRemoved),
        (headers.from_html, MessageFacts::TextFromHtml),
        (incomplete, MessageFacts::TextIncomplete),
        (headers.receipt_requested, MessageFacts::ReceiptRequested),
        (unreadable, MessageFacts::UnreadableParts),
        (headers.invisible || invisible, MessageFacts::InvisibleCharacters),
        (automatic, MessageFacts::Automatic),
    ]
    .into_iter()
    .filter_map(|(holds, fact)| holds.then_some(fact))
    .collect()
}

/// Whether an answer would go to somebody who did not write.
fn reply_to_differs(headers: &HeaderFacts) -> bool {
    let wrote = |address: &str| {
        headers
            .from
            .iter()
            .any(|f| f.address.eq_ignore_ascii_case(address))
    };
    headers.reply_to.iter().any(|r| !wrote(&r.address))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mailbox(address: &str) -> Mailbox {
        Mailbox {
            name: String::new(),
            address: address.to_owned(),
        }
    }

    #[track_caller]
    fn check(
        headers: HeaderFacts,
        text_state: &str,
        automatic: bool,
        invisible: bool,
        expected: &[MessageFacts],
    ) {
        assert_eq!(facts(&headers, text_state, automatic, invisible), expected);
    }

    #[test]
    fn a_reader_is_told_what_the_text_does_not_say() {
        let from = vec![mailbox("ada@example.org")];
        let plain = HeaderFacts {
            from,
            ..HeaderFacts::default()
        };
        check(plain.clone(), "whole", false, false, &[]);
        let same = HeaderFacts {
            reply_to: vec![mailbox("ADA@example.org")],
            ..plain.clone()
        };
        check(same, "whole", false, false, &[]);
        let other = HeaderFacts {
            reply_to: vec![mailbox("eve@example.net")],
            ..plain.clone()
        };
        check(
            other,
            "whole",
            true,
            false,
            &[MessageFacts::ReplyToDiffers, MessageFacts::Automatic],
        );
        check(
            plain.clone(),
            "cut",
            false,
            true,
            &[MessageFacts::TextIncomplete, MessageFacts::InvisibleCharacters],
        );
        check(
            plain.clone(),
            "unreadable",
            false,
            false,
            &[MessageFacts::UnreadableParts],
        );
        let html = HeaderFacts {
            hidden: true,
            from_html: true,
            receipt_requested: true,
            doubt: Some("too_deep".into()),
            ..plain
        };
        let all = [
            MessageFacts::HiddenTextRemoved,
            MessageFacts::TextFromHtml,
            MessageFacts::TextIncomplete,
            MessageFacts::ReceiptRequested,
        ];
        check(html, "whole", false, false, &all);
    }
}
