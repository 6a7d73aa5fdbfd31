//! Reading from servers that lie, break and stop (trust notes §5.6; cases C01, C02, C05, C09, C11).

use super::{ended, opened, session};
use crate::{
    FetchReport, Meta, Phase, Protocol, Reader, Reason, Refusal, SpecialUse, TooLarge, UidRange, WireError,
};

const HEADER: &str = "UID FLAGS INTERNALDATE RFC822.SIZE BODY.PEEK[HEADER]<0.1000>";

async fn examine(words: &str, script: &str) -> Result<crate::BoxState, Reason> {
    let (session, server) = session(words, script);
    let mut reader = Reader::new(session);
    let state = reader.examine("INBOX", true).await.map_err(|e| e.reason);
    drop(reader);
    ended(server).await;
    state
}

#[tokio::test]
async fn a_mailbox_opens_for_reading_only() {
    let script = "C: o1 EXAMINE \"INBOX\" (CONDSTORE)\nS: * FLAGS (\\Seen)\nS: * 2 EXISTS\n\
                  S: * OK [PERMANENTFLAGS ()] none\nS: * OK [UIDVALIDITY 9] x\nS: * OK [UIDNEXT 12] x\n\
                  S: * OK [HIGHESTMODSEQ 44] x\nS: o1 OK [READ-ONLY] x";
    let state = examine("CONDSTORE", script).await.expect("opens");
    assert_eq!(
        (
            state.uid_validity,
            state.uid_next,
            state.exists,
            state.highest_modseq
        ),
        (9, Some(12), 2, Some(44))
    );
    assert_eq!(state.permanent_flags, Some(vec![]));
}

#[tokio::test]
async fn a_mode_that_is_not_named_is_tolerated_and_an_extension_not_offered_is_not_used() {
    let state = examine(
        "",
        "C: o1 EXAMINE \"INBOX\"\nS: * 2 EXISTS\nS: * OK [UIDVALIDITY 9] x\nS: o1 OK x",
    )
    .await;
    assert_eq!(state.map(|s| (s.uid_next, s.highest_modseq)), Ok((None, None)));
}

#[tokio::test]
async fn mailboxes_that_cannot_be_trusted_are_refused() {
    let open = "C: o1 EXAMINE \"INBOX\"\nS: * 2 EXISTS";
    let cases = [
        (
            "S: * OK [UIDVALIDITY 9] x\nS: o1 OK [READ-WRITE] x",
            Reason::Protocol(Protocol::ReadWrite),
        ),
        (
            "S: o1 OK [READ-ONLY] x",
            Reason::Protocol(Protocol::NoUidValidity),
        ),
        (
            "S: * OK [UIDVALIDITY 0] x\nS: o1 OK [READ-ONLY] x",
            Reason::Protocol(Protocol::NoUidValidity),
        ),
        (
            "S: o1 NO [NONEXISTENT] x",
            Reason::No(Phase::Examine, Refusal::NonExistent),
        ),
        ("S: * BYE shutting down", Reason::Bye),
        ("X:", Reason::Eof),
    ];
    for (script, expected) in cases {
        assert_eq!(
            examine("", &format!("{open}\n{script}")).await,
            Err(expected),
            "{script}"
        );
    }
}

#[tokio::test]
async fn after_read_write_nothing_more_is_sent() {
    let script = "C: o1 EXAMINE \"INBOX\"\nS: * OK [UIDVALIDITY 9] x\nS: o1 OK [READ-WRITE] x";
    let (session, server) = session("", script);
    let mut reader = Reader::new(session);
    let _ = reader.examine("INBOX", false).await;
    let again = reader.examine("INBOX", false).await.map_err(|e| e.reason);
    assert_eq!(again, Err(Reason::Protocol(Protocol::ReadWrite)));
    assert_eq!(
        reader.uids().await.map_err(|e| e.reason),
        Err(Reason::NotSelected)
    );
    drop(reader);
    ended(server).await;
}

