//! From a tree of parts to the text a person would read, and the list of the other parts.
//! Each HTML part is converted alone: parts glued into one document are how EFAIL reads decrypted text.
//! Absent: cutting. The whole text is given; the caller cuts and says so.

use std::collections::HashSet;

use crate::{
    charset, clean,
    fields::Fields,
    html::html_to_text,
    parts::{Entity, Kind, is_message},
    transfer,
    view::{Disposition, Doubt, Part, TextSource, View},
};

/// Puts text and parts of a tree into the view.
pub(crate) fn fill(view: &mut View, root: &Entity<'_>) {
    let piece = read(root, view, false).unwrap_or_default();
    let cleaned = clean::clean(&piece.text);
    view.invisible |= cleaned.marked;
    cleaned
        .text
        .trim_end()
        .trim_start_matches('\n')
        .clone_into(&mut view.text);
    view.text_from = piece.from;
    list(root, false, &mut view.parts);
}

/// Readable text of one part, or of several joined.
#[derive(Default)]
struct Piece {
    text: String,
    from: TextSource,
    hidden: bool,
}

/// Reads an entity; none if it has nothing to read. Recursion ends at the depth cap of the walk.
fn read(entity: &Entity<'_>, view: &mut View, in_alternative: bool) -> Option<Piece> {
    let piece = match &entity.kind {
        Kind::Leaf if is_body(entity, in_alternative) => Some(leaf(entity, view)),
        Kind::Leaf => None,
        Kind::Message(header, inner) => Some(attached(header, inner, view)),
        Kind::Multipart(children) => match entity.media_type.as_str() {
            "multipart/alternative" => alternative(children, view),
            // The first that can be read is the root; the others are its pictures (RFC 2387).
            "multipart/related" => children
                .iter()
                .find_map(|child| read(child, view, in_alternative)),
            _ => joined(children, view),
        },
    };
    // Text that was converted and not chosen hides nothing.
    if let Some(piece) = piece.as_ref().filter(|_| !in_alternative) {
        view.hidden |= piece.hidden;
    }
    piece
}

/// Whether a leaf is text to read, and not a part to open.
fn is_body(entity: &Entity<'_>, in_alternative: bool) -> bool {
    let is_text = matches!(entity.media_type.as_str(), "text/plain" | "text/html");
    let stands_alone = entity.is_root || in_alternative;
    is_text && entity.disposition != Some(Disposition::Attachment) && (entity.name.is_none() || stands_alone)
}

fn leaf(entity: &Entity<'_>, view: &mut View) -> Piece {
    let bytes = transfer::decode(entity.body, entity.encoding);
    let is_html = entity.media_type == "text/html";
    let mut decoded = charset::decode(&bytes, entity.charset.as_deref());
    if is_html
        && (entity.charset.is_none() || !decoded.known)
        && let Some(label) = meta_charset(&bytes)
    {
        decoded = charset::decode(&bytes, Some(&label));
    }
    if !decoded.known {
        view.doubt(Doubt::UnknownCharset);
    }
    if is_html {
        let html = html_to_text(&decoded.text);
        if html.cut {
            view.doubt(Doubt::TextCut);
        }
        return Piece {
            text: html.text,
            from: TextSource::Html,
            hidden: html.hidden,
        };
    }
    let text = if entity.flowed {
        unflow(&decoded.text, entity.delsp)
    } else {
        decoded.text
    };
    Piece {
        text,
        from: TextSource::Plain,
        hidden: false,
    }
}

/// The charset that HTML names itself, where the part names none that is known.
fn meta_charset(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(bytes.get(..1024).unwrap_or(bytes)).to_ascii_lowercase();
    let (_, rest) = head.split_once("charset=")?;
    let label: String = rest
        .trim_start_matches(['"', '\''])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || "-_:".contains(*c))
        .collect();
    (!label.is_empty()).then_some(label)
}

/// Of alternatives the plain text, unless it is a stub of the HTML (case C40).
fn alternative(children: &[Entity<'_>], view: &mut View) -> Option<Piece> {
    let (mut plain, mut html, mut other) = (None, None, None);
    for piece in children.iter().filter_map(|child| read(child, view, true)) {
        match piece.from {
            TextSource::Plain if plain.is_none() => plain = Some(piece),
            TextSource::Html => html = Some(piece),
            _ => other = Some(piece),
        }
    }
    let chosen = match (plain, html) {
        (Some(plain), Some(html)) => {
            let (words, html_words) = (word_set(&plain.text), word_set(&html.text));
            let is_empty = plain.text.trim().is_empty();
            let is_stub = is_empty || words.len() < 25 && html_words.len() >= 2 * words.len() + 2;
            let shared = words.intersection(&html_words).count();
            if !is_stub && words.len() >= 20 && shared * 10 < words.len() * 3 {
                view.doubt(Doubt::AlternativesDiffer);
            }
            if is_stub && !html.text.trim().is_empty() {
                Some(html)
            } else {
                Some(plain)
            }
        }
        (plain, html) => plain.or(html).or(other),
    };
    if let Some(piece) = &chosen {
        view.hidden |= piece.hidden;
    }
    chosen
}

fn word_set(text: &str) -> HashSet<String> {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| w.chars().count() > 2);
    words.take(5000).map(str::to_lowercase).collect()
}

