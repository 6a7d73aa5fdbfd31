//! Modified UTF-7, in which IMAP4rev1 writes mailbox names (RFC 3501 §5.1.3).

use base64::Engine;
use base64::alphabet::IMAP_MUTF7;
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD};

const BASE64: GeneralPurpose = GeneralPurpose::new(&IMAP_MUTF7, NO_PAD);

/// A mailbox name as it goes over the wire.
#[must_use]
pub fn encode(name: &str) -> String {
    let mut out = String::new();
    let mut wide: Vec<u8> = vec![];
    for c in name.chars() {
        if matches!(c, ' '..='~') {
            flush(&mut wide, &mut out);
            out.push(c);
            if c == '&' {
                out.push('-');
            }
        } else {
            wide.extend(c.encode_utf16(&mut [0; 2]).iter().flat_map(|u| u.to_be_bytes()));
        }
    }
    flush(&mut wide, &mut out);
    out
}

fn flush(wide: &mut Vec<u8>, out: &mut String) {
    if !wide.is_empty() {
        out.push('&');
        out.push_str(&BASE64.encode(&wide));
        out.push('-');
        wide.clear();
    }
}

/// The name in Unicode, or `None` where the text is no modified UTF-7. Text beyond ASCII passes as it is: some
/// servers send UTF-8.
#[must_use]
pub fn decode(raw: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let (code, tail) = after.split_once('-')?;
        if code.is_empty() {
            out.push('&');
        } else {
            let bytes = BASE64.decode(code).ok()?;
            let units = bytes
                .chunks(2)
                .map(|c| <[u8; 2]>::try_from(c).map(u16::from_be_bytes));
            out.push_str(&String::from_utf16(&units.collect::<Result<Vec<u16>, _>>().ok()?).ok()?);
        }
        rest = tail;
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, wire: &str) {
        assert_eq!(encode(name), wire);
        assert_eq!(decode(wire).as_deref(), Some(name));
    }

    #[test]
    fn names_go_both_ways() {
        check("INBOX", "INBOX");
        check("Entwürfe", "Entw&APw-rfe");
        check("Tom & Jerry", "Tom &- Jerry");
        check("~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-");
        check("Archiv 😀", "Archiv &2D3eAA-");
        check("a\u{7f}b", "a&AH8-b");
        check("&", "&-");
        check("", "");
    }

    #[test]
    fn what_is_no_utf7_is_said() {
        for bad in ["a&b", "&Jjo", "&!!-", "&2D0-", "&AAA-x&A-", "&AB-"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
        assert_eq!(decode("Entwürfe").as_deref(), Some("Entwürfe"));
    }
}
