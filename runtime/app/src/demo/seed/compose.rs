//! A letter to RFC 5322 bytes: header fields in the usual order, CRLF, the entity's own lines last.

use jiff::Zoned;

use super::clock::rfc5322;
use super::encode::{Charset, fingerprint, header_text};
use super::entity::Entity;

/// All that a message says in its header, and its content.
pub struct Letter<'a> {
    pub date: &'a Zoned,
    /// `Name <address>`.
    pub from: &'a str,
    /// Addresses separated by commas, as are those of `cc`.
    pub to: &'a str,
    pub cc: Option<&'a str>,
    pub subject: &'a str,
    /// The charset of names and subject.
    pub charset: Charset,
    /// Without angle brackets, as are the references.
    pub message_id: &'a str,
    /// The chain, root first, the parent last.
    pub references: &'a [String],
    /// Further fields, complete lines without CRLF.
    pub fields: &'a [String],
    /// The host that took it in; `None` for what was never received (sent mail, drafts).
    pub received_by: Option<&'a str>,
    pub entity: Entity,
}

/// The message's bytes.
pub fn render(letter: &Letter<'_>) -> Vec<u8> {
    let mut head = String::new();
    let date = rfc5322(letter.date);
    if let Some(host) = letter.received_by {
        let (sender, queue) = (
            domain(letter.from),
            fingerprint(letter.message_id) & 0xffff_ffff_ffff,
        );
        head.push_str(&format!(
            "Received: from mail.{sender} by mx.{host} with ESMTPS id {queue:012X};\r\n\t{date}\r\n"
        ));
    }
    let mut field = |name: &str, value: &str| head.push_str(&format!("{name}: {value}\r\n"));
    field("Date", &date);
    field("From", &addresses(letter.from, letter.charset));
    field("To", &addresses(letter.to, letter.charset));
    if let Some(cc) = letter.cc {
        field("Cc", &addresses(cc, letter.charset));
    }
    field("Subject", &header_text(letter.subject, letter.charset));
    field("Message-ID", &format!("<{}>", letter.message_id));
    if let Some(parent) = letter.references.last() {
        field("In-Reply-To", &format!("<{parent}>"));
        let chain: Vec<String> = letter.references.iter().map(|id| format!("<{id}>")).collect();
        field("References", &chain.join("\r\n "));
    }
    for line in letter.fields {
        head.push_str(line);
        head.push_str("\r\n");
    }
    head.push_str("MIME-Version: 1.0\r\n");
    head.push_str(&letter.entity.head);
    head.push_str("\r\n");
    let mut bytes = head.into_bytes();
    bytes.extend_from_slice(&letter.entity.body);
    bytes
}

/// The domain of a single address, without its closing bracket.
pub fn domain(address: &str) -> &str {
    address.rsplit('@').next().unwrap_or("").trim_end_matches('>')
}

fn addresses(list: &str, charset: Charset) -> String {
    let one = |address: &str| {
        let address = address.trim();
        match address.split_once(" <") {
            Some((name, spec)) => format!("{} <{spec}", phrase(name, charset)),
            None => address.to_owned(),
        }
    };
    list.split(',').map(one).collect::<Vec<_>>().join(",\r\n ")
}

fn phrase(name: &str, charset: Charset) -> String {
    let atoms = |byte: u8| byte.is_ascii_alphanumeric() || b" !#$%&'*+-/=?^_`{|}~".contains(&byte);
    if name.is_ascii() && !name.bytes().all(atoms) {
        return format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
    }
    header_text(name, charset)
}

#[cfg(test)]
mod tests {
    use super::super::encode::UTF8;
    use super::*;

    #[track_caller]
    fn check(list: &str, expected: &str) {
        assert_eq!(addresses(list, UTF8), expected);
    }

    #[test]
    fn names_are_atoms_quoted_or_encoded() {
        check("a@b.example", "a@b.example");
        check("Ann Bee <a@b.example>", "Ann Bee <a@b.example>");
        check("Dr. Bee <a@b.example>", "\"Dr. Bee\" <a@b.example>");
        check(
            "Zoë <z@b.example>, a@b.example",
            "=?utf-8?B?Wm/Dqw==?= <z@b.example>,\r\n a@b.example",
        );
    }

    #[test]
    fn a_domain_is_what_follows_the_at() {
        assert_eq!(domain("Ann <a@b.example>"), "b.example");
        assert_eq!(domain("a@c.example"), "c.example");
    }
}