#[tokio::test]
async fn a_folder_name_cannot_carry_a_command() {
    let (session, server) = session("", "");
    let mut reader = Reader::new(session);
    for name in ["a\r\no9 DELETE INBOX", "a\nb", "a\0b"] {
        assert_eq!(
            reader.examine(name, false).await.map_err(|e| e.reason),
            Err(Reason::Argument("folder"))
        );
        assert_eq!(
            reader.status(name).await.map_err(|e| e.reason),
            Err(Reason::Argument("folder"))
        );
    }
    drop(reader);
    ended(server).await;
}

async fn meta(uids: &[u32], script: &str) -> (Vec<Meta>, Result<FetchReport, WireError>) {
    let (mut reader, server) = opened("", script).await;
    let mut found = vec![];
    let report = reader.fetch_meta(uids, |m| found.push(m)).await;
    drop(reader);
    ended(server).await;
    (found, report)
}

fn uids(found: &[Meta]) -> Vec<u32> {
    found.iter().map(|m| m.uid).collect()
}

#[tokio::test]
async fn metadata_comes_whole() {
    let script = format!(
        "C: o2 UID FETCH 4:5 ({HEADER})\n\
         S: * 1 FETCH (UID 4 FLAGS (\\seen) INTERNALDATE \"01-Jan-1970 00:00:02 +0000\" RFC822.SIZE 9 BODY[HEADER]<0> {{6}}\\r\\nA: b\\r\\n)\n\
         S: * 2 FETCH (BODY[HEADER] \"\" UID 5 FLAGS () INTERNALDATE NIL RFC822.SIZE 3)\n\
         S: o2 OK x"
    );
    let (found, report) = meta(&[5, 4, 4], &script).await;
    assert_eq!(
        report,
        Ok(FetchReport {
            delivered: 2,
            ..FetchReport::default()
        })
    );
    assert_eq!(
        (found[0].uid, &*found[0].flags, found[0].internal_date),
        (4, &["\\Seen".to_owned()][..], Some(2))
    );
    assert_eq!(
        (found[0].size, &*found[0].header, found[0].header_complete),
        (Some(9), &b"A: b\r\n"[..], true)
    );
    assert_eq!(
        (found[1].uid, found[1].internal_date, found[1].header.len()),
        (5, None, 0)
    );
}

#[tokio::test]
async fn one_odd_message_does_not_cost_the_others() {
    let script = format!(
        "C: o2 UID FETCH 4:6 ({HEADER})\n\
         S: * 1 FETCH (UID 4 FLAGS () RFC822.SIZE 1 BODY[HEADER] NIL)\n\
         S: * 2 FETCH (UID 5 FLAGS () BODYSTRUCTURE ((((((( nonsense\n\
         S: * 3 FETCH garbage\n\
         S: * 9 NONSENSE\n\
         S: * 3 FETCH (UID 6 FLAGS ())\n\
         S: * 3 FETCH (UID 6 RFC822.SIZE 1 BODY[HEADER]<0> \"x\")\n\
         S: * 3 FETCH (UID 6 FLAGS () RFC822.SIZE 1 BODY[HEADER]<0> \"twice\")\n\
         S: * 7 FETCH (UID 77 FLAGS () RFC822.SIZE 1 BODY[HEADER]<0> \"not asked\")\n\
         S: o2 OK x\n\
         C: o3 UID FETCH 8 ({HEADER})\n\
         S: o3 OK x"
    );
    let (found, report) = meta(&[4, 5, 6, 8], &script).await;
    assert_eq!(uids(&found), [6]);
    assert_eq!(found[0].header, b"x");
    let report = report.expect("the command was completed");
    assert_eq!(
        (report.delivered, report.absent, report.damaged, report.unreadable),
        (1, vec![8], vec![4, 5], 1)
    );
}

#[tokio::test]
async fn a_message_that_makes_the_server_refuse_is_named() {
    let ok = "FLAGS () INTERNALDATE NIL RFC822.SIZE 1 BODY[HEADER]<0> \"x\")";
    let script = format!(
        "C: o2 UID FETCH 4:6 ({HEADER})\nS: * 1 FETCH (UID 4 {ok}\nS: o2 NO some could not be fetched\n\
         C: o3 UID FETCH 5 ({HEADER})\nS: o3 NO x\n\
         C: o4 UID FETCH 6 ({HEADER})\nS: * 3 FETCH (UID 6 {ok}\nS: o4 OK x"
    );
    let (found, report) = meta(&[4, 5, 6], &script).await;
    assert_eq!(uids(&found), [4, 6]);
    let report = report.expect("done");
    assert_eq!(
        (report.delivered, report.damaged, report.absent),
        (2, vec![5], vec![])
    );
}

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

