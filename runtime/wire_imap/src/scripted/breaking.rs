//! Servers that stop, flood and stall: bounded, and never taken for an end (case C11; H1–H8, H38–H40).

use super::fetching::{HEADER, meta, uids};
use super::{ended, opened};
use crate::{Phase, Protocol, Reader, Reason, TooLarge};

#[tokio::test(start_paused = true)]
async fn a_cut_answer_is_never_a_whole_one() {
    let one = "S: * 1 FETCH (UID 4 FLAGS () INTERNALDATE NIL RFC822.SIZE 1 BODY[HEADER]<0> \"x\")";
    let cases = [
        ("X:", Reason::Eof),
        (
            "S~ * 2 FETCH (UID 5 BODY[HEADER]<0> {100}\\r\\nabc\nX:",
            Reason::Eof,
        ),
        ("S: * BYE gone", Reason::Bye),
        (
            "S: o2 BAD Request is throttled. Suggested Backoff Time: 2000",
            Reason::Throttled { seconds: Some(2) },
        ),
        ("S: o2 NO [THROTTLED] x", Reason::Throttled { seconds: None }),
        ("", Reason::Timeout(Phase::Fetch)),
        ("S: o1 OK an old tag", Reason::Protocol(Protocol::Response)),
        (
            "S: rest of a literal that was longer than it said",
            Reason::Protocol(Protocol::Response),
        ),
        (
            "S: * 2 FETCH (UID 5 BODY[HEADER]<0> {4294967295}",
            Reason::TooLarge(TooLarge::Literal),
        ),
        (
            "S: * 2 FETCH (UID 5 BODY[HEADER]<0> {10001}",
            Reason::TooLarge(TooLarge::Literal),
        ),
    ];
    for (script, expected) in cases {
        let (found, report) = meta(
            &[4, 5],
            &format!("C: o2 UID FETCH 4:5 ({HEADER})\n{one}\n{script}"),
        )
        .await;
        assert_eq!(uids(&found), [4], "{script}");
        let e = report.expect_err("not whole");
        assert_eq!((e.reason, e.unconfirmed), (expected, false), "{script}");
    }
}

#[tokio::test(start_paused = true)]
async fn floods_end() {
    let long = format!("S~ * OK {}", "x".repeat(5_000));
    let literals = format!("S~ * 1 FETCH (X ({}", "{1}\\r\\na ".repeat(300));
    let flood = "S: * 1 FETCH (UID 99 FLAGS ())\n".repeat(4_000);
    for (script, expected) in [
        (&*long, Reason::TooLarge(TooLarge::Line)),
        (&*literals, Reason::TooLarge(TooLarge::Literals)),
        (&*flood, Reason::TooLarge(TooLarge::Answer)),
    ] {
        let (_, report) = meta(&[4], &format!("C: o2 UID FETCH 4 ({HEADER})\n{script}")).await;
        assert_eq!(report.map_err(|e| e.reason), Err(expected));
    }
}

#[tokio::test]
async fn a_broken_connection_is_not_used_again() {
    let (mut reader, server) = opened("", "C: o2 UID SEARCH ALL\nS: * BYE out").await;
    assert_eq!(reader.uids().await.map_err(|e| e.reason), Err(Reason::Bye));
    assert_eq!(reader.uids().await.map_err(|e| e.reason), Err(Reason::Bye));
    assert_eq!(reader.noop().await.map_err(|e| e.reason), Err(Reason::Bye));
    drop(reader);
    ended(server).await;
}

#[tokio::test]
async fn a_command_given_up_midway_ends_the_connection() {
    let (mut reader, server) = opened("", "C: o2 UID SEARCH ALL").await;
    let waited = tokio::time::timeout(std::time::Duration::from_millis(20), reader.uids()).await;
    assert!(waited.is_err());
    assert_eq!(
        reader.uids().await.map_err(|e| e.reason),
        Err(Reason::Protocol(Protocol::GivenUp))
    );
    drop(reader);
    ended(server).await;
}

#[tokio::test(start_paused = true)]
async fn a_tarpit_is_left_in_time() {
    // One byte every ten seconds is never silent for thirty.
    let (ours, mut theirs) = tokio::io::duplex(64);
    let peer = crate::Peer {
        host: "h".into(),
        port: 1,
        tls: crate::TlsMode::Implicit,
    };
    let wire = crate::exec::Wire::new(Box::new(ours), &super::limits(), std::sync::Arc::new(peer));
    let mut reader = Reader::new(crate::Session {
        wire,
        capabilities: super::capabilities(""),
    });
    let drip = tokio::spawn(async move {
        while tokio::io::AsyncWriteExt::write_all(&mut theirs, b"*")
            .await
            .is_ok()
        {
            tokio::time::sleep(std::time::Duration::from_secs(10)).await;
        }
    });
    let start = tokio::time::Instant::now();
    assert_eq!(
        reader.list().await.map_err(|e| e.reason),
        Err(Reason::Timeout(Phase::List))
    );
    assert!(
        start.elapsed() <= std::time::Duration::from_secs(61),
        "{:?}",
        start.elapsed()
    );
    drop(reader);
    drip.abort();
}