fn joined(children: &[Entity<'_>], view: &mut View) -> Option<Piece> {
    let mut all: Option<Piece> = None;
    for piece in children.iter().filter_map(|child| read(child, view, false)) {
        let all = all.get_or_insert_default();
        let text = piece.text.trim_end();
        if !all.text.is_empty() && !text.is_empty() {
            all.text.push_str("\n\n");
        }
        all.text.push_str(text);
        if all.from != TextSource::Html {
            all.from = piece.from;
        }
    }
    all
}

/// A message in a message: a line that says so, and its text.
fn attached(header: &[u8], inner: &Entity<'_>, view: &mut View) -> Piece {
    let fields = Fields::read(header, inner.charset.as_deref());
    let subject = fields.first("subject").map(|f| f.text().0).unwrap_or_default();
    let from = fields.first("from").map(|f| f.addresses(1).0).unwrap_or_default();
    let from = from.first().map(|a| a.addr.clone()).unwrap_or_default();
    let piece = read(inner, view, false).unwrap_or_default();
    let text = format!(
        "[attached message from {from}: {subject}]\n{}",
        piece.text.trim_end()
    );
    Piece { text, ..piece }
}

/// Undoes format=flowed (RFC 3676): soft line breaks joined within the same quote depth.
fn unflow(text: &str, delsp: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut open: Option<usize> = None;
    for line in text.lines() {
        let depth = line.bytes().take_while(|&b| b == b'>').count();
        let content = line.get(depth..).unwrap_or_default();
        let content = content.strip_prefix(' ').unwrap_or(content);
        let is_signature = content == "-- ";
        let flows = content.ends_with(' ') && !is_signature;
        if open != Some(depth) || is_signature {
            if open.is_some() {
                out.push('\n');
            }
            out.extend(std::iter::repeat_n('>', depth));
            if depth > 0 {
                out.push(' ');
            }
        }
        let soft = content.strip_suffix(' ').filter(|_| flows && delsp);
        out.push_str(soft.unwrap_or(content));
        open = flows.then_some(depth);
        if !flows {
            out.push('\n');
        }
    }
    out
}

/// Lists the parts that are not the text itself.
fn list(entity: &Entity<'_>, in_alternative: bool, parts: &mut Vec<Part>) {
    match &entity.kind {
        Kind::Multipart(children) => {
            let in_alternative = entity.media_type == "multipart/alternative"
                || in_alternative && entity.media_type == "multipart/related";
            children
                .iter()
                .for_each(|child| list(child, in_alternative, parts));
        }
        Kind::Message(_, inner) => {
            parts.push(part(entity));
            list(inner, false, parts);
        }
        Kind::Leaf if is_body(entity, in_alternative) => {}
        Kind::Leaf => parts.push(part(entity)),
    }
}

fn part(entity: &Entity<'_>) -> Part {
    let inline = entity.content_id.is_some() && !is_message(&entity.media_type);
    let default = if inline {
        Disposition::Inline
    } else {
        Disposition::Attachment
    };
    Part {
        id: entity.number.clone(),
        media_type: entity.media_type.clone(),
        name: entity.name.clone(),
        size_bytes: transfer::decoded_len(entity.body, entity.encoding),
        disposition: entity.disposition.unwrap_or(default),
        content_id: entity.content_id.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flowed_text_is_joined_within_its_quote() {
        let text = "One \r\ntwo.\r\n>Quoted \r\n> text\r\nthree \r\n\r\n-- \r\nBo\r\n";
        assert_eq!(unflow(text, false), "One two.\n> Quoted text\nthree \n-- \nBo\n");
        assert_eq!(unflow("東 \n京\n", true), "東京\n");
        assert_eq!(unflow("a \n> b\n", false), "a \n> b\n");
    }

    #[test]
    fn html_names_its_charset() {
        assert_eq!(
            meta_charset(b"<meta charset=\"KOI8-R\">").as_deref(),
            Some("koi8-r")
        );
        assert_eq!(
            meta_charset(b"<meta content='text/html; charset=big5'>").as_deref(),
            Some("big5")
        );
        assert_eq!(meta_charset(b"<p>"), None);
    }
}