async fn list_uids(words: &str, script: &str) -> Result<(Vec<u32>, bool), Reason> {
    let (mut reader, server) = opened(words, script).await;
    let list = reader
        .uids()
        .await
        .map(|l| (l.uids, l.confirmed))
        .map_err(|e| e.reason);
    drop(reader);
    ended(server).await;
    list
}

#[tokio::test]
async fn a_search_is_held_against_the_count() {
    let enumerate = "C: o3 UID FETCH 1:* (UID)";
    let found = list_uids("", "C: o2 UID SEARCH ALL\nS: * SEARCH 4 9 6 \nS: o2 OK x").await;
    assert_eq!(found, Ok((vec![4, 6, 9], true)));
    let found = list_uids(
        "ESEARCH",
        "C: o2 UID SEARCH RETURN (ALL) ALL\nS: * ESEARCH (TAG \"o2\") UID ALL 4,8:9\nS: o2 OK x",
    )
    .await;
    assert_eq!(found, Ok((vec![4, 8, 9], true)));
    // C01: an empty search of a full mailbox.
    let script = format!(
        "C: o2 UID SEARCH ALL\nS: * SEARCH\nS: o2 OK x\n{enumerate}\nS: * 1 FETCH (UID 4)\nS: * 2 FETCH (UID 5)\nS: * 3 FETCH (UID 6)\nS: o3 OK x"
    );
    assert_eq!(list_uids("", &script).await, Ok((vec![4, 5, 6], true)));
    let script = format!("C: o2 UID SEARCH ALL\nS: * SEARCH\nS: o2 OK x\n{enumerate}\nS: o3 OK x");
    assert_eq!(list_uids("", &script).await, Ok((vec![], false)));
    let script = format!("C: o2 UID SEARCH ALL\nS: o2 NO x\n{enumerate}\nS: * 1 FETCH (UID 4)\nS: o3 OK x");
    assert_eq!(list_uids("", &script).await, Ok((vec![4], false)));
    // The mailbox changed meanwhile.
    let found = list_uids(
        "",
        "C: o2 UID SEARCH ALL\nS: * 2 EXPUNGE\nS: * SEARCH 4 9\nS: o2 OK x",
    )
    .await;
    assert_eq!(found, Ok((vec![4, 9], true)));
}

#[tokio::test]
async fn a_short_set_cannot_stand_for_millions() {
    let script = "C: o2 UID SEARCH RETURN (ALL) ALL\nS: * ESEARCH (TAG \"o2\") UID ALL 1:4294967295";
    assert_eq!(
        list_uids("ESEARCH", script).await,
        Err(Reason::Protocol(Protocol::TooManyUids))
    );
    let many = " 1".repeat(1_100);
    let script = format!("C: o2 UID SEARCH ALL\nS: * SEARCH{many}");
    assert_eq!(
        list_uids("", &script).await,
        Err(Reason::Protocol(Protocol::TooManyUids))
    );
}

#[tokio::test]
async fn flags_come_by_range_and_change() {
    let script = "C: o2 UID FETCH 5:* (UID FLAGS MODSEQ) (CHANGEDSINCE 7)\n\
                  S: * 1 FETCH (UID 4 FLAGS () MODSEQ (9))\nS: * 2 FETCH (UID 5 FLAGS (\\Seen) MODSEQ (8))\nS: o2 OK x";
    let (mut reader, server) = opened("CONDSTORE", "").await;
    drop(reader);
    ended(server).await;
    let (r, server) = opened("CONDSTORE", script).await;
    reader = r;
    let mut found = vec![];
    let report = reader
        .fetch_flags(UidRange::from(5), Some(7), |f| {
            found.push((f.uid, f.flags, f.modseq))
        })
        .await;
    assert_eq!(report.map(|r| r.delivered), Ok(1));
    assert_eq!(found, [(5, vec!["\\Seen".to_owned()], Some(8))]);
    drop(reader);
    ended(server).await;
    let (mut reader, server) = opened("", "").await;
    let without = reader
        .fetch_flags(UidRange::all(), Some(7), |_| ())
        .await
        .map_err(|e| e.reason);
    assert_eq!(without, Err(Reason::Unsupported("CONDSTORE")));
    drop(reader);
    ended(server).await;
}

