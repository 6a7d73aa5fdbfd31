//! Reading from Dovecot: all of it, in pieces, by the thousand, and without a mark (P2; case C09).

use oaken_tests::dovecot::Dovecot;
use oaken_wire_imap::{Limits, Phase, Reason, Refusal, Retry, SpecialUse, UidRange};

use crate::{message, reader};

#[tokio::test]
async fn folders_have_unicode_names_uses_and_counts() {
    let server = Dovecot::start(&["alice", "gerda", "norma"]);
    server.deliver("gerda", "INBOX", "", &message(1));
    server.deliver("gerda", "INBOX", "S", &message(2));
    let listing = reader(&server, "gerda").await.list().await.expect("lists");
    assert_eq!(listing.unreadable, 0);
    let mut found: Vec<_> = listing
        .folders
        .iter()
        .map(|f| (&*f.name, &*f.raw, f.special_use))
        .collect();
    found.sort_by_key(|(name, ..)| *name);
    assert_eq!(
        found,
        [
            ("Archiv", "Archiv", Some(SpecialUse::Archive)),
            ("Entwürfe", "Entw&APw-rfe", Some(SpecialUse::Drafts)),
            ("Gesendet", "Gesendet", Some(SpecialUse::Sent)),
            ("INBOX", "INBOX", None),
            ("Papierkorb", "Papierkorb", Some(SpecialUse::Trash)),
            ("Spam", "Spam", Some(SpecialUse::Junk)),
        ]
    );
    let inbox = listing
        .folders
        .iter()
        .find(|f| f.raw == "INBOX")
        .and_then(|f| f.status)
        .expect("counted");
    assert_eq!(
        (inbox.messages, inbox.unseen, inbox.uid_next),
        (Some(2), Some(1), Some(3))
    );
    assert!(
        listing
            .folders
            .iter()
            .all(|f| f.selectable && f.delimiter == Some('/'))
    );
    let listing = reader(&server, "norma").await.list().await.expect("lists");
    assert_eq!(
        listing.folders.iter().map(|f| &*f.name).collect::<Vec<_>>(),
        ["INBOX"]
    );
    let mut reader = reader(&server, "gerda").await;
    reader
        .examine("Entw&APw-rfe", true)
        .await
        .expect("opens by its raw name");
    let e = reader
        .examine("no such folder", true)
        .await
        .expect_err("is not there");
    // Dovecot puts no response code to it.
    assert_eq!(e.reason, Reason::No(Phase::Examine, Refusal::Unsaid));
    reader
        .examine("INBOX", true)
        .await
        .expect("the connection is still good");
}

#[tokio::test]
async fn messages_are_read_whole_and_nothing_is_marked() {
    let server = Dovecot::start(&["alice"]);
    for n in 1..=25 {
        server.deliver("alice", "INBOX", if n % 5 == 0 { "FS" } else { "" }, &message(n));
    }
    let mut reader = reader(&server, "alice").await;
    let state = reader.examine("INBOX", true).await.expect("opens");
    assert_eq!((state.exists, state.uid_next), (25, Some(26)));
    assert!(state.uid_validity > 0 && state.highest_modseq.is_some());
    let files = server.files("alice", "INBOX");

    let list = reader.uids().await.expect("lists");
    assert_eq!((list.uids.clone(), list.confirmed), ((1..=25).collect(), true));

    let mut metas = vec![];
    let report = reader
        .fetch_meta(&[3, 5, 99, 24], |m| metas.push(m))
        .await
        .expect("fetches");
    assert_eq!(
        (report.delivered, report.absent, report.damaged.len()),
        (3, vec![99], 0)
    );
    let five = metas.iter().find(|m| m.uid == 5).expect("delivered");
    assert_eq!(five.flags, ["\\Flagged", "\\Seen"]);
    assert!(five.header_complete && five.modseq.is_some());
    // Delivery times are 1,700,000,000 and on; the fifth was delivered fourth from zero.
    assert_eq!(five.internal_date, Some(1_700_000_004));
    assert_eq!(five.size, Some(message(5).len() as u64));
    let header = String::from_utf8(five.header.clone()).expect("ascii");
    assert!(
        header.contains("Subject: number 5\r\n")
            && header.ends_with("\r\n\r\n")
            && !header.contains("This is")
    );

    let mut flags = vec![];
    reader
        .fetch_flags(UidRange::all(), None, |f| flags.push(f))
        .await
        .expect("fetches");
    assert_eq!(flags.len(), 25);
    assert_eq!(
        flags
            .iter()
            .filter(|f| f.flags.contains(&"\\Seen".to_owned()))
            .count(),
        5
    );
    let mut beyond = vec![];
    reader
        .fetch_flags(UidRange::from(500), None, |f| beyond.push(f.uid))
        .await
        .expect("fetches");
    assert_eq!(beyond, [0u32; 0]);

    let mut bodies = vec![];
    reader
        .fetch_full(&[7, 8], 1_000, |b| bodies.push(b))
        .await
        .expect("fetches");
    assert_eq!((bodies[0].bytes.clone(), bodies[0].complete), (message(7), true));
    let cut = reader.fetch_text(7, 6).await.expect("fetches").expect("there");
    assert_eq!((&*cut.bytes, cut.complete), (&b"This i"[..], false));
    let text = reader
        .fetch_text(7, 1_000)
        .await
        .expect("fetches")
        .expect("there");
    assert_eq!((&*text.bytes, text.complete), (&b"This is text 7.\r\n"[..], true));
    let part = reader
        .fetch_part(7, &[1], 1_000)
        .await
        .expect("fetches")
        .expect("there");
    assert_eq!(&*part.bytes, b"This is text 7.\r\n");
    assert_eq!(reader.fetch_text(99, 10).await.expect("answers"), None);
    let mut raw = vec![];
    let done = reader
        .fetch_raw(9, 1 << 20, |b| raw.extend_from_slice(b))
        .await
        .expect("fetches")
        .expect("there");
    assert_eq!((raw, done.complete), (message(9), true));

    let after = reader.examine("INBOX", true).await.expect("opens again");
    assert_eq!(after, state, "reading changes neither flags nor mod-sequences");
    assert_eq!(server.files("alice", "INBOX"), files);
    reader.into_session().logout().await;
    let lines = server.client_lines();
    assert!(
        lines.iter().any(|l| l.contains(" EXAMINE "))
            && lines.iter().any(|l| l.contains("BODY.PEEK[HEADER]"))
    );
    for forbidden in [
        " SELECT ",
        "BODY[",
        "RFC822 ",
        "RFC822)",
        "RFC822.TEXT",
        " STORE ",
        " COPY ",
        " MOVE ",
        " APPEND ",
        "EXPUNGE",
    ] {
        assert!(
            !lines.iter().any(|l| l.contains(forbidden)),
            "{forbidden}: {lines:?}"
        );
    }
}

