//! Bytes to text by charset label, with what is done when the label is missing, wrong or unknown (case C42).
//! Absent: statistics on letters. A guess is UTF-8 if it is valid UTF-8, and windows-1252 otherwise.

use std::borrow::Cow;

use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, WINDOWS_1252};
use mail_parser::decoders::charsets::map::charset_decoder;

/// Decoded text, and whether its label was one we know.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub text: String,
    pub known: bool,
}

/// Decodes `bytes` as the label says, or by guess where there is no usable label.
pub(crate) fn decode(bytes: &[u8], label: Option<&str>) -> Decoded {
    let label = label.map(|l| l.trim_matches(|c: char| c.is_whitespace() || c == '"' || c == '\''));
    let text = match label {
        None | Some("") => guess(bytes),
        Some(label) if says_nothing(label) => guess(bytes),
        Some(label) => match Encoding::for_label_no_replacement(label.as_bytes()) {
            Some(encoding) if encoding == UTF_8 => utf8_or_mislabelled(bytes),
            // iso-8859-1 is windows-1252 here, as it is in every mail program: its C1 range is never meant.
            Some(encoding) => encoding.decode(bytes).0.into_owned(),
            // UTF-7, cp850 and others that the web dropped; mail has not.
            None => match old_decoder(label) {
                Some(decode) => decode(bytes),
                None => {
                    return Decoded {
                        text: guess(bytes),
                        known: false,
                    };
                }
            },
        },
    };
    Decoded { text, known: true }
}

/// Labels that say "ASCII" or "I do not know"; 8-bit bytes under them are something else.
fn says_nothing(label: &str) -> bool {
    [
        "us-ascii",
        "ascii",
        "unknown-8bit",
        "unknown",
        "default",
        "default_charset",
        "x-unknown",
        "8bit",
        "ansi_x3.4-1968",
    ]
    .iter()
    .any(|known| label.eq_ignore_ascii_case(known))
}

fn old_decoder(label: &str) -> Option<fn(&[u8]) -> String> {
    // What encoding_rs maps to the replacement encoding would be one U+FFFD for the whole text.
    if Encoding::for_label(label.as_bytes()) == Some(REPLACEMENT) {
        return None;
    }
    charset_decoder(label.as_bytes())
}

/// UTF-8 if valid, ISO-2022-JP if its escapes are there, else windows-1252, which takes any byte.
pub(crate) fn guess(bytes: &[u8]) -> String {
    let encoding = if memchr::memmem::find(bytes, b"\x1b$B").is_some() && bytes.is_ascii() {
        ISO_2022_JP
    } else if std::str::from_utf8(bytes).is_ok() {
        UTF_8
    } else {
        WINDOWS_1252
    };
    encoding.decode(bytes).0.into_owned()
}

/// Text labelled UTF-8: a few bad bytes become U+FFFD; text with more bad than good sequences was never UTF-8.
fn utf8_or_mislabelled(bytes: &[u8]) -> String {
    let (text, had_errors) = UTF_8.decode_with_bom_removal(bytes);
    if !had_errors {
        return text.into_owned();
    }
    let bad = text.chars().filter(|&c| c == '\u{fffd}').count();
    let good = text.chars().filter(|&c| !c.is_ascii() && c != '\u{fffd}').count();
    if bad > good {
        WINDOWS_1252.decode(bytes).0.into_owned()
    } else {
        text.into_owned()
    }
}

/// Raw 8-bit bytes in a header: UTF-8, else the message's own charset where that fits, else windows-1252.
pub(crate) fn header_bytes<'a>(raw: &'a [u8], hint: Option<&str>) -> Cow<'a, [u8]> {
    if std::str::from_utf8(raw).is_ok() {
        return Cow::Borrowed(raw);
    }
    if let Some(encoding) = hint.and_then(|h| Encoding::for_label_no_replacement(h.as_bytes()))
        && let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(raw)
        && encoding.is_ascii_compatible()
    {
        return Cow::Owned(text.into_owned().into_bytes());
    }
    Cow::Owned(
        WINDOWS_1252
            .decode_without_bom_handling(raw)
            .0
            .into_owned()
            .into_bytes(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], label: Option<&str>, expected: &str, known: bool) {
        assert_eq!(
            decode(bytes, label),
            Decoded {
                text: expected.to_owned(),
                known
            }
        );
    }

    #[test]
    fn labelled_bytes_are_decoded() {
        check(b"\x93\xfa\x96\x7b\x8c\xea", Some("Shift_JIS"), "日本語", true);
        check(
            b"\xd6\xd0\xce\xc4\x81\x30\x8a\x30",
            Some("GB18030"),
            "中文ã",
            true,
        );
        check(b"\xd6\xd0\xce\xc4", Some("gb2312"), "中文", true);
        check(b"\xf0\xd2\xc9\xd7\xc5\xd4", Some("KOI8-R"), "Привет", true);
        check(b"\x93quoted\x94 \x80 5", Some("iso-8859-1"), "“quoted” € 5", true);
        check(b"\x1b$BF|K\\8l\x1b(B", Some("iso-2022-jp"), "日本語", true);
        check(b"Hi +AOQ-", Some("utf-7"), "Hi ä", true);
        check(b"\x84", Some("cp850"), "ä", true);
        check("Grüße".as_bytes(), Some("\"UTF-8\""), "Grüße", true);
        check(b"\xcf\xf0\xe8\xe2\xe5\xf2", Some("windows-1251"), "Привет", true);
    }

    #[test]
    fn a_missing_wrong_or_unknown_label_is_guessed_and_an_unknown_one_is_said() {
        check("Grüße".as_bytes(), None, "Grüße", true);
        check(b"Gr\xfc\xdfe", None, "Grüße", true);
        check(b"Gr\xfc\xdfe", Some("us-ascii"), "Grüße", true);
        check(b"Gr\xfc\xdfe", Some("utf-8"), "Grüße", true);
        check(b"\xc3\xa4\xc3\xb6\xff", Some("utf-8"), "äö\u{fffd}", true);
        check(b"Gr\xfc\xdfe", Some("x-klingon"), "Grüße", false);
        check("Grüße".as_bytes(), Some("x-klingon"), "Grüße", false);
        check(b"abc", Some("iso-2022-kr"), "abc", false);
        check(b"\x1b$BF|K\\8l\x1b(B", None, "日本語", true);
    }

    #[test]
    fn eight_bit_headers_take_utf8_then_the_declared_charset_then_windows_1252() {
        assert_eq!(&*header_bytes("ü".as_bytes(), Some("koi8-r")), "ü".as_bytes());
        assert_eq!(
            &*header_bytes(b"\xf0\xd2\xc9\xd7\xc5\xd4", Some("koi8-r")),
            "Привет".as_bytes()
        );
        assert_eq!(&*header_bytes(b"Gr\xfc\xdfe", None), "Grüße".as_bytes());
        assert_eq!(&*header_bytes(b"Gr\xfc\xdfe", Some("utf-8")), "Grüße".as_bytes());
    }
}
