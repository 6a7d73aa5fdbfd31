//! Composing a message as bytes, on mail-builder. CRLF only; no Bcc field, ever: blind copies are the envelope's.
//! Absent: attachments, HTML, choosing a date or an id. The same input gives the same bytes.

use mail_builder::{
    MessageBuilder,
    headers::{address::Address as Mailbox, message_id::MessageId},
};

use crate::address::{Address, strict_address};

/// What a message is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compose {
    /// The author.
    pub from: Address,
    /// The recipients.
    pub to: Vec<Address>,
    /// The recipients of copies.
    pub cc: Vec<Address>,
    /// The subject, of one line.
    pub subject: String,
    /// The text; its line ends become CRLF.
    pub text: String,
    /// The Message-ID of the message this answers, without angle brackets.
    pub in_reply_to: Option<String>,
    /// The chain of Message-IDs, oldest first, without angle brackets.
    pub references: Vec<String>,
    /// Unix seconds, UTC.
    pub date: i64,
    /// The Message-ID, without angle brackets.
    pub message_id: String,
}

/// Why a message was not built. Names the field and what would be accepted, never the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComposeFault {
    /// The field, such as `subject` or `to.addr`.
    pub field: &'static str,
    /// What would be accepted there.
    pub accepted: &'static str,
}

impl std::fmt::Display for ComposeFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.field, self.accepted)
    }
}

impl std::error::Error for ComposeFault {}

/// Builds the message.
///
/// # Errors
/// The first field that holds what could not be sent unchanged: CR, LF, NUL or another control character in a header
/// field, an address outside the strict grammar, an id that is no id, a date before 1970 or after the year 9999.
pub fn build(compose: &Compose) -> Result<Vec<u8>, ComposeFault> {
    let Compose {
        from,
        to,
        cc,
        subject,
        text,
        in_reply_to,
        references,
        date,
        message_id,
    } = compose;
    let mut message = MessageBuilder::new()
        .from(mailbox(from, "from.name", "from.addr")?)
        .subject(one_line(subject, "subject")?)
        .message_id(MessageId::new(id(message_id, "message_id")?));
    for (header, list, name, addr) in [("To", to, "to.name", "to.addr"), ("Cc", cc, "cc.name", "cc.addr")] {
        let list = list
            .iter()
            .map(|a| mailbox(a, name, addr))
            .collect::<Result<Vec<_>, _>>()?;
        if !list.is_empty() {
            message = message.header(header, Mailbox::new_list(list));
        }
    }
    if let Some(parent) = in_reply_to {
        message = message.in_reply_to(MessageId::new(id(parent, "in_reply_to")?));
    }
    if !references.is_empty() {
        let ids = references
            .iter()
            .map(|r| id(r, "references"))
            .collect::<Result<Vec<_>, _>>()?;
        message = message.references(MessageId::new_list(ids.into_iter()));
    }
    if !(0..=253_402_300_799).contains(date) {
        return Err(ComposeFault {
            field: "date",
            accepted: "a time between 1970 and 9999",
        });
    }
    if text.contains('\0') {
        return Err(ComposeFault {
            field: "text",
            accepted: "text without NUL",
        });
    }
    let bytes = message.date(*date).text_body(crlf(text)).write_to_vec();
    let bytes = bytes.ok().filter(|bytes| is_crlf_only(bytes));
    bytes.ok_or(ComposeFault {
        field: "text",
        accepted: "text that can be written with CRLF line ends",
    })
}

fn mailbox<'a>(
    address: &'a Address,
    name: &'static str,
    addr: &'static str,
) -> Result<Mailbox<'a>, ComposeFault> {
    let strict = strict_address(&address.addr).map_err(|f| ComposeFault {
        field: addr,
        accepted: f.accepted(),
    })?;
    let shown = one_line(&address.name, name)?;
    Ok(Mailbox::new_address(
        (!shown.is_empty()).then_some(shown),
        strict.addr,
    ))
}

fn one_line<'a>(text: &'a str, field: &'static str) -> Result<&'a str, ComposeFault> {
    if text
        .chars()
        .any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'))
    {
        return Err(ComposeFault {
            field,
            accepted: "one line without CR, LF, NUL and other control characters",
        });
    }
    if text.len() > 2000 {
        return Err(ComposeFault {
            field,
            accepted: "at most 2,000 bytes",
        });
    }
    Ok(text)
}

/// An id as RFC 5322 §3.6.4 has it, without blanks and brackets.
fn id<'a>(id: &'a str, field: &'static str) -> Result<&'a str, ComposeFault> {
    let is_id = (3..=900).contains(&id.len())
        && id.bytes().all(|b| b.is_ascii_graphic() && b != b'<' && b != b'>')
        && id
            .split_once('@')
            .is_some_and(|(left, right)| !left.is_empty() && !right.is_empty());
    is_id.then_some(id).ok_or(ComposeFault {
        field,
        accepted: "a Message-ID such as a1b2@example.org",
    })
}

