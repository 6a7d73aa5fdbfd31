//! The way in: message bytes to a view. Never fails, never panics; what is over a cap is left out and said.
//! Absent: sizes of what is given. A caller that fetches bounds what it fetches.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{
    address::Address,
    fields::{Field, Fields, split},
    list,
    parts::{Entity, Kind, Walk},
    readable, transfer,
    view::{Doubt, View},
};

/// Deepest nesting of parts that is read.
pub const MAX_DEPTH: usize = 50;
/// Most parts that are read.
pub const MAX_PARTS: usize = 1000;
/// Most bytes of headers that are read, over all parts.
pub const MAX_HEADER_BYTES: usize = 1024 * 1024;
/// Most addresses that are read, over all fields.
pub const MAX_ADDRESSES: usize = 2000;
/// Largest message whose body is read.
pub const MAX_MESSAGE_BYTES: usize = 64 * 1024 * 1024;

/// Fields that may stand only once (RFC 5322 §3.6); readers disagree on which of two counts.
const SINGLE: &[&str] = &[
    "from",
    "sender",
    "reply-to",
    "to",
    "cc",
    "subject",
    "date",
    "message-id",
    "content-type",
    "mime-version",
];

/// Reads a whole message.
#[must_use]
pub fn parse(raw: &[u8]) -> View {
    guarded(raw, |raw| {
        let raw = without_envelope_line(raw);
        let (header, body) = split(raw);
        let mut view = header_view(header);
        if raw.len() > MAX_MESSAGE_BYTES {
            view.doubt(Doubt::TooLarge);
            return view;
        }
        let mut walk = Walk::default();
        let tree = walk.message(header, body);
        if let Some(tree) = &tree {
            readable::fill(&mut view, tree);
        }
        view.is_ambiguous |= walk.is_ambiguous;
        view.invisible |= walk.invisible;
        view.doubt = view.doubt.max(walk.doubt);
        view
    })
}

/// Reads a header alone, as `BODY.PEEK[HEADER]` gives it.
#[must_use]
pub fn parse_headers(raw_header_block: &[u8]) -> View {
    guarded(raw_header_block, |raw| {
        header_view(split(without_envelope_line(raw)).0)
    })
}

/// The decoded bytes of a part by its IMAP number; none if there is no such part, or it is a multipart.
#[must_use]
pub fn attachment(raw: &[u8], part_id: &str) -> Option<Vec<u8>> {
    if raw.len() > MAX_MESSAGE_BYTES {
        return None;
    }
    let read = AssertUnwindSafe(|| {
        let (header, body) = split(without_envelope_line(raw));
        let tree = Walk::default().message(header, body)?;
        let entity = find(&tree, part_id)?;
        Some(transfer::decode(entity.body, entity.encoding).into_owned())
    });
    catch_unwind(read).unwrap_or(None)
}

fn find<'t, 'a>(entity: &'t Entity<'a>, number: &str) -> Option<&'t Entity<'a>> {
    match &entity.kind {
        Kind::Multipart(children) => children.iter().find_map(|child| find(child, number)),
        _ if entity.number == number => Some(entity),
        Kind::Message(_, inner) => find(inner, number),
        Kind::Leaf => None,
    }
}

/// The value parsers are a dependency's and have panicked before: a panic is a message that cannot be read.
fn guarded(raw: &[u8], read: impl Fn(&[u8]) -> View) -> View {
    if let Ok(view) = catch_unwind(AssertUnwindSafe(|| read(raw))) {
        return view;
    }
    let header = AssertUnwindSafe(|| header_view(split(without_envelope_line(raw)).0));
    let mut view = catch_unwind(header).unwrap_or_default();
    view.doubt(Doubt::Unreadable);
    view
}

/// Without the `From ` line that mbox files and some deliveries leave at the top.
fn without_envelope_line(raw: &[u8]) -> &[u8] {
    match memchr::memchr(b'\n', raw) {
        Some(end) if raw.starts_with(b"From ") => raw.get(end + 1..).unwrap_or_default(),
        _ => raw,
    }
}

fn header_view(header: &[u8]) -> View {
    let mut view = View::default();
    let header = if header.len() > MAX_HEADER_BYTES {
        view.doubt(Doubt::HeaderTooLarge);
        header.get(..MAX_HEADER_BYTES).unwrap_or_default()
    } else {
        header
    };
    let hint = Fields::read(header, None)
        .first("content-type")
        .and_then(Field::content_type);
    let hint = hint.and_then(|c| c.attribute("charset").map(str::to_owned));
    let fields = Fields::read(header, hint.as_deref());

    view.message_id = fields
        .first("message-id")
        .and_then(|f| f.ids().into_iter().next());
    view.in_reply_to = fields.first("in-reply-to").map(Field::ids).unwrap_or_default();
    view.references = fields.first("references").map(Field::ids).unwrap_or_default();
    view.date = fields.first("date").and_then(Field::date);
    if let Some(subject) = fields.first("subject") {
        let (text, marked) = subject.text();
        view.subject = text;
        view.invisible |= marked;
    }
    addresses(&mut view, &fields);

    view.list = list::read(
        fields.raw_text("list-id").as_deref(),
        fields.raw_text("list-unsubscribe").as_deref(),
        fields.raw_text("list-unsubscribe-post").as_deref(),
    );
    view.auto = is_automatic(&fields);
    view.authentication = fields
        .raw_text("authentication-results")
        .filter(|value| !value.is_empty());
    let receipts = [
        "disposition-notification-to",
        "return-receipt-to",
        "x-confirm-reading-to",
    ];
    view.receipt_requested = receipts.iter().any(|name| fields.first(name).is_some());
    view.is_ambiguous = SINGLE.iter().any(|name| fields.count(name) > 1);
    view
}

fn addresses(view: &mut View, fields: &Fields<'_>) {
    let mut room = MAX_ADDRESSES;
    let (mut more, mut invisible) = (false, false);
    let mut read = |name: &str| -> Vec<Address> {
        let Some(field) = fields.first(name) else {
            return Vec::new();
        };
        let (list, over, marked) = field.addresses(room);
        room -= list.len();
        more |= over;
        invisible |= marked;
        list
    };
    view.from = read("from");
    view.sender = read("sender");
    view.reply_to = read("reply-to");
    view.to = read("to");
    view.cc = read("cc");
    view.bcc = read("bcc");
    view.invisible |= invisible;
    if more {
        view.doubt(Doubt::TooManyAddresses);
    }
}

fn is_automatic(fields: &Fields<'_>) -> bool {
    let starts = |name: &str, words: &[&str]| {
        let value = fields.raw_text(name).unwrap_or_default().to_ascii_lowercase();
        words.iter().any(|w| value.split([';', ' ']).next() == Some(w))
    };
    let submitted = fields.raw_text("auto-submitted").is_some_and(|v| !v.is_empty());
    submitted && !starts("auto-submitted", &["no"]) || starts("precedence", &["bulk", "list", "junk"])
}

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;
