//! Flags (RFC 3501 §2.3.2). Those that may be set by hand are a type that has no word for `\Seen`.

use crate::Reason;
use crate::cursor::Cursor;

/// System flags as they are written here, whatever case the server uses.
const SYSTEM: [&str; 7] = [
    "\\Answered",
    "\\Deleted",
    "\\Draft",
    "\\Flagged",
    "\\Recent",
    "\\Seen",
    "\\*",
];

/// A flag that [`crate::Writer::store_flags`] can set. `\Seen` has methods of its own (P2), and `\Deleted` none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settable {
    /// `\Flagged`.
    Flagged,
    /// `\Answered`.
    Answered,
    /// `\Draft`.
    Draft,
    /// A keyword.
    Keyword(Keyword),
}

/// A keyword: an atom of at most 100 bytes that does not begin with a backslash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyword(String);

impl Keyword {
    /// Checks a keyword.
    ///
    /// # Errors
    /// [`Reason::Argument`] where the text is no atom (RFC 3501 §9: no space, bracket, quote, wildcard, control or
    /// byte beyond ASCII) or begins with a backslash.
    pub fn new(text: &str) -> Result<Self, Reason> {
        let atom = |b: u8| b.is_ascii_graphic() && !b"(){%*\"\\]".contains(&b);
        let good = !text.is_empty() && text.len() <= 100 && text.bytes().all(atom);
        good.then(|| Keyword(text.to_owned()))
            .ok_or(Reason::Argument("keyword"))
    }
}

impl Settable {
    /// As it goes over the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Settable::Flagged => "\\Flagged",
            Settable::Answered => "\\Answered",
            Settable::Draft => "\\Draft",
            Settable::Keyword(Keyword(k)) => k,
        }
    }
}

/// Reads `(a b c)`: in order, without doubles, system flags in their usual case. `\Recent` is left out: it says
/// something of the session, not of the message.
pub(crate) fn read_list(c: &mut Cursor<'_>) -> Option<Vec<String>> {
    if !c.eat(b'(') {
        return None;
    }
    let mut flags = vec![];
    loop {
        c.spaces();
        if c.eat(b')') {
            break;
        }
        // Some servers put brackets into keywords.
        let flag = c.astring()?;
        flags.push(usual(&String::from_utf8_lossy(&flag)));
    }
    flags.retain(|f| f != "\\Recent");
    flags.sort_unstable();
    flags.dedup();
    Some(flags)
}

fn usual(flag: &str) -> String {
    SYSTEM
        .iter()
        .find(|s| s.eq_ignore_ascii_case(flag))
        .map_or_else(|| flag.to_owned(), |s| (*s).to_owned())
}

/// Whether two flags are the same: keywords, too, are compared without regard to case (RFC 9051 §2.3.2).
pub(crate) fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        let read = |text: &str| {
            let frame = crate::guard::Frame {
                bytes: text.as_bytes().to_vec(),
                literals: vec![],
            };
            read_list(&mut Cursor::new(&frame))
        };
        let own = |flags: &[&str]| Some(flags.iter().map(|f| (*f).to_owned()).collect::<Vec<_>>());
        assert_eq!(read("(\\seen b \\RECENT a b )"), own(&["\\Seen", "a", "b"]));
        assert_eq!(read("()"), own(&[]));
        assert_eq!(
            read("(OIB-Seen-[Gmail]/All \\*)"),
            own(&["OIB-Seen-[Gmail]/All", "\\*"]).map(|mut f| {
                f.sort();
                f
            })
        );
        assert_eq!((read("(a"), read("a"), read("(a (b))")), (None, None, None));
    }

    #[test]
    fn no_keyword_is_a_system_flag() {
        for bad in [
            "\\Seen",
            "\\seen",
            "",
            "a b",
            "a)",
            "a\r\n",
            "é",
            "%",
            "*",
            "\"",
            "]",
            &"x".repeat(101),
        ] {
            assert_eq!(Keyword::new(bad), Err(Reason::Argument("keyword")), "{bad}");
        }
        for good in ["$Forwarded", "NonJunk", "a-b_c.d", "$label1"] {
            assert_eq!(
                Keyword::new(good).map(|k| Settable::Keyword(k).as_str().to_owned()),
                Ok(good.to_owned())
            );
        }
    }
}
