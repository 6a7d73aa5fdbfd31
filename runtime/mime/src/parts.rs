//! The tree of MIME entities (RFC 2046) with the part numbers of IMAP (RFC 9051 §6.4.5), within caps.
//! Our own walk and not mail-parser's: it has no caps, drops nested messages recursively, and may panic on mutated
//! input. Absent: decoding, which only happens to what is asked for; unpacking; decryption.

use mail_parser::ContentType;

use crate::{
    clean::clean_line,
    fields::{Fields, split},
    parse::{MAX_DEPTH, MAX_HEADER_BYTES, MAX_PARTS},
    transfer::Encoding,
    view::{Disposition, Doubt},
};

/// One entity.
#[derive(Debug)]
pub(crate) struct Entity<'a> {
    /// The IMAP part number; of a multipart, the number it has within its parent.
    pub number: String,
    /// Media type in lower case.
    pub media_type: String,
    pub charset: Option<String>,
    /// `format=flowed` and `delsp=yes` (RFC 3676).
    pub flowed: bool,
    pub delsp: bool,
    pub disposition: Option<Disposition>,
    pub name: Option<String>,
    pub content_id: Option<String>,
    pub encoding: Encoding,
    pub body: &'a [u8],
    pub kind: Kind<'a>,
    /// It is the whole body of a message, not one part among others.
    pub is_root: bool,
}

/// What an entity holds.
#[derive(Debug)]
pub(crate) enum Kind<'a> {
    Leaf,
    Multipart(Vec<Entity<'a>>),
    /// message/rfc822: the header of the inner message, and its body.
    Message(&'a [u8], Box<Entity<'a>>),
}

/// A walk over one message, with what it found wrong.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    parts: usize,
    header_bytes: usize,
    pub doubt: Option<Doubt>,
    pub is_ambiguous: bool,
    /// A file name was marked by the cleaner.
    pub invisible: bool,
}

/// Where an entity stands: the number it has as a leaf, what its children's numbers begin with, and how deep.
struct Place {
    number: String,
    prefix: String,
    depth: usize,
    is_root: bool,
    in_digest: bool,
}

impl Place {
    fn child(&self, at: usize, in_digest: bool) -> Self {
        let number = if self.prefix.is_empty() {
            at.to_string()
        } else {
            format!("{}.{at}", self.prefix)
        };
        Self {
            prefix: number.clone(),
            number,
            depth: self.depth + 1,
            is_root: false,
            in_digest,
        }
    }

    fn inner_message(&self) -> Self {
        let number = format!("{}.1", self.number);
        Self {
            number,
            prefix: self.number.clone(),
            depth: self.depth + 1,
            is_root: true,
            in_digest: false,
        }
    }
}

impl Walk {
    /// The tree of a whole message; none if even its first part is over a cap.
    pub(crate) fn message<'a>(&mut self, header: &'a [u8], body: &'a [u8]) -> Option<Entity<'a>> {
        let place = Place {
            number: "1".into(),
            prefix: String::new(),
            depth: 0,
            is_root: true,
            in_digest: false,
        };
        self.entity(header, body, &place)
    }

    fn note(&mut self, doubt: Doubt) {
        self.doubt = self.doubt.max(Some(doubt));
    }

