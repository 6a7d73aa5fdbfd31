//! Reads the words of one response: atoms, numbers, strings, lists (RFC 3501 §9), tolerant where servers are sloppy.
//!
//! Nothing recurses, so that no nesting can exhaust the stack; whatever is not known is stepped over.

use std::borrow::Cow;

use crate::guard::Frame;

/// A place in a response.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    frame: &'a Frame,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(frame: &'a Frame) -> Self {
        Cursor { frame, at: 0 }
    }

    /// What is left, as bytes.
    pub fn rest(&self) -> &'a [u8] {
        &self.frame.bytes[self.at..]
    }

    pub fn peek(&self) -> Option<u8> {
        self.frame.bytes.get(self.at).copied()
    }

    /// Takes this byte if it comes next.
    pub fn eat(&mut self, byte: u8) -> bool {
        let here = self.peek() == Some(byte);
        self.at += usize::from(here);
        here
    }

    /// Takes this word if it comes next and ends there, in any case.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let mut ahead = self.clone();
        let found = ahead
            .atom()
            .is_some_and(|a| a.eq_ignore_ascii_case(word.as_bytes()));
        if found {
            *self = ahead;
        }
        found
    }

    /// Steps over spaces, however many: some servers send two.
    pub fn spaces(&mut self) {
        while self.eat(b' ') {}
    }

    /// A run of bytes up to a space, a bracket of any kind or a quote.
    pub fn atom(&mut self) -> Option<&'a [u8]> {
        self.take_while(|b| !matches!(b, b' ' | b'(' | b')' | b'[' | b']' | b'{' | b'"' | b'\r' | b'\n'))
    }

    /// Bytes up to the one given, which is taken too and left out.
    pub fn until(&mut self, end: u8) -> Option<&'a [u8]> {
        let n = self.rest().iter().position(|b| *b == end)?;
        let taken = &self.rest()[..n];
        self.at += n + 1;
        Some(taken)
    }

    fn take_while(&mut self, keep: impl Fn(u8) -> bool) -> Option<&'a [u8]> {
        let rest = self.rest();
        let n = rest.iter().position(|b| !keep(*b)).unwrap_or(rest.len());
        self.at += n;
        (n > 0).then_some(&rest[..n])
    }

    /// A number that fits.
    pub fn number<N: std::str::FromStr>(&mut self) -> Option<N> {
        let mut ahead = self.clone();
        let digits = ahead.take_while(|b| b.is_ascii_digit())?;
        let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
        *self = ahead;
        Some(number)
    }

    /// A quoted string, unescaped, or a literal as it is.
    pub fn string(&mut self) -> Option<Cow<'a, [u8]>> {
        match self.peek()? {
            b'"' => self.quoted(),
            b'{' | b'~' => self.literal().map(Cow::Borrowed),
            _ => None,
        }
    }

    /// A string, or nothing for NIL. The outer option says whether either was there.
    pub fn nstring(&mut self) -> Option<Option<Cow<'a, [u8]>>> {
        if self.eat_word("NIL") {
            Some(None)
        } else {
            self.string().map(Some)
        }
    }

    /// A string or an atom. Mailbox names are written so; `[` and `]` may stand in them.
    pub fn astring(&mut self) -> Option<Cow<'a, [u8]>> {
        match self.peek()? {
            b'"' | b'{' => self.string(),
            _ => self
                .take_while(|b| !matches!(b, b' ' | b'(' | b')' | b'"' | b'\r' | b'\n'))
                .map(Cow::Borrowed),
        }
    }

    fn quoted(&mut self) -> Option<Cow<'a, [u8]>> {
        let start = self.at + 1;
        let mut text = Cow::Borrowed(&self.frame.bytes[start..start]);
        let (mut at, mut escaped) = (start, false);
        loop {
            let byte = *self.frame.bytes.get(at)?;
            match byte {
                b'\r' | b'\n' => return None,
                b'\\' if !escaped => escaped = true,
                b'"' if !escaped => break,
                _ => {
                    // Only \" and \\ are escapes; before anything else the backslash is meant.
                    if escaped && byte != b'"' && byte != b'\\' {
                        text.to_mut().push(b'\\');
                    }
                    escaped = false;
                    text.to_mut().push(byte);
                }
            }
            at += 1;
        }
        self.at = at + 1;
        Some(text)
    }

    fn literal(&mut self) -> Option<&'a [u8]> {
        let from = self.at + usize::from(self.peek() == Some(b'~'));
        if self.frame.bytes.get(from) != Some(&b'{') {
            return None;
        }
        // The guard marked where literals lie; the next one from here is ours if only `{n}` and a break lie between.
        let i = self.frame.literals.partition_point(|r| r.start <= from);
        let range = self.frame.literals.get(i)?.clone();
        let marker = &self.frame.bytes[from + 1..range.start];
        let digits = marker.strip_suffix(b"}\r\n")?;
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let text = self.frame.bytes.get(range.clone())?;
        self.at = range.end;
        Some(text)
    }

    /// Steps over one value of any kind, nested as deep as it likes. False if the response ends within it.
    pub fn skip_value(&mut self) -> bool {
        let mut depth = 0usize;
        loop {
            let moved = match self.peek() {
                None => return false,
                Some(b'(') => {
                    depth += 1;
                    self.eat(b'(')
                }
                Some(b')') => {
                    if depth == 0 {
                        return false;
                    }
                    depth -= 1;
                    self.eat(b')')
                }
                Some(b'"') => self.quoted().is_some(),
                Some(b'{') => self.literal().is_some(),
                Some(b'~') if self.rest().starts_with(b"~{") => self.literal().is_some(),
                Some(b' ') => self.eat(b' '),
                Some(_) => self
                    .take_while(|b| !matches!(b, b' ' | b'(' | b')' | b'"' | b'{' | b'\r' | b'\n'))
                    .is_some(),
            };
            if !moved {
                return false;
            }
            if depth == 0 {
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use crate::guard::Guard;

    fn frame(text: &str) -> Frame {
        let mut guard = Guard::new(&Limits::default());
        guard.push(text.as_bytes());
        guard.push(b"\r\n");
        guard.next_frame().expect("within limits").expect("whole")
    }

    #[track_caller]
    fn check_string(text: &str, expected: Option<&str>) {
        let frame = frame(&format!("* {text}"));
        let mut c = Cursor::new(&frame);
        c.at = 2;
        assert_eq!(c.string().as_deref(), expected.map(str::as_bytes));
    }

    #[test]
    fn strings_are_unescaped_and_literals_are_not() {
        check_string(r#""a b""#, Some("a b"));
        check_string(r#""""#, Some(""));
        check_string(r#""we\"ird\\""#, Some(r#"we"ird\"#));
        check_string(r#""c:\temp""#, Some(r"c:\temp"));
        check_string("{4}\r\na\\\"b", Some("a\\\"b"));
        check_string("~{2}\r\nxy", Some("xy"));
        check_string("{0}\r\n", Some(""));
        check_string(r#""open"#, None);
        check_string("atom", None);
    }

    #[track_caller]
    fn check_skip(text: &str, rest: Option<&str>) {
        let frame = frame(&format!("* {text}"));
        let mut c = Cursor::new(&frame);
        c.at = 2;
        let whole = c.skip_value();
        assert_eq!(
            whole
                .then(|| String::from_utf8_lossy(c.rest()).into_owned())
                .as_deref(),
            rest
        );
    }

    #[test]
    fn any_value_is_stepped_over() {
        check_skip("NIL UID", Some(" UID"));
        check_skip("(a (b \"c)\") {1}\r\n) (d)) x", Some(" x"));
        check_skip("\"q\" x", Some(" x"));
        check_skip("12) x", Some(") x"));
        check_skip("(a", None);
        check_skip(&"(".repeat(100_000), None);
        check_skip(
            &format!("{}{} x", "(".repeat(100_000), ")".repeat(100_000)),
            Some(" x"),
        );
    }
}
