//! The byte guard: cuts what a server sends into whole responses, under limits, before anything reads it.
//!
//! A response is one line, or a line that goes on after a literal (RFC 3501 §4.3). Nothing is interpreted here but
//! that framing; memory grows with what arrived, never with what was announced.

use std::ops::Range;

use crate::error::Fallible;
use crate::{Limits, Reason, TooLarge};

/// One whole response without its final line break.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    /// All of it, literals included with their `{n}` and line break.
    pub bytes: Vec<u8>,
    /// Where the contents of literals lie in `bytes`.
    pub literals: Vec<Range<usize>>,
}

/// Bytes in, frames out.
#[derive(Debug)]
pub(crate) struct Guard {
    line_limit: usize,
    literal_limit: u64,
    literals_limit: usize,
    input: Vec<u8>,
    taken: usize,
    frame: Frame,
    line_start: usize,
    literal_left: u64,
}

impl Guard {
    pub fn new(limits: &Limits) -> Self {
        Guard {
            line_limit: limits.line,
            literal_limit: limits.literal,
            literals_limit: limits.literals,
            input: Vec::new(),
            taken: 0,
            frame: Frame::default(),
            line_start: 0,
            literal_left: 0,
        }
    }

    /// Takes in what was read from the socket.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.taken == self.input.len() {
            self.input.clear();
            self.taken = 0;
        }
        self.input.extend_from_slice(bytes);
    }

    /// Nothing is waiting: neither a whole response nor the start of one.
    pub fn is_empty(&self) -> bool {
        self.taken == self.input.len() && self.frame.bytes.is_empty()
    }

    /// The first byte of what has arrived and was not yet taken as a frame.
    pub fn first_byte(&self) -> Option<u8> {
        self.frame
            .bytes
            .first()
            .or_else(|| self.input.get(self.taken))
            .copied()
    }

    /// The next whole response, if it has arrived.
    pub fn next_frame(&mut self) -> Fallible<Option<Frame>> {
        while self.taken < self.input.len() {
            if self.literal_left > 0 {
                self.take_literal();
                continue;
            }
            let rest = &self.input[self.taken..];
            let end = rest.iter().position(|b| *b == b'\n');
            let n = end.map_or(rest.len(), |p| p + 1);
            if self.frame.bytes.len() - self.line_start + n > self.line_limit {
                return Err(Reason::TooLarge(TooLarge::Line));
            }
            self.frame.bytes.extend_from_slice(&rest[..n]);
            self.taken += n;
            if end.is_none() {
                break;
            }
            match self.announced()? {
                Some(length) => self.begin_literal(length)?,
                None => {
                    let mut frame = std::mem::take(&mut self.frame);
                    let line_start = std::mem::take(&mut self.line_start);
                    // Only this line's own break: the literal before it may end in one too.
                    while frame.bytes.len() > line_start && matches!(frame.bytes.last(), Some(b'\r' | b'\n'))
                    {
                        frame.bytes.pop();
                    }
                    return Ok(Some(frame));
                }
            }
        }
        Ok(None)
    }

    fn take_literal(&mut self) {
        let rest = &self.input[self.taken..];
        let n = usize::try_from(self.literal_left)
            .unwrap_or(usize::MAX)
            .min(rest.len());
        self.frame.bytes.extend_from_slice(&rest[..n]);
        self.taken += n;
        self.literal_left -= n as u64;
        if self.literal_left == 0 {
            self.line_start = self.frame.bytes.len();
        }
    }

    fn begin_literal(&mut self, length: u64) -> Fallible<()> {
        if length > self.literal_limit {
            return Err(Reason::TooLarge(TooLarge::Literal));
        }
        if self.frame.literals.len() >= self.literals_limit {
            return Err(Reason::TooLarge(TooLarge::Literals));
        }
        let all = self.frame.literals.iter().map(|r| r.len() as u64).sum::<u64>() + length;
        if all > self.literal_limit {
            return Err(Reason::TooLarge(TooLarge::Literal));
        }
        let start = self.frame.bytes.len();
        let length = usize::try_from(length).map_err(|_| Reason::TooLarge(TooLarge::Literal))?;
        self.frame.literals.push(start..start + length);
        self.literal_left = length as u64;
        self.line_start = start;
        Ok(())
    }

    /// The length of the literal that the line just ended announces. Only data responses carry literals: the text
    /// of a status response may end in `{5}` and mean nothing by it.
    fn announced(&self) -> Fallible<Option<u64>> {
        let line = &self.frame.bytes[self.line_start..];
        let Some(line) = line.strip_suffix(b"}\r\n") else {
            return Ok(None);
        };
        if !self.frame.bytes.starts_with(b"* ") || is_status(&self.frame.bytes[2..]) {
            return Ok(None);
        }
        let Some(open) = line.iter().rposition(|b| *b == b'{') else {
            return Ok(None);
        };
        let digits = &line[open + 1..];
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Ok(None);
        }
        let digits = std::str::from_utf8(digits).unwrap_or_default();
        digits
            .parse()
            .map(Some)
            .map_err(|_| Reason::TooLarge(TooLarge::Literal))
    }
}