    fn entity<'a>(&mut self, header: &'a [u8], body: &'a [u8], place: &Place) -> Option<Entity<'a>> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            self.note(Doubt::TooManyParts);
            return None;
        }
        if place.depth > MAX_DEPTH {
            self.note(Doubt::TooDeep);
            return None;
        }
        let room = MAX_HEADER_BYTES.saturating_sub(self.header_bytes);
        if header.len() > room {
            self.note(Doubt::HeaderTooLarge);
        }
        self.header_bytes += header.len();
        let fields = Fields::read(header.get(..room).unwrap_or(header), None);
        let single = ["content-type", "content-disposition", "content-transfer-encoding"];
        self.is_ambiguous |= single.iter().any(|name| fields.count(name) > 1);

        let content_type = fields.first("content-type").and_then(|f| f.content_type());
        let mut entity = self.describe(&fields, content_type.as_ref(), body, place);
        let boundary = content_type
            .as_ref()
            .and_then(|c| c.attribute("boundary"))
            .map(str::trim);
        if entity.media_type.starts_with("multipart/") {
            self.multipart(&mut entity, boundary.unwrap_or_default(), place);
        } else if is_message(&entity.media_type) && entity.encoding == Encoding::Identity {
            let (header, body) = split(body);
            if let Some(inner) = self.entity(header, body, &place.inner_message()) {
                entity.kind = Kind::Message(header, Box::new(inner));
            }
        }
        Some(entity)
    }

    fn multipart<'a>(&mut self, entity: &mut Entity<'a>, boundary: &str, place: &Place) {
        let pieces = delimited(
            entity.body,
            boundary.as_bytes(),
            MAX_PARTS + 1 - self.parts.min(MAX_PARTS),
        );
        if pieces.is_empty() {
            // No boundary, or none that occurs: some programs show it as text, so it is text here, and said.
            self.is_ambiguous |= !entity.body.trim_ascii().is_empty();
            "text/plain".clone_into(&mut entity.media_type);
            return;
        }
        let in_digest = entity.media_type == "multipart/digest";
        let mut children = Vec::new();
        for (at, piece) in pieces.into_iter().enumerate() {
            let (header, body) = split(piece);
            match self.entity(header, body, &place.child(at + 1, in_digest)) {
                Some(child) => children.push(child),
                None => break,
            }
        }
        entity.kind = Kind::Multipart(children);
    }

    fn describe<'a>(
        &mut self,
        fields: &Fields<'_>,
        content_type: Option<&ContentType<'_>>,
        body: &'a [u8],
        place: &Place,
    ) -> Entity<'a> {
        let disposition = fields.first("content-disposition").and_then(|f| f.content_type());
        let attribute =
            |c: Option<&ContentType<'_>>, name: &str| c.and_then(|c| c.attribute(name)).map(str::to_owned);
        let is = |name: &str, value: &str| {
            content_type
                .and_then(|c| c.attribute(name))
                .is_some_and(|v| v.eq_ignore_ascii_case(value))
        };
        let default = if place.in_digest {
            "message/rfc822"
        } else {
            "text/plain"
        };
        let media_type = content_type.and_then(|c| {
            let both = !c.ctype().is_empty() && c.subtype().is_some_and(|s| !s.is_empty());
            both.then(|| format!("{}/{}", c.ctype(), c.subtype().unwrap_or_default()).to_ascii_lowercase())
        });
        let filename = attribute(disposition.as_ref(), "filename");
        let name = attribute(content_type, "name");
        self.is_ambiguous |= filename.is_some() && name.is_some() && filename != name;
        Entity {
            number: place.number.clone(),
            media_type: media_type.map_or_else(|| default.to_owned(), |m| clean_line(&m).text),
            charset: attribute(content_type, "charset"),
            flowed: is("format", "flowed"),
            delsp: is("delsp", "yes"),
            disposition: disposition.as_ref().map(|d| {
                if d.ctype().eq_ignore_ascii_case("inline") {
                    Disposition::Inline
                } else {
                    Disposition::Attachment
                }
            }),
            name: filename.or(name).and_then(|n| self.file_name(&n)),
            content_id: fields
                .first("content-id")
                .and_then(|f| f.ids().into_iter().next()),
            encoding: fields
                .raw_text("content-transfer-encoding")
                .map_or(Encoding::Identity, |e| Encoding::of(&e)),
            body,
            kind: Kind::Leaf,
            is_root: place.is_root,
        }
    }

    /// A file name to show: encoded words decoded (RFC 2231 forbids them there, half the world sends them).
    fn file_name(&mut self, raw: &str) -> Option<String> {
        let line = format!("name: {}\n", raw.replace(['\r', '\n'], " "));
        let fields = Fields::read(line.as_bytes(), None);
        let (name, marked) = match fields.first("name") {
            Some(field) if raw.contains("=?") => field.text(),
            _ => (clean_line(raw).text, clean_line(raw).marked),
        };
        self.invisible |= marked;
        (!name.is_empty()).then_some(name)
    }
}

/// Media types that hold a message.
pub(crate) fn is_message(media_type: &str) -> bool {
    matches!(media_type, "message/rfc822" | "message/global")
}

/// The pieces between delimiter lines (RFC 2046 §5.1.1), at most `max`; the last runs to the end if unclosed.
fn delimited<'a>(body: &'a [u8], boundary: &[u8], max: usize) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    if boundary.is_empty() {
        return pieces;
    }
    let delimiter = [b"--", boundary].concat();
    let mut start = None;
    for at in memchr::memmem::find_iter(body, &delimiter) {
        let at_line_start = at == 0 || body.get(at - 1) == Some(&b'\n');
        let after = body.get(at + delimiter.len()..).unwrap_or_default();
        let line = after.split(|&b| b == b'\n').next().unwrap_or_default();
        let closes = line.starts_with(b"--");
        let tail = if closes {
            line.get(2..).unwrap_or_default()
        } else {
            line
        };
        if !at_line_start || !tail.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if let Some(start) = start {
            pieces.push(body.get(start..before_line_end(body, at)).unwrap_or_default());
        }
        if closes || pieces.len() >= max {
            return pieces;
        }
        start = Some((at + delimiter.len() + line.len() + 1).min(body.len()));
    }
    if let Some(start) = start {
        pieces.push(body.get(start..).unwrap_or_default());
    }
    pieces
}

/// The line end before a delimiter belongs to the delimiter.
fn before_line_end(body: &[u8], at: usize) -> usize {
    match body.get(..at) {
        Some([.., b'\r', b'\n']) => at - 2,
        Some([.., b'\n']) => at - 1,
        _ => at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: &[&str]) {
        let pieces = delimited(body.as_bytes(), b"b", 10);
        let pieces: Vec<_> = pieces.iter().map(|p| String::from_utf8_lossy(p)).collect();
        assert_eq!(pieces, expected);
    }

    #[test]
    fn pieces_are_cut_at_delimiter_lines_only() {
        check(
            "pre\r\n--b\r\none\r\n--b  \r\ntwo\r\n--b--\r\nepilogue",
            &["one", "two"],
        );
        check(
            "--b\none\n--bc\nstill\n x--b\n--b\n",
            &["one\n--bc\nstill\n x--b", ""],
        );
        check("--b\nunclosed", &["unclosed"]);
        check("none", &[]);
        check("--b\n\nA\n--b--", &["\nA"]);
    }
}