fn crlf(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace('\n', "\r\n")
}

/// Whether CR and LF only stand together: anything else can smuggle a second message past a server.
fn is_crlf_only(bytes: &[u8]) -> bool {
    let lone = |(at, byte): (usize, &u8)| match byte {
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        b'\n' => at == 0 || bytes.get(at - 1) != Some(&b'\r'),
        _ => false,
    };
    !bytes.iter().enumerate().any(lone)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Compose {
        let address = |name: &str, addr: &str| Address {
            name: name.into(),
            addr: addr.into(),
        };
        Compose {
            from: address("Jürgen Groß", "j.gross@example.org"),
            to: vec![
                address("Lind, Anna", "anna@example.org"),
                address("", "bo@example.org"),
            ],
            cc: vec![address("Zoë \"Z\"", "zoe@example.net")],
            subject: "Grüße: 東京 und ein sehr langer Betreff, der gefaltet werden muss, weil er nicht passt"
                .into(),
            text: "Hallo,\n\n.\nein Punkt\rund Ümläute\r\n".into(),
            in_reply_to: Some("parent@example.org".into()),
            references: (0..40).map(|i| format!("id-{i}@example.org")).collect(),
            date: 1_793_610_000,
            message_id: "a1b2@example.org".into(),
        }
    }

    #[test]
    fn what_is_built_is_read_back() {
        let compose = sample();
        let bytes = build(&compose).unwrap();
        let view = crate::parse(&bytes);
        assert_eq!(view.from, std::slice::from_ref(&compose.from));
        assert_eq!(
            (&view.to, &view.cc, &view.bcc),
            (&compose.to, &compose.cc, &vec![])
        );
        assert_eq!(view.subject, compose.subject);
        assert_eq!(view.text, "Hallo,\n\n.\nein Punkt\nund Ümläute");
        assert_eq!(view.in_reply_to, ["parent@example.org"]);
        assert_eq!(view.references, compose.references);
        assert_eq!(
            (view.date, view.message_id.as_deref()),
            (Some(compose.date), Some("a1b2@example.org"))
        );
        assert!(!view.is_ambiguous && view.doubt.is_none());
        assert!(bytes.is_ascii() && is_crlf_only(&bytes));
        assert!(bytes.split(|&b| b == b'\n').all(|line| line.len() <= 998));
        assert_eq!(
            bytes,
            build(&compose).unwrap(),
            "the same input gives the same bytes"
        );
    }

    #[track_caller]
    fn refused(change: impl Fn(&mut Compose), field: &str) {
        let mut compose = sample();
        change(&mut compose);
        assert_eq!(build(&compose).map_err(|f| f.field), Err(field));
    }

    #[test]
    fn cr_lf_and_nul_are_refused_by_field() {
        for evil in [
            "a\r\nBcc: eve@example.net",
            "a\nb",
            "a\rb",
            "a\0b",
            "a\u{2028}b",
            "a\u{1b}b",
        ] {
            refused(|c| c.subject = evil.into(), "subject");
            refused(|c| c.from.name = evil.into(), "from.name");
            refused(|c| c.from.addr = format!("{evil}@example.org"), "from.addr");
            refused(|c| c.to[1].name = evil.into(), "to.name");
            refused(|c| c.cc[0].addr = format!("a@example.org{evil}"), "cc.addr");
            refused(|c| c.message_id = format!("{evil}@x"), "message_id");
            refused(|c| c.in_reply_to = Some(format!("{evil}@x")), "in_reply_to");
            refused(|c| c.references.push(format!("{evil}@x")), "references");
        }
        refused(|c| c.text.push('\0'), "text");
        refused(|c| c.date = -1, "date");
        refused(|c| c.message_id = "<a@b>".into(), "message_id");
        refused(
            |c| c.to[0].addr = "\"a@ok.example> ORCPT=x\"@evil.example".into(),
            "to.addr",
        );
        refused(|c| c.from.addr = String::new(), "from.addr");
    }

    /// The nine end-of-data sequences that servers have been fooled with (trust notes §2.2).
    #[test]
    fn no_line_end_in_a_text_can_smuggle() {
        for evil in [
            "\n.\n",
            "\n.\r",
            "\r.\n",
            "\r.\r",
            "\n.\r\n",
            "\r.\r\n",
            "\r\n.\r\r\n",
            "\r\r\n.\r\r\n",
        ] {
            let mut compose = sample();
            compose.text = format!("a{evil}MAIL FROM:<eve@example.net>");
            assert!(
                build(&compose).is_ok_and(|bytes| is_crlf_only(&bytes)),
                "{evil:?}"
            );
        }
    }
}
