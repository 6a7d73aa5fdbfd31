//! Text to the bytes of its charset, and bytes to what a header or a 7-bit body may hold (RFC 2045, 2047).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use encoding_rs::{Encoding, UTF_8};

/// The charset of some text: what its bytes are, and what the message claims.
#[derive(Debug, Clone, Copy)]
pub struct Charset {
    /// What the bytes are.
    pub encoding: &'static Encoding,
    /// What `charset=` says; real mail lies here at times.
    pub label: &'static str,
}

/// UTF-8, honestly labelled.
pub const UTF8: Charset = Charset {
    encoding: UTF_8,
    label: "utf-8",
};

impl Charset {
    /// From `koi8-r`, or `windows-1252 as iso-8859-1` where the label lies. `None` for an unknown encoding.
    pub fn parse(text: &'static str) -> Option<Charset> {
        let (name, label) = text.split_once(" as ").unwrap_or((text, text));
        Encoding::for_label(name.as_bytes()).map(|encoding| Charset { encoding, label })
    }

    /// The text as bytes of this charset.
    pub fn encode(self, text: &str) -> Vec<u8> {
        self.encoding.encode(text).0.into_owned()
    }
}

/// Header text as it is if plain ASCII, else as encoded words of at most 75 characters, folded.
pub fn header_text(text: &str, charset: Charset) -> String {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return text.to_owned();
    }
    let room = (75 - charset.label.len() - "=?".len() - "?B??=".len()) / 4 * 3;
    let mut words: Vec<String> = Vec::new();
    let mut piece = String::new();
    for letter in text.chars() {
        piece.push(letter);
        // Each word must decode alone, so a word is measured encoded, with its shift sequences.
        if charset.encode(&piece).len() > room {
            piece.pop();
            words.push(word(&piece, charset));
            piece = letter.to_string();
        }
    }
    words.push(word(&piece, charset));
    words.join("\r\n ")
}

fn word(text: &str, charset: Charset) -> String {
    format!(
        "=?{}?B?{}?=",
        charset.label,
        STANDARD.encode(charset.encode(text))
    )
}

/// Base64 in lines of 76 with CRLF.
pub fn base64(bytes: &[u8]) -> Vec<u8> {
    let text = STANDARD.encode(bytes);
    let mut out = Vec::with_capacity(text.len() + text.len() / 38 + 2);
    for line in text.as_bytes().chunks(76) {
        out.extend_from_slice(line);
        out.extend_from_slice(b"\r\n");
    }
    out
}

/// Quoted-printable with soft breaks; `text` has LF line ends, the result CRLF.
pub fn quoted_printable(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 4);
    for line in bytes.split(|byte| *byte == b'\n') {
        let mut column = 0;
        for (at, byte) in line.iter().enumerate() {
            let trailing = at + 1 == line.len() && (*byte == b' ' || *byte == b'\t');
            let plain = (b' '..=b'~').contains(byte) && *byte != b'=' && !trailing;
            let width = if plain { 1 } else { 3 };
            if column + width > 75 {
                out.extend_from_slice(b"=\r\n");
                column = 0;
            }
            if plain {
                out.push(*byte);
            } else {
                out.extend_from_slice(format!("={byte:02X}").as_bytes());
            }
            column += width;
        }
        out.extend_from_slice(b"\r\n");
    }
    out
}

/// LF line ends to CRLF, with one at the end.
pub fn crlf(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 30 + 2);
    for line in bytes
        .strip_suffix(b"\n")
        .unwrap_or(bytes)
        .split(|byte| *byte == b'\n')
    {
        out.extend_from_slice(line);
        out.extend_from_slice(b"\r\n");
    }
    out
}

/// A number that is always the same for the same text (FNV-1a), for boundaries, seconds and queue ids.
pub fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_header(charset: &'static str, text: &str, expected: &str) {
        assert_eq!(header_text(text, Charset::parse(charset).unwrap()), expected);
    }

    #[test]
    fn header_text_is_encoded_only_where_it_must_be() {
        check_header("utf-8", "Lunch", "Lunch");
        check_header("utf-8", "Grüße", "=?utf-8?B?R3LDvMOfZQ==?=");
        check_header("koi8-r", "Да", "=?koi8-r?B?5ME=?=");
        check_header("iso-2022-jp", "水", "=?iso-2022-jp?B?GyRCP2UbKEI=?=");
        check_header("windows-1252 as iso-8859-1", "“x”", "=?iso-8859-1?B?k3iU?=");
    }

    #[test]
    fn long_header_text_is_folded_into_words_that_decode_alone() {
        let text = "水質センサーの校正手順について確認したいことがあります".repeat(2);
        for charset in ["iso-2022-jp", "shift_jis", "utf-8"].map(|name| Charset::parse(name).unwrap()) {
            let folded = header_text(&text, charset);
            let mut decoded = String::new();
            for line in folded.split("\r\n ") {
                assert!(line.len() <= 75, "{line}");
                let word = line.strip_prefix(&format!("=?{}?B?", charset.label)).unwrap();
                let bytes = STANDARD.decode(word.strip_suffix("?=").unwrap()).unwrap();
                decoded.push_str(&charset.encoding.decode_without_bom_handling(&bytes).0);
            }
            assert_eq!(decoded, text);
        }
    }

    #[test]
    fn quoted_printable_escapes_and_breaks() {
        assert_eq!(
            quoted_printable("ä = b \nc".as_bytes()),
            b"=C3=A4 =3D b=20\r\nc\r\n"
        );
        let long = quoted_printable("é".repeat(60).as_bytes());
        assert!(long.split(|byte| *byte == b'\n').all(|line| line.len() <= 77));
    }

    #[test]
    fn line_ends_become_crlf_once() {
        assert_eq!(crlf(b"a\n\nb\n"), b"a\r\n\r\nb\r\n");
        assert_eq!(crlf(b"a"), b"a\r\n");
    }
}
