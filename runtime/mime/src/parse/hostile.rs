//! Caps and mutations (case C45, trust notes T19): any bytes give a view, in bounded time.

use std::time::{Duration, Instant};

use super::{
    tests::{mail, multipart},
    *,
};

/// Parses within a time that holds in an unoptimised build on a busy machine.
#[track_caller]
fn check(raw: &[u8], seconds: u64, doubt: Option<Doubt>) -> View {
    let started = Instant::now();
    let view = parse(raw);
    let taken = started.elapsed();
    assert!(taken < Duration::from_secs(seconds), "{taken:?}");
    assert_eq!(view.doubt, doubt);
    view
}

#[test]
fn a_hundred_thousand_parts_are_a_placeholder_with_its_header() {
    let mut raw = mail("Subject: parts\nContent-Type: multipart/mixed; boundary=b\n\n");
    for _ in 0..100_001 {
        raw.extend_from_slice(b"--b\r\nContent-Type: application/octet-stream\r\n\r\nabc\r\n");
    }
    assert!(raw.len() > 5_000_000);
    let view = check(&raw, 30, Some(Doubt::TooManyParts));
    assert_eq!(
        (view.subject.as_str(), view.parts.len()),
        ("parts", MAX_PARTS - 1)
    );
    assert!(view.doubt.is_some_and(|d| d.sentence().contains("1,000 parts")));
}

#[test]
fn nesting_ten_thousand_deep_is_a_placeholder_with_its_header() {
    let mut raw = mail("Subject: deep\n");
    for i in 0..10_000 {
        raw.extend_from_slice(
            format!("Content-Type: multipart/mixed; boundary=b{i}\r\n\r\n--b{i}\r\n").as_bytes(),
        );
    }
    assert_eq!(check(&raw, 30, Some(Doubt::TooDeep)).subject, "deep");

    let mut raw = mail("Subject: deep\n");
    for _ in 0..10_000 {
        raw.extend_from_slice(b"Content-Type: message/rfc822\r\n\r\n");
    }
    let view = check(&raw, 30, Some(Doubt::TooDeep));
    assert_eq!((view.subject.as_str(), view.parts.len()), ("deep", MAX_DEPTH + 1));
    assert_eq!(attachment(&raw, &"1.".repeat(100)), None);
}

#[test]
fn large_headers_and_many_addresses_are_bounded() {
    let many = (0..5000)
        .map(|i| format!("a{i}@example.org"))
        .collect::<Vec<_>>()
        .join(",\n ");
    let view = check(
        &mail(&format!("Subject: s\nTo: {many}\nCc: c@example.org\n\nbody")),
        5,
        Some(Doubt::TooManyAddresses),
    );
    assert_eq!(
        (view.to.len(), view.cc.len(), view.text.as_str()),
        (MAX_ADDRESSES, 0, "body")
    );

    let big = format!(
        "Subject: s\nX: {}\nTo: t@example.org\n\nbody",
        "x".repeat(2 * MAX_HEADER_BYTES)
    );
    let view = check(&mail(&big), 5, Some(Doubt::HeaderTooLarge));
    assert_eq!((view.subject.as_str(), view.text.as_str()), ("s", "body"));

    let words = "=?aa?q?.".repeat(100_000);
    for name in ["Subject", "From", "Content-Type"] {
        check(&mail(&format!("{name}: {words}\n\nbody")), 10, None);
    }
    let parameters: String = (0..70_000).map(|i| format!(" a{i}*0=x;")).collect();
    check(
        &mail(&format!("Content-Type: text/plain;{parameters}\n\nbody")),
        5,
        None,
    );
    check(
        &mail(&format!("References: {}\n\nbody", "<a@b> ".repeat(100_000))),
        5,
        None,
    );
    check(&mail(&"A: b\n".repeat(150_000)), 5, None);
    check(
        &mail(&format!("Subject: {}\n\nbody", "=?".repeat(400_000))),
        10,
        None,
    );
}

#[test]
fn a_message_over_the_cap_is_read_by_its_header() {
    let mut raw = mail("Subject: big\n\n");
    raw.resize(MAX_MESSAGE_BYTES + 1, b'x');
    let view = check(&raw, 30, Some(Doubt::TooLarge));
    assert_eq!((view.subject.as_str(), view.text.as_str()), ("big", ""));
    assert_eq!(attachment(&raw, "1"), None);
}

#[test]
fn a_panic_is_a_message_that_cannot_be_read() {
    let raw = mail("Subject: s\n\nbody");
    let view = guarded(&raw, |_| panic!("on purpose, to see it caught"));
    assert_eq!(
        (view.subject.as_str(), view.text.as_str(), view.doubt),
        ("s", "", Some(Doubt::Unreadable))
    );
}

