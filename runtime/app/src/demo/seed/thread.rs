//! Stanzas to messages: ids, reference chains, subjects, quotes and defaults that follow from what is answered.

use std::collections::BTreeMap;

use jiff::{ToSpan, Zoned};

use super::clock::{Clock, date_words, rfc5322};
use super::compose::{Letter, domain, render};
use super::encode::{Charset, UTF8, fingerprint};
use super::entity::{Entity, multipart, text};
use super::stanza::{Kind, Stanza, time};
use super::{SeedAccount, SeedMessage, attachment};

/// A stanza with what its place in a thread gives it.
struct Placed<'a> {
    stanza: &'a Stanza,
    date: Zoned,
    from: String,
    subject: String,
    message_id: String,
    references: Vec<String>,
    text: String,
}

/// The messages of an account's stanzas. An answer to an id that does not exist begins a thread of its own.
pub fn letters(account: &SeedAccount, stanzas: &[Stanza], clock: &Clock) -> Vec<SeedMessage> {
    let mut placed: BTreeMap<String, Placed<'_>> = BTreeMap::new();
    let mut waiting: Vec<&Stanza> = stanzas.iter().collect();
    let mut messages = Vec::with_capacity(stanzas.len());
    // Parents first, wherever they stand: each round places what answers something already placed.
    while !waiting.is_empty() {
        let before = waiting.len();
        let ready = |stanza: &Stanza| stanza.re.is_none_or(|parent| placed.contains_key(parent));
        let (mut now, later): (Vec<_>, Vec<_>) = waiting.iter().copied().partition(|stanza| ready(stanza));
        waiting = later;
        if waiting.len() == before {
            now = std::mem::take(&mut waiting);
        }
        for stanza in now {
            let parent = stanza.re.and_then(|id| placed.get(id));
            let this = place(account, stanza, parent, clock);
            messages.push(message(account, &this, parent, clock));
            placed.insert(key(stanza), this);
        }
    }
    messages
}

/// The id an answer names: the declared one, or else one made from the subject.
fn key(stanza: &Stanza) -> String {
    stanza
        .id
        .map_or_else(|| slug(stanza.subject.unwrap_or(stanza.body)), str::to_owned)
}

/// `Fwd: The blinking` as `fwd-the-blinking`, without date words; a subject in other letters gives a number.
fn slug(subject: &str) -> String {
    let steady = subject
        .split('{')
        .map(|piece| piece.rsplit('}').next().unwrap_or(""));
    let words: Vec<String> = steady
        .flat_map(|piece| piece.split(|letter: char| !letter.is_ascii_alphanumeric()))
        .filter(|word| !word.is_empty())
        .take(7)
        .map(str::to_ascii_lowercase)
        .collect();
    if subject.is_ascii() {
        words.join("-")
    } else {
        format!("m{:012x}", fingerprint(subject) & 0xffff_ffff_ffff)
    }
}

fn place<'a>(
    account: &SeedAccount,
    stanza: &'a Stanza,
    parent: Option<&Placed<'_>>,
    clock: &Clock,
) -> Placed<'a> {
    let own = || format!("{} <{}>", account.name, account.address);
    let from = stanza.from.map_or_else(own, str::to_owned);
    let seconds = fingerprint(stanza.id.or(stanza.subject).unwrap_or(stanza.body)) % 60;
    let date = clock.at(stanza.when, stanza.zone, i8::try_from(seconds).unwrap_or(0));
    let subject = match (stanza.subject, parent) {
        (Some(subject), _) => date_words(subject, &date),
        (None, Some(parent)) if parent.subject.starts_with("Re: ") => parent.subject.clone(),
        (None, Some(parent)) => format!("Re: {}", parent.subject),
        (None, None) => String::new(),
    };
    // An answer has its parent's subject, so its own text tells it apart.
    let id = match (stanza.id, stanza.re) {
        (None, Some(parent)) => format!("{parent}.{:06x}", fingerprint(stanza.body) & 0xff_ffff),
        _ => key(stanza),
    };
    let message_id = stanza.message_id.map_or_else(
        || format!("{id}@{}", domain(&from).to_ascii_lowercase()),
        str::to_owned,
    );
    let mut references = Vec::new();
    if let Some(parent) = parent {
        references.clone_from(&parent.references);
        references.push(parent.message_id.clone());
    }
    let text = date_words(stanza.body, &date);
    Placed {
        stanza,
        date,
        from,
        subject,
        message_id,
        references,
        text,
    }
}