#[tokio::test]
async fn a_large_message_streams_and_ten_thousand_are_listed() {
    let server = Dovecot::start(&["perf"]);
    let mut large = message(1);
    large.extend((0..200_000).flat_map(|n| format!("line {n}\r\n").into_bytes()));
    server.deliver("perf", "Archive", "", &large);
    for n in 0..10_000 {
        // Written straight, since only the number matters.
        server.deliver("perf", "INBOX", "S", &message(n));
    }
    let mut reader = reader(&server, "perf").await;
    reader.examine("Archive", true).await.expect("opens");
    let (mut got, mut most) = (vec![], 0);
    let raw = reader.fetch_raw(1, u64::MAX, |b| {
        most = most.max(b.len());
        got.extend_from_slice(b);
    });
    assert_eq!(
        raw.await.expect("streams").map(|r| (r.bytes, r.complete)),
        Some((large.len() as u64, true))
    );
    assert!(got == large && most <= Limits::default().piece as usize);
    let part = reader
        .fetch_raw(1, 1_500_000, |_| ())
        .await
        .expect("streams")
        .expect("there");
    assert_eq!((part.bytes, part.complete), (1_500_000, false));

    let state = reader.examine("INBOX", true).await.expect("opens");
    assert_eq!(state.exists, 10_000);
    let list = reader.uids().await.expect("lists");
    assert_eq!((list.uids.len(), list.confirmed), (10_000, true));
    // Every second one, so that no ranges help.
    let some: Vec<u32> = list.uids.iter().copied().filter(|u| u % 2 == 0).collect();
    let mut metas = 0;
    let report = reader.fetch_meta(&some, |_| metas += 1).await.expect("fetches");
    assert_eq!((metas, report.absent.len(), report.damaged.len()), (5_000, 0, 0));
    let longest = server.client_lines().iter().map(String::len).max();
    assert!(longest.is_some_and(|l| l < 1_200), "{longest:?}");
}

#[tokio::test]
async fn changes_come_by_mod_sequence() {
    let server = Dovecot::start(&["alice"]);
    for n in 1..=3 {
        server.deliver("alice", "INBOX", "", &message(n));
    }
    let mut reader = reader(&server, "alice").await;
    let before = reader.examine("INBOX", true).await.expect("opens");
    let since = before.highest_modseq.expect("kept");
    let mut changed = vec![];
    reader
        .fetch_flags(UidRange::all(), Some(since), |f| changed.push(f.uid))
        .await
        .expect("fetches");
    assert_eq!(changed, [0u32; 0]);
    // Somebody else marks the second message, by its file's name.
    server.reflag("alice", "INBOX", 1, "S");
    reader.examine("INBOX", true).await.expect("opens again");
    let mut changed = vec![];
    reader
        .fetch_flags(UidRange::all(), Some(since), |f| {
            changed.push((f.uid, f.flags, f.modseq > Some(since)))
        })
        .await
        .expect("fetches");
    assert_eq!(changed, [(2, vec!["\\Seen".to_owned()], true)]);
}

#[tokio::test]
async fn a_server_that_goes_away_is_an_error_and_not_an_end() {
    let server = Dovecot::start(&["alice"]);
    server.deliver("alice", "INBOX", "", &message(1));
    let mut reader = reader(&server, "alice").await;
    reader.examine("INBOX", true).await.expect("opens");
    drop(server);
    let e = reader.uids().await.expect_err("nobody is there");
    assert!(matches!(e.reason, Reason::Eof | Reason::Bye), "{e:?}");
    assert_eq!(e.retry(), Retry::Later);
    assert!(matches!(
        reader.noop().await.map_err(|e| e.reason),
        Err(Reason::Eof | Reason::Bye)
    ));
}