#[tokio::test]
async fn bodies_are_peeked_and_cut_is_said() {
    let script = "C: o2 UID FETCH 4:5 (UID RFC822.SIZE BODY.PEEK[]<0.5>)\n\
                  S: * 1 FETCH (UID 4 RFC822.SIZE 9 BODY[]<0> \"abcde\")\n\
                  S: * 2 FETCH (UID 5 RFC822.SIZE 5 BODY[]<0> \"abcde\")\nS: o2 OK x\n\
                  C: o3 UID FETCH 6 (UID RFC822.SIZE BODY.PEEK[]<0.5>)\n\
                  S: * 3 FETCH (UID 6 RFC822.SIZE 12 BODY[] {12}\\r\\nabcdefghijkl)\nS: o3 OK x\n\
                  C: o4 UID FETCH 4 (UID RFC822.SIZE BODY.PEEK[TEXT]<0.5>)\n\
                  S: * 1 FETCH (UID 4 RFC822.SIZE 9 BODY[TEXT]<0> \"\")\nS: o4 OK x\n\
                  C: o5 UID FETCH 4 (UID RFC822.SIZE BODY.PEEK[1.2]<0.5>)\n\
                  S: * 1 FETCH (UID 4 RFC822.SIZE 9 BODY[1.2]<0> NIL)\nS: o5 OK x\n\
                  C: o6 UID FETCH 4 (UID RFC822.SIZE BODY.PEEK[]<0.5>)\n\
                  S: * 1 FETCH (UID 4 RFC822.SIZE 9 BODY[]<0> \"\")\nS: o6 OK x\n\
                  C: o7 UID FETCH 4 (UID RFC822.SIZE BODY.PEEK[TEXT]<0.5>)\nS: o7 OK x";
    let (mut reader, server) = opened("", script).await;
    let mut found = vec![];
    let report = reader
        .fetch_full(&[4, 5, 6], 5, |b| found.push((b.uid, b.bytes.len(), b.complete)))
        .await;
    assert_eq!(report.map(|r| r.delivered), Ok(3));
    assert_eq!(found, [(4, 5, false), (5, 5, true), (6, 5, false)]);
    let text = reader.fetch_text(4, 5).await.expect("answered").expect("there");
    assert_eq!((text.bytes.len(), text.complete), (0, true));
    let part = reader.fetch_part(4, &[1, 2], 5).await.map_err(|e| e.reason);
    assert_eq!(part, Err(Reason::Protocol(Protocol::NoData)));
    // C02: OK, a size, and no body.
    let report = reader
        .fetch_full(&[4], 5, |_| panic!("there is no body"))
        .await
        .expect("answered");
    assert_eq!(report.damaged, [4]);
    assert_eq!(reader.fetch_text(4, 5).await, Ok(None));
    for path in [&[][..], &[1, 0], &[1; 51]] {
        assert_eq!(
            reader.fetch_part(4, path, 5).await.map_err(|e| e.reason),
            Err(Reason::Argument("part"))
        );
    }
    drop(reader);
    ended(server).await;
}