fn message(
    account: &SeedAccount,
    this: &Placed<'_>,
    parent: Option<&Placed<'_>>,
    clock: &Clock,
) -> SeedMessage {
    let stanza = this.stanza;
    let own = matches!(stanza.folder, "Sent" | "Drafts");
    let to = match (stanza.to, parent) {
        (Some(to), _) => to.to_owned(),
        (None, Some(parent)) if own => parent.from.clone(),
        (None, _) => format!("{} <{}>", account.name, account.address),
    };
    let body = match parent {
        Some(parent) if own => format!("{}\n\n{}", this.text, quote(parent)),
        _ => this.text.clone(),
    };
    let charset = Charset::parse(stanza.charset).unwrap_or(UTF8);
    let fields: Vec<String> = stanza
        .headers
        .iter()
        .map(|field| date_words(field, &this.date))
        .collect();
    let bytes = render(&Letter {
        date: &this.date,
        from: &this.from,
        to: &to,
        cc: stanza.cc,
        subject: &this.subject,
        charset,
        message_id: &this.message_id,
        references: &this.references,
        fields: &fields,
        received_by: (!own).then(|| domain(account.address)),
        entity: entity(this, &body, charset),
    });
    let delay = if own {
        0
    } else {
        2 + i64::try_from(fingerprint(&this.message_id) % 40).unwrap_or(0)
    };
    let delivered = clock.delivered(&this.date, delay);
    SeedMessage {
        account: account.key,
        folder: stanza.folder,
        flags: stanza.flags,
        delivered,
        bytes,
    }
}

fn quote(parent: &Placed<'_>) -> String {
    let name = parent.from.split(" <").next().unwrap_or("");
    let mut out = format!(
        "On {}, {name} wrote:",
        parent.date.strftime("%a, %-d %b %Y at %H:%M")
    );
    for line in parent.text.lines() {
        out.push_str(if line.is_empty() || line.starts_with('>') {
            "\n>"
        } else {
            "\n> "
        });
        out.push_str(line);
    }
    out
}

fn entity(this: &Placed<'_>, body: &str, charset: Charset) -> Entity {
    let (stanza, seed) = (this.stanza, this.message_id.as_str());
    let part = |subtype, body: &str| text(subtype, body, charset, stanza.cte);
    let main = match stanza.kind {
        Kind::Plain => part("plain", body),
        Kind::Html => part("html", body),
        Kind::Alternative => multipart(
            "alternative",
            seed,
            &[part("plain", body), part("html", &html(body))],
        ),
        Kind::Stub => {
            let stub = "This message is in HTML. Please use a mail program that can show it.";
            multipart("alternative", seed, &[part("plain", stub), part("html", body)])
        }
        Kind::Invite => {
            let mut calendar = text("calendar", &invitation(this), UTF8, None);
            calendar.head = calendar
                .head
                .replacen("; charset", "; method=REQUEST; charset", 1);
            multipart("alternative", seed, &[part("plain", body), calendar])
        }
    };
    if stanza.attach.is_empty() {
        return main;
    }
    let mut parts = vec![main];
    parts.extend(
        stanza
            .attach
            .iter()
            .map(|declared| attachment::declared(&date_words(declared, &this.date))),
    );
    multipart("mixed", seed, &parts)
}

/// Text as the HTML a mail program makes of it: a paragraph for each block.
pub fn html(body: &str) -> String {
    let escaped = body
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let paragraphs: String = escaped
        .split("\n\n")
        .map(|block| format!("<p>{}</p>\n", block.replace('\n', "<br>\n")))
        .collect();
    format!("<html><body style=\"font-family:sans-serif\">\n{paragraphs}</body></html>")
}

/// An iCalendar request (RFC 5545, 5546) from `+5 10:00 45 Title | Place`.
fn invitation(this: &Placed<'_>) -> String {
    let mut words = this.stanza.event.unwrap_or("").splitn(4, ' ');
    let days = words
        .next()
        .and_then(|days| days.parse::<i64>().ok())
        .unwrap_or(1);
    let (hour, minute) = words.next().and_then(time).unwrap_or((9, 0));
    let minutes = words
        .next()
        .and_then(|minutes| minutes.parse::<i64>().ok())
        .unwrap_or(30);
    let (title, place) = words.next().unwrap_or("").split_once(" | ").unwrap_or_default();
    let start = this
        .date
        .date()
        .saturating_add(days.days())
        .at(hour, minute, 0, 0);
    let end = start.saturating_add(minutes.minutes());
    let organizer = this.from.rsplit('<').next().unwrap_or("").trim_end_matches('>');
    let stamp = this.date.timestamp().strftime("%Y%m%dT%H%M%SZ");
    let (start, end) = (start.strftime("%Y%m%dT%H%M%SZ"), end.strftime("%Y%m%dT%H%M%SZ"));
    format!(
        "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Tidewell//Planner 3//EN\nMETHOD:REQUEST\nBEGIN:VEVENT\n\
         UID:{}\nSEQUENCE:0\nDTSTAMP:{stamp}\nDTSTART:{start}\nDTEND:{end}\nSUMMARY:{title}\n\
         LOCATION:{place}\nORGANIZER:mailto:{organizer}\n\
         ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:mira.okafor@tidewell.example\n\
         COMMENT:Sent {}\nEND:VEVENT\nEND:VCALENDAR",
        this.message_id,
        rfc5322(&this.date),
    )
}