fn is_status(rest: &[u8]) -> bool {
    let word = rest
        .split(|b| matches!(b, b' ' | b'\r' | b'\n'))
        .next()
        .unwrap_or_default();
    [&b"OK"[..], b"NO", b"BAD", b"BYE", b"PREAUTH"]
        .iter()
        .any(|s| word.eq_ignore_ascii_case(s))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Guard {
        Guard::new(&Limits {
            line: 64,
            literal: 100,
            literals: 3,
            ..Limits::default()
        })
    }

    /// The frames must be the same however the bytes are cut.
    #[track_caller]
    fn check(input: &str, expected: &[&str]) {
        for step in [1, 2, 3, 7, input.len().max(1)] {
            let mut guard = small();
            let mut frames = vec![];
            for piece in input.as_bytes().chunks(step) {
                guard.push(piece);
                while let Some(f) = guard.next_frame().expect("within limits") {
                    frames.push(String::from_utf8(f.bytes).expect("utf-8"));
                }
            }
            assert_eq!(frames, expected, "cut every {step} bytes");
            assert!(guard.is_empty());
        }
    }

    #[track_caller]
    fn check_refused(input: &str, expected: TooLarge) {
        let mut guard = small();
        guard.push(input.as_bytes());
        let last = loop {
            match guard.next_frame() {
                Ok(Some(_)) => {}
                other => break other,
            }
        };
        assert_eq!(last, Err(Reason::TooLarge(expected)));
    }

    #[test]
    fn whole_responses_come_out() {
        check(
            "* OK hello\r\n+ go on\r\na1 OK\r\n",
            &["* OK hello", "+ go on", "a1 OK"],
        );
        check(
            "* 1 FETCH (BODY[] {5}\r\na\r\nb) UID 1)\r\n",
            &["* 1 FETCH (BODY[] {5}\r\na\r\nb) UID 1)"],
        );
        check(
            "* 1 FETCH (A {0}\r\n B {1}\r\nx)\r\n* 2 EXISTS\r\n",
            &["* 1 FETCH (A {0}\r\n B {1}\r\nx)", "* 2 EXISTS"],
        );
        check(
            "* X {0}\r\n\r\n* Y {2}\r\n\r\n\r\n",
            &["* X {0}\r\n", "* Y {2}\r\n\r\n"],
        );
        check("* LIST () \"/\" x\n", &["* LIST () \"/\" x"]);
    }

    #[test]
    fn a_text_that_looks_like_a_literal_is_none() {
        check(
            "* OK costs {5}\r\n* BYE {3}\r\n",
            &["* OK costs {5}", "* BYE {3}"],
        );
        check("a1 NO no {9}\r\n+ {4}\r\n", &["a1 NO no {9}", "+ {4}"]);
        check("* 1 FETCH (X {-1}\r\n)\r\n", &["* 1 FETCH (X {-1}", ")"]);
        check("* 1 FETCH (X {}\r\n", &["* 1 FETCH (X {}"]);
    }

    #[test]
    fn limits_hold_before_anything_is_kept() {
        check_refused("* 1 FETCH (BODY[] {101}\r\n", TooLarge::Literal);
        check_refused("* 1 FETCH (BODY[] {4294967295}\r\n", TooLarge::Literal);
        check_refused("* 1 FETCH (BODY[] {18446744073709551616}\r\n", TooLarge::Literal);
        check_refused(
            "* X {60}\r\n123456789012345678901234567890123456789012345678901234567890 {60}\r\n",
            TooLarge::Literal,
        );
        check_refused("* X {1}\r\na {1}\r\nb {1}\r\nc {1}\r\n", TooLarge::Literals);
        check_refused(&"x".repeat(65), TooLarge::Line);
        check_refused(&format!("* X {{1}}\r\na{}", "y".repeat(65)), TooLarge::Line);
    }

    #[test]
    fn literals_are_marked() {
        let mut guard = small();
        guard.push(b"* X {3}\r\nabc {0}\r\n)\r\n");
        let frame = guard.next_frame().expect("ok").expect("whole");
        let texts: Vec<&[u8]> = frame.literals.iter().map(|r| &frame.bytes[r.clone()]).collect();
        assert_eq!(texts, [&b"abc"[..], b""]);
    }
}