#[tokio::test]
async fn a_message_streams_in_pieces() {
    let ask = |n: u32, at: u32| format!("C: o{n} UID FETCH 4 (UID RFC822.SIZE BODY.PEEK[]<{at}.10>)\n");
    let give = |n: u32, at: u32, data: &str| {
        format!("S: * 1 FETCH (UID 4 RFC822.SIZE 13 BODY[]<{at}> \"{data}\")\nS: o{n} OK x\n")
    };
    let whole = [
        ask(2, 0),
        give(2, 0, "0123456789"),
        ask(3, 10),
        give(3, 10, "abc"),
    ]
    .concat();
    for (script, max, expected) in [
        (whole.clone(), 100, ("0123456789abc", 13, true)),
        (whole, 11, ("0123456789a", 11, false)),
        (
            [ask(2, 0), give(2, 0, "0123456789abc")].concat(),
            100,
            ("0123456789abc", 13, true),
        ),
        (
            [
                ask(2, 0),
                give(2, 0, "0123456789"),
                ask(3, 10),
                give(3, 10, "a"),
                ask(4, 11),
                give(4, 11, ""),
            ]
            .concat(),
            100,
            ("0123456789a", 11, true),
        ),
    ] {
        let (mut reader, server) = opened("", &script).await;
        let mut text = vec![];
        let raw = reader
            .fetch_raw(4, max, |b| text.extend_from_slice(b))
            .await
            .expect("streams")
            .expect("there");
        assert_eq!(
            (
                std::str::from_utf8(&text).expect("ascii"),
                raw.bytes,
                raw.complete
            ),
            expected
        );
        drop(reader);
        ended(server).await;
    }
    let (mut reader, server) = opened(
        "",
        &format!(
            "{}S: o2 OK x\n{}S: * 1 FETCH (UID 4)\nS: o3 OK x",
            ask(2, 0),
            ask(3, 0)
        ),
    )
    .await;
    assert_eq!(reader.fetch_raw(4, 100, |_| ()).await, Ok(None));
    let no_data = reader.fetch_raw(4, 100, |_| ()).await.map_err(|e| e.reason);
    assert_eq!(no_data, Err(Reason::Protocol(Protocol::NoData)));
    drop(reader);
    ended(server).await;
}

#[tokio::test]
async fn folders_with_counts_in_one_round_trip() {
    let script = "C: o1 LIST \"\" \"*\" RETURN (SPECIAL-USE STATUS (MESSAGES UIDNEXT UIDVALIDITY UNSEEN))\n\
                  S: * LIST (\\HasNoChildren) \"/\" INBOX\nS: * STATUS INBOX (MESSAGES 3 UIDNEXT 8 UIDVALIDITY 1 UNSEEN 2)\n\
                  S: * LIST (\\Archive) \"/\" \"Vieux courrier\"\nS: * LIST (\\NonExistent) \"/\" gone\nS: * LIST what\nS: o1 OK x";
    let (session, server) = session("SPECIAL-USE LIST-EXTENDED LIST-STATUS", script);
    let mut reader = Reader::new(session);
    let listing = reader.list().await.expect("listed");
    assert_eq!(listing.unreadable, 1);
    let names: Vec<_> = listing
        .folders
        .iter()
        .map(|f| (&*f.name, f.special_use, f.status.and_then(|s| s.unseen)))
        .collect();
    assert_eq!(
        names,
        [
            ("INBOX", None, Some(2)),
            ("Vieux courrier", Some(SpecialUse::Archive), None)
        ]
    );
    drop(reader);
    ended(server).await;
}

#[tokio::test]
async fn folders_one_by_one_where_the_server_knows_no_more() {
    let script = "C: o1 LIST \"\" \"*\"\nS: * LIST () \".\" INBOX\nS: * LIST (\\Noselect) \".\" a\nS: * LIST () \".\" b\nS: o1 OK x\n\
                  C: o2 STATUS \"INBOX\" (MESSAGES UIDNEXT UIDVALIDITY UNSEEN)\nS: * STATUS \"INBOX\" (MESSAGES 1 X (a b) UNSEEN 1)\nS: o2 OK x\n\
                  C: o3 STATUS \"b\" (MESSAGES UIDNEXT UIDVALIDITY UNSEEN)\nS: o3 NO [NOPERM] x";
    let (session, server) = session("", script);
    let mut reader = Reader::new(session);
    let listing = reader.list().await.expect("listed");
    let counts: Vec<_> = listing
        .folders
        .iter()
        .map(|f| f.status.and_then(|s| s.messages))
        .collect();
    assert_eq!(counts, [Some(1), None, None]);
    drop(reader);
    ended(server).await;
}

#[tokio::test]
async fn more_folders_than_the_limit_are_refused() {
    let many: String = (0..60).map(|n| format!("S: * LIST () \"/\" f{n}\n")).collect();
    let (session, server) = session("", &format!("C: o1 LIST \"\" \"*\"\n{many}"));
    let mut reader = Reader::new(session);
    assert_eq!(
        reader.list().await.map_err(|e| e.reason),
        Err(Reason::TooLarge(TooLarge::Folders))
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
