//! Every charset of the demo decodes back, in body and subject, to the text of its stanza.

use std::collections::BTreeSet;

use base64::Engine;

use super::super::clock::{Clock, date_words};
use super::super::encode::Charset;
use super::super::{ACCOUNTS, stanza, stanzas, thread};
use super::{NOW, field};

fn unquoted(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((byte, tail)) = rest.split_first() {
        rest = tail;
        if *byte != b'=' {
            out.push(*byte);
        } else if let Some(after) = tail.strip_prefix(b"\r\n") {
            rest = after;
        } else {
            out.push(u8::from_str_radix(std::str::from_utf8(&tail[..2]).unwrap(), 16).unwrap());
            rest = &tail[2..];
        }
    }
    out
}

/// Encoded words of a header decoded with `encoding`; joined words lose the fold between them.
fn decoded_words(value: &str, charset: Charset) -> String {
    let word = |word: &str| {
        let coded = word
            .strip_prefix(&format!("=?{}?B?", charset.label))?
            .strip_suffix("?=")?;
        let bytes = base64::engine::general_purpose::STANDARD.decode(coded).ok()?;
        Some(
            charset
                .encoding
                .decode_without_bom_handling(&bytes)
                .0
                .into_owned(),
        )
    };
    let words: Option<Vec<String>> = value.split(' ').map(word).collect();
    words.map_or_else(|| value.to_owned(), |words| words.concat())
}

#[test]
fn every_charset_decodes_back_to_what_was_written() {
    let clock = Clock::new(NOW);
    let mut encodings = BTreeSet::new();
    let mut labels_that_lie = Vec::new();
    for account in ACCOUNTS {
        for stanza in stanzas(account.key).0 {
            let charset = Charset::parse(stanza.charset).expect(stanza.charset);
            if stanza.charset == "utf-8" && stanza.body.is_ascii() || stanza.kind != stanza::Kind::Plain {
                continue;
            }
            assert!(
                !charset.encoding.encode(stanza.body).2,
                "{} cannot hold {}",
                stanza.charset,
                stanza.body
            );
            let (mut bare, own) = (stanza.clone(), matches!(stanza.folder, "Sent" | "Drafts"));
            bare.attach.clear();
            if own {
                bare.to = Some("a@b.example");
            }
            let message = thread::letters(account, &[bare], &clock).remove(0);
            let split = message
                .bytes
                .windows(4)
                .position(|window| window == b"\r\n\r\n")
                .unwrap()
                + 4;
            let body = &message.bytes[split..];
            let bytes = match field(&message, "Content-Transfer-Encoding").as_deref() {
                Some("base64") => {
                    let text: Vec<u8> = body
                        .iter()
                        .copied()
                        .filter(|byte| !b"\r\n".contains(byte))
                        .collect();
                    base64::engine::general_purpose::STANDARD.decode(text).unwrap()
                }
                Some("quoted-printable") => unquoted(body),
                other => {
                    assert!(
                        other == Some("8bit") || (other == Some("7bit") && body.is_ascii()),
                        "{other:?}"
                    );
                    body.to_vec()
                }
            };
            let (text, wrong) = charset.encoding.decode_without_bom_handling(&bytes);
            assert!(!wrong);
            let date = clock.at(stanza.when, stanza.zone, 0);
            assert_eq!(
                text.replace("\r\n", "\n").trim_end(),
                date_words(stanza.body, &date),
                "{}",
                stanza.charset
            );
            if let Some(subject) = stanza.subject {
                let found = decoded_words(&field(&message, "Subject").unwrap(), charset);
                assert_eq!(found, date_words(subject, &date), "{}", stanza.charset);
            }
            let label = field(&message, "Content-Type").unwrap();
            assert_eq!(label, format!("text/plain; charset={}", charset.label));
            encodings.insert(charset.encoding.name());
            if stanza.charset.contains(" as ") {
                labels_that_lie.push(charset.label);
            }
        }
    }
    let expected = [
        "Big5",
        "EUC-KR",
        "ISO-2022-JP",
        "KOI8-R",
        "Shift_JIS",
        "UTF-8",
        "gb18030",
        "windows-1251",
        "windows-1252",
    ];
    assert_eq!(encodings, BTreeSet::from(expected));
    assert_eq!(labels_that_lie, ["iso-8859-1", "x-weir-7"]);
}
