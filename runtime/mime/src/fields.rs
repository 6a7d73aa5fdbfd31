//! Header fields (RFC 5322): split here, values read by mail-parser. Splitting ourselves keeps order, doubled fields
//! and raw values, and bounds what a value parser is given.
//! Absent: judgement. What the fields mean together is `parse`'s.

use std::borrow::Cow;

use mail_parser::{ContentType, HeaderValue, parsers::MessageStream};

use crate::{address::Address, charset, clean::clean_line};

/// Longer values of unstructured and MIME fields are cut: the parser of parameters is quadratic in their number.
const MAX_VALUE_BYTES: usize = 16 * 1024;
/// An encoded word is 75 bytes (RFC 2047 §2); where none ends within this, "=?" starts none. Without it, decoding
/// words that never end is quadratic.
const MAX_WORD_BYTES: usize = 2 * 1024;
/// At most so many ids of one References field; the newest are kept.
const MAX_IDS: usize = 1000;

/// One field: its name in lower case and its raw value, valid UTF-8, ending in a line end.
#[derive(Debug)]
pub(crate) struct Field<'a> {
    pub name: String,
    pub value: Cow<'a, [u8]>,
}

/// The fields of one header, in order.
#[derive(Debug, Default)]
pub(crate) struct Fields<'a>(Vec<Field<'a>>);

/// Splits an entity into header and body. What does not begin like a header is all body.
pub(crate) fn split(raw: &[u8]) -> (&[u8], &[u8]) {
    if raw.starts_with(b"\n") || raw.starts_with(b"\r\n") {
        let skip = if raw.starts_with(b"\n") { 1 } else { 2 };
        return (&[], raw.get(skip..).unwrap_or_default());
    }
    let first = raw.split(|&b| b == b'\n').next().unwrap_or_default();
    if !first.starts_with(b"From ") && field_name(first).is_none() {
        return (&[], raw);
    }
    for at in memchr::memchr_iter(b'\n', raw) {
        let rest = raw.get(at + 1..).unwrap_or_default();
        let blank = match rest {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => continue,
        };
        return raw
            .split_at_checked(at + 1)
            .map_or((raw, &[]), |(h, b)| (h, b.get(blank..).unwrap_or_default()));
    }
    (raw, &[])
}

/// The name of the field that a line begins (RFC 5322 ftext, blanks before the colon allowed), in lower case.
fn field_name(line: &[u8]) -> Option<String> {
    let colon = memchr::memchr(b':', line)?;
    let name = line.get(..colon)?.trim_ascii_end();
    let is_name = !name.is_empty() && name.len() <= 80 && name.iter().all(u8::is_ascii_graphic);
    is_name.then(|| String::from_utf8_lossy(name).to_ascii_lowercase())
}

impl<'a> Fields<'a> {
    /// Reads a header. `hint` is the charset to try for raw 8-bit values that are no UTF-8.
    pub(crate) fn read(header: &'a [u8], hint: Option<&str>) -> Self {
        let mut fields = Vec::new();
        let mut rest = header;
        while !rest.is_empty() {
            let (field, after) = rest.split_at_checked(field_len(rest)).unwrap_or((rest, &[]));
            rest = after;
            let Some(name) = field_name(field.split(|&b| b == b'\n').next().unwrap_or_default()) else {
                continue;
            };
            let colon = memchr::memchr(b':', field).unwrap_or(0);
            let value = charset::header_bytes(field.get(colon + 1..).unwrap_or_default(), hint);
            fields.push(Field { name, value });
        }
        Self(fields)
    }

    /// The topmost field of that name.
    pub(crate) fn first(&self, name: &str) -> Option<&Field<'a>> {
        self.0.iter().find(|f| f.name == name)
    }

    /// How many fields bear that name.
    pub(crate) fn count(&self, name: &str) -> usize {
        self.0.iter().filter(|f| f.name == name).count()
    }

    /// The topmost value as unfolded raw text.
    pub(crate) fn raw_text(&self, name: &str) -> Option<String> {
        let value = String::from_utf8_lossy(&self.first(name)?.value).into_owned();
        Some(clean_line(&value).text)
    }
}