/// Messages that between them use every branch.
fn seeds() -> Vec<Vec<u8>> {
    let html = "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n\
                <style>.x{display:none}</style><p class=3Dx>h</p><a href=3D'https://a.example'>b.example</a>\
                <table><tr><td>1<td>2</table><ul><li>x</ul><img alt=3Dy>=\n";
    let inner = "Content-Type: message/rfc822\n\nFrom: b@example.org\nSubject: in\n\ntext";
    let file = "Content-Type: image/png; name*0=a; name*1*=utf-8''b.png\nContent-ID: <i@x>\n\
                Content-Transfer-Encoding: base64\nContent-Disposition: inline\n\niVBORw0KGgo=";
    let plain = "Content-Type: text/plain; charset=koi8-r; format=flowed; delsp=yes\n\n> quoted \n> more\nown \ntext\n-- \nsig";
    vec![
        multipart("alternative", &[plain, html]),
        multipart("mixed", &[plain, inner, file, html]),
        multipart("digest", &["\nSubject: a\n\nb", "\n\n"]),
        mail(
            "From: =?utf-8?Q?J=C3=BCrgen?= (c) <j@example.org>, g: a@b.example, \"x\\\"y\" <c@d.example>;\n\
             Date: Mon, 2 Nov 2026 10:00:00 +0100 (CET)\nSubject: =?iso-2022-jp?B?GyRCRnxLXDhsGyhC?=\n\
             References: <a@b> <c@d>\nList-Unsubscribe: <https://x.example>, <mailto:y@x.example>\nTo: t@example.org\n\n\
             Hi\u{200b}there \u{202e}x",
        ),
        b"Subject: \xe4\xd5\xc2\r\nContent-Type: text/plain; charset=shift_jis\r\n\r\n\x93\xfa\x96\x7b\x8c\xea".to_vec(),
    ]
}

fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 33) as usize
}

fn mutate(raw: &mut Vec<u8>, state: &mut u64) {
    const PIECES: &[&[u8]] = &[
        b"\r\n",
        b"\n\n",
        b"--b\r\n",
        b"--b--",
        b"=?utf-8?Q?",
        b"?=",
        b"<",
        b">",
        b"\"",
        b";",
        b":",
        b"\0",
        b"\xff",
        b"=",
        b"Content-Type: multipart/mixed; boundary=b\r\n",
        b"Content-Type: message/rfc822\r\n\r\n",
        b"</",
        b"<!--",
        b"\x1b$B",
        b"charset=",
        b"*0*=",
        b"{display:none}",
        b"&#x",
        b"/*",
    ];
    for _ in 0..=next(state) % 6 {
        let at = next(state) % (raw.len() + 1);
        match next(state) % 5 {
            0 if at < raw.len() => raw[at] = next(state).to_le_bytes()[0],
            1 => {
                let piece = PIECES[next(state) % PIECES.len()];
                raw.splice(at..at, piece.iter().copied());
            }
            2 => raw.truncate(at),
            3 => {
                let end = (at + next(state) % 40).min(raw.len());
                raw.drain(at..end);
            }
            _ => {
                let end = (at + next(state) % 80).min(raw.len());
                let copy = raw[at..end].to_vec();
                let to = next(state) % (raw.len() + 1);
                raw.splice(to..to, copy);
            }
        }
    }
}

/// 20,000 mutated messages: none panics, not even inside the guard, and all invariants of a view hold.
#[test]
fn no_mutated_message_panics() {
    let seeds = seeds();
    let mut state = 0x9e37_79b9_7f4a_7c15;
    for round in 0..20_000 {
        let mut raw = seeds[round % seeds.len()].clone();
        mutate(&mut raw, &mut state);
        let view = parse(&raw);
        assert_ne!(
            view.doubt,
            Some(Doubt::Unreadable),
            "round {round}: {:?}",
            String::from_utf8_lossy(&raw)
        );
        assert_eq!(crate::clean(&view.text).text, view.text, "round {round}");
        assert!(!view.subject.contains(char::is_control), "round {round}");
        assert!(
            view.parts.iter().all(|part| attachment(&raw, &part.id).is_some()),
            "round {round}"
        );
        let headers = parse_headers(&raw);
        assert_eq!(
            (headers.subject, headers.from),
            (view.subject, view.from),
            "round {round}"
        );
        let _ = (
            crate::snippet(&view.text, 100),
            crate::base_subject(&headers.message_id.unwrap_or_default()),
        );
    }
}
