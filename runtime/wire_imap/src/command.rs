//! Building commands: the only place where an argument becomes part of a command line.

use base64::Engine;
use zeroize::Zeroizing;

use crate::error::Fallible;
use crate::{Phase, Reason};

/// A command without its tag. No `Debug`: it may hold a password, and its memory is wiped when it goes.
pub(crate) struct Command {
    pub phase: Phase,
    /// Whether the server's state may be another after it.
    pub changes: bool,
    /// What is sent at once; between two parts the server must first ask for more.
    pub parts: Vec<Zeroizing<Vec<u8>>>,
}

impl Command {
    pub fn new(phase: Phase, text: &str) -> Self {
        Command {
            phase,
            changes: false,
            parts: vec![Zeroizing::new(text.as_bytes().to_vec())],
        }
    }

    /// Says that the command changes something.
    pub fn changing(mut self) -> Self {
        self.changes = true;
        self
    }

    /// Adds text that this crate made: keywords, numbers, sets.
    pub fn text(mut self, text: &str) -> Self {
        self.last().extend_from_slice(text.as_bytes());
        self
    }

    /// Adds a space and a string that came from outside: quoted where it can be, a literal where it holds bytes
    /// beyond ASCII or is long, refused where no string can hold it (RFC 3501 §4.3: CR, LF and NUL).
    pub fn astring(mut self, name: &'static str, value: &str) -> Fallible<Self> {
        if value.bytes().any(|b| matches!(b, b'\r' | b'\n' | 0)) {
            return Err(Reason::Argument(name));
        }
        // Reserved up front: growing would leave copies of a password behind that nothing wipes.
        let mut line = Zeroizing::new(Vec::with_capacity(self.last().len() + 2 * value.len() + 16));
        line.extend_from_slice(self.last());
        line.push(b' ');
        if value.is_ascii() && value.len() <= 512 {
            line.push(b'"');
            for b in value.bytes() {
                if matches!(b, b'"' | b'\\') {
                    line.push(b'\\');
                }
                line.push(b);
            }
            line.push(b'"');
            *self.last() = std::mem::take(&mut line);
        } else {
            line.extend_from_slice(format!("{{{}}}", value.len()).as_bytes());
            *self.last() = std::mem::take(&mut line);
            self.parts.push(Zeroizing::new(value.as_bytes().to_vec()));
        }
        Ok(self)
    }

    /// A SASL PLAIN response (RFC 4616), within the command (SASL-IR, RFC 4959) or when the server asks for it.
    pub fn sasl_plain(mut self, user: &str, password: &str, at_once: bool) -> Fallible<Self> {
        for (name, value) in [("login", user), ("password", password)] {
            if value.contains('\0') {
                return Err(Reason::Argument(name));
            }
        }
        let mut clear = Zeroizing::new(Vec::with_capacity(user.len() + password.len() + 2));
        clear.push(0);
        clear.extend_from_slice(user.as_bytes());
        clear.push(0);
        clear.extend_from_slice(password.as_bytes());
        let coded = Zeroizing::new(base64::engine::general_purpose::STANDARD.encode(&*clear));
        if at_once {
            let mut line = Zeroizing::new(Vec::with_capacity(self.last().len() + 1 + coded.len()));
            line.extend_from_slice(self.last());
            line.push(b' ');
            line.extend_from_slice(coded.as_bytes());
            *self.last() = std::mem::take(&mut line);
        } else {
            self.parts.push(Zeroizing::new(coded.as_bytes().to_vec()));
        }
        Ok(self)
    }

    fn last(&mut self) -> &mut Zeroizing<Vec<u8>> {
        if self.parts.is_empty() {
            self.parts.push(Zeroizing::new(vec![]));
        }
        let end = self.parts.len() - 1;
        &mut self.parts[end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expected: Result<&[&str], Reason>) {
        let built = Command::new(Phase::Examine, "EXAMINE")
            .astring("folder", value)
            .map(|c| {
                c.parts
                    .iter()
                    .map(|p| String::from_utf8_lossy(p).into_owned())
                    .collect::<Vec<_>>()
            });
        assert_eq!(
            built,
            expected.map(|parts| parts.iter().map(|p| (*p).to_string()).collect())
        );
    }

    #[test]
    fn no_argument_can_end_the_line() {
        check("INBOX", Ok(&["EXAMINE \"INBOX\""]));
        check("", Ok(&["EXAMINE \"\""]));
        check(r#"a"b\c"#, Ok(&[r#"EXAMINE "a\"b\\c""#]));
        check("x {5}", Ok(&["EXAMINE \"x {5}\""]));
        check("x {5+}", Ok(&["EXAMINE \"x {5+}\""]));
        check("Entwürfe", Ok(&["EXAMINE {9}", "Entwürfe"]));
        for bad in ["a\rb", "a\nb", "a\0b", "a\r\na1 DELETE INBOX"] {
            check(bad, Err(Reason::Argument("folder")));
        }
    }

    #[test]
    fn a_long_argument_is_a_literal() {
        let long = "x".repeat(600);
        check(&long, Ok(&["EXAMINE {600}", &long]));
    }

    #[test]
    fn sasl_plain_at_once_or_when_asked() {
        let parts = |at_once| {
            let c = Command::new(Phase::Login, "AUTHENTICATE PLAIN")
                .sasl_plain("u", "p", at_once)
                .expect("fits");
            c.parts
                .iter()
                .map(|p| String::from_utf8_lossy(p).into_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(parts(true), ["AUTHENTICATE PLAIN AHUAcA=="]);
        assert_eq!(parts(false), ["AUTHENTICATE PLAIN", "AHUAcA=="]);
        let refused = Command::new(Phase::Login, "AUTHENTICATE PLAIN").sasl_plain("u", "p\0x", true);
        assert_eq!(refused.err(), Some(Reason::Argument("password")));
    }
}