/// The length of a field with its continuation lines.
fn field_len(rest: &[u8]) -> usize {
    let ends = memchr::memchr_iter(b'\n', rest).map(|at| at + 1);
    ends.into_iter()
        .find(|&end| !matches!(rest.get(end), Some(b' ' | b'\t')))
        .unwrap_or(rest.len())
}

impl Field<'_> {
    /// The value as a parser may have it: bounded, line-ended, without encoded words that never end.
    fn bounded(&self, max: usize) -> Vec<u8> {
        let mut value = self.value.get(..max).unwrap_or(&self.value).to_vec();
        let starts: Vec<usize> = memchr::memmem::find_iter(&value, b"=?").collect();
        for start in starts {
            // `=?=` ends a padded base64 word.
            if value.get(start + 2) == Some(&b'=') {
                continue;
            }
            let window = value
                .get(start + 2..(start + MAX_WORD_BYTES).min(value.len()))
                .unwrap_or_default();
            if memchr::memmem::find(window, b"?=").is_none()
                && let Some(mark) = value.get_mut(start + 1)
            {
                *mark = b' ';
            }
        }
        if value.last() != Some(&b'\n') {
            value.push(b'\n');
        }
        value
    }

    /// Unstructured text with its encoded words decoded (RFC 2047), in one line; and whether it was marked.
    pub(crate) fn text(&self) -> (String, bool) {
        let value = self.bounded(4 * MAX_VALUE_BYTES);
        let text = match MessageStream::new(&value).parse_unstructured() {
            HeaderValue::Text(text) => text.into_owned(),
            _ => String::new(),
        };
        let cleaned = clean_line(&text);
        (cleaned.text, cleaned.marked)
    }

    /// Addresses, groups flattened; at most `max`, with whether there were more, and whether one was marked.
    pub(crate) fn addresses(&self, max: usize) -> (Vec<Address>, bool, bool) {
        let value = self.bounded(usize::MAX);
        let parsed = MessageStream::new(&value).parse_address();
        let HeaderValue::Address(parsed) = parsed else {
            return (Vec::new(), false, false);
        };
        let mut marked = false;
        let mut line = |text: Option<&str>| {
            let cleaned = clean_line(text.unwrap_or_default());
            marked |= cleaned.marked;
            cleaned.text
        };
        let mut found = Vec::new();
        for addr in parsed.iter() {
            if found.len() == max {
                return (found, true, marked);
            }
            let address = Address {
                name: line(addr.name()),
                addr: line(addr.address()),
            };
            if !address.name.is_empty() || !address.addr.is_empty() {
                found.push(address);
            }
        }
        (found, false, marked)
    }

    /// Message ids without their brackets.
    pub(crate) fn ids(&self) -> Vec<String> {
        let value = self.bounded(usize::MAX);
        let ids: Vec<Cow<'_, str>> = match MessageStream::new(&value).parse_id() {
            HeaderValue::Text(id) => vec![id],
            HeaderValue::TextList(ids) => ids,
            _ => Vec::new(),
        };
        let skip = ids.len().saturating_sub(MAX_IDS);
        let ids = ids.iter().skip(skip).map(|id| clean_line(id).text);
        ids.filter(|id| !id.is_empty() && id.len() <= 998).collect()
    }

    /// A date in Unix seconds.
    pub(crate) fn date(&self) -> Option<i64> {
        let value = self.bounded(1024);
        match MessageStream::new(&value).parse_date() {
            HeaderValue::DateTime(mut date) => {
                // Three digits of year count from 1900 (RFC 5322 §4.3): the mail of 2002 is full of year 102.
                if (100..1000).contains(&date.year) {
                    date.year += 1900;
                }
                date.is_valid().then(|| date.to_timestamp())
            }
            _ => None,
        }
    }

    /// Content-Type or Content-Disposition with parameters decoded (RFC 2231).
    pub(crate) fn content_type(&self) -> Option<ContentType<'static>> {
        let value = self.bounded(MAX_VALUE_BYTES);
        match MessageStream::new(&value).parse_content_type() {
            HeaderValue::ContentType(parsed) => Some(ContentType {
                c_type: parsed.c_type.into_owned().into(),
                c_subtype: parsed.c_subtype.map(|s| s.into_owned().into()),
                attributes: parsed.attributes.map(|list| {
                    let owned = |a: mail_parser::Attribute<'_>| mail_parser::Attribute {
                        name: a.name.into_owned().into(),
                        value: a.value.into_owned().into(),
                    };
                    list.into_iter().map(owned).collect()
                }),
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_text(value: &[u8], expected: &str) {
        let raw = [b"Subject: ", value, b"\r\n"].concat();
        let fields = Fields::read(&raw, None);
        assert_eq!(
            fields.first("subject").map(|f| f.text().0).as_deref(),
            Some(expected)
        );
    }

    #[test]
    fn encoded_words_and_raw_bytes_are_decoded() {
        check_text(b"=?ISO-2022-JP?B?GyRCRnxLXDhsGyhC?=", "日本語");
        check_text(
            b"=?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\n =?utf-8?Q?_aus_Bremen?=",
            "Grüße aus Bremen",
        );
        check_text(b"=?koi8-r?B?8NLJ18XU?=", "Привет");
        check_text(b"Gr\xfc\xdfe", "Grüße");
        check_text("Grüße".as_bytes(), "Grüße");
        check_text(
            b"a =?utf-8?Q?x=0D=0ABcc:_eve@example.net?=",
            "a x Bcc: eve@example.net",
        );
        check_text(b"=?utf-8?Q?open", "= utf-8?Q?open");
        check_text(b"", "");
    }

    #[test]
    fn a_header_is_split_from_its_body() {
        assert_eq!(
            split(b"A: b\r\n c\r\n\r\nbody"),
            (&b"A: b\r\n c\r\n"[..], &b"body"[..])
        );
        assert_eq!(split(b"A: b\n\nbody"), (&b"A: b\n"[..], &b"body"[..]));
        assert_eq!(split(b"\r\nbody"), (&b""[..], &b"body"[..]));
        assert_eq!(split(b"just text\nmore"), (&b""[..], &b"just text\nmore"[..]));
        assert_eq!(split(b"A: b"), (&b"A: b"[..], &b""[..]));
        assert_eq!(split(b""), (&b""[..], &b""[..]));
    }

    #[test]
    fn addresses_keep_names_and_flatten_groups() {
        let raw = b"To: \"Lind, Anna\" <anna@example.org>, friends: bo@example.org, =?utf-8?Q?Z=C3=BC?= <z@example.org>;\r\n";
        let fields = Fields::read(raw, None);
        let (list, more, marked) = fields.first("to").map(|f| f.addresses(2)).unwrap_or_default();
        let address = |name: &str, addr: &str| Address {
            name: name.into(),
            addr: addr.into(),
        };
        assert_eq!(
            list,
            vec![
                address("Lind, Anna", "anna@example.org"),
                address("", "bo@example.org")
            ]
        );
        assert!(more && !marked);
    }

    #[test]
    fn ids_and_dates() {
        let raw = b"References: <a@x> <b@y>\r\n <c@z>\r\nDate: Mon, 2 Nov 2026 10:00:00 +0100\r\nX : y\r\nnonsense\r\n";
        let fields = Fields::read(raw, None);
        assert_eq!(
            fields.first("references").map(Field::ids),
            Some(vec!["a@x".into(), "b@y".into(), "c@z".into()])
        );
        assert_eq!(fields.first("date").and_then(Field::date), Some(1_793_610_000));
        assert_eq!(fields.raw_text("x").as_deref(), Some("y"));
        let old = Fields::read(b"Date: Mon, 2 Nov 126 10:00:00 +0100\r\n", None);
        assert_eq!(old.first("date").and_then(Field::date), Some(1_793_610_000));
        let bad = Fields::read(b"Date: never\r\n", None);
        assert_eq!(bad.first("date").and_then(Field::date), None);
    }
}
