//! Content-Transfer-Encoding (RFC 2045 §6), undone leniently: what is not in the alphabet is skipped, never refused.
//! Absent: uuencode and yEnc, which are text here.

use std::borrow::Cow;

/// The transfer encoding of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    #[default]
    Identity,
    Base64,
    QuotedPrintable,
}

impl Encoding {
    pub(crate) fn of(label: &str) -> Self {
        let label = label.trim();
        if label.eq_ignore_ascii_case("base64") {
            Self::Base64
        } else if label.eq_ignore_ascii_case("quoted-printable") {
            Self::QuotedPrintable
        } else {
            Self::Identity
        }
    }
}

/// The bytes behind the encoding.
pub(crate) fn decode(body: &[u8], encoding: Encoding) -> Cow<'_, [u8]> {
    match encoding {
        Encoding::Identity => Cow::Borrowed(body),
        Encoding::Base64 => Cow::Owned(base64(body)),
        Encoding::QuotedPrintable => Cow::Owned(quoted_printable(body)),
    }
}

/// How many bytes [`decode`] would give, without keeping them where that is cheap.
pub(crate) fn decoded_len(body: &[u8], encoding: Encoding) -> u64 {
    let len = match encoding {
        Encoding::Identity => body.len(),
        Encoding::Base64 => body.iter().filter(|&&b| sextet(b).is_some()).count() * 3 / 4,
        Encoding::QuotedPrintable => quoted_printable(body).len(),
    };
    u64::try_from(len).unwrap_or(u64::MAX)
}

const fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

fn base64(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0_u32);
    for &byte in body {
        match sextet(byte) {
            Some(value) => {
                bits = bits << 6 | u32::from(value);
                held += 6;
                if held >= 8 {
                    held -= 8;
                    out.push((bits >> held & 0xff) as u8);
                }
            }
            // Padding ends a run; joined base64 texts (seen in the wild) start anew after it.
            None if byte == b'=' => held = 0,
            None => {}
        }
    }
    out
}

fn quoted_printable(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'=' {
            out.push(byte);
            continue;
        }
        if let [high, low, tail @ ..] = rest
            && let (Some(high), Some(low)) = (nibble(*high), nibble(*low))
        {
            out.push(high << 4 | low);
            rest = tail;
            continue;
        }
        // A soft line break, with the trailing blanks that some transports add.
        let blanks = rest.iter().take_while(|&&b| b == b' ' || b == b'\t').count();
        match rest.get(blanks..) {
            Some([b'\r', b'\n', tail @ ..] | [b'\n', tail @ ..]) => rest = tail,
            Some([]) => rest = &[],
            _ => out.push(b'='),
        }
    }
    out
}

const fn nibble(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(encoding: Encoding, body: &str, expected: &[u8]) {
        assert_eq!(&*decode(body.as_bytes(), encoding), expected);
        assert_eq!(decoded_len(body.as_bytes(), encoding), expected.len() as u64);
    }

    #[test]
    fn base64_skips_what_is_not_in_the_alphabet() {
        check(Encoding::Base64, "SGVsbG8=", b"Hello");
        check(Encoding::Base64, "SGVs\r\n bG8", b"Hello");
        check(Encoding::Base64, "SG!Vs*bG8=", b"Hello");
        check(Encoding::Base64, "", b"");
        check(Encoding::Base64, "A", b"");
    }

    #[test]
    fn joined_base64_texts_are_both_read() {
        assert_eq!(&*decode(b"SGk=SGk=", Encoding::Base64), b"HiHi");
    }

    #[test]
    fn quoted_printable_keeps_what_is_not_an_escape() {
        check(
            Encoding::QuotedPrintable,
            "Gr=C3=BC=c3=9fe=\r\n!",
            "Grüße!".as_bytes(),
        );
        check(Encoding::QuotedPrintable, "a=  \nb", b"ab");
        check(Encoding::QuotedPrintable, "1+1=2 =XY =", b"1+1=2 =XY ");
    }
}
