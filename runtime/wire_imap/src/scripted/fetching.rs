//! Fetching: one odd message must not cost the others, and less than asked is said (cases C02, C05; H22, H23, H27).

use super::{ended, opened};
use crate::{FetchReport, Meta, Protocol, Reason, UidRange, WireError};

pub(super) const HEADER: &str = "UID FLAGS INTERNALDATE RFC822.SIZE BODY.PEEK[HEADER]<0.1000>";

pub(super) async fn meta(uids: &[u32], script: &str) -> (Vec<Meta>, Result<FetchReport, WireError>) {
    let (mut reader, server) = opened("", script).await;
    let mut found = vec![];
    let report = reader.fetch_meta(uids, |m| found.push(m)).await;
    drop(reader);
    ended(server).await;
    (found, report)
}

pub(super) fn uids(found: &[Meta]) -> Vec<u32> {
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
async fn a_server_that_marks_what_is_peeked_is_noticed() {
    let ask = "C: o2 UID FETCH 4:5 (UID RFC822.SIZE BODY.PEEK[]<0.5>)";
    let script = format!(
        "{ask}\nS: * 1 FETCH (UID 4 RFC822.SIZE 1 BODY[]<0> \"a\" FLAGS (\\Flagged))\n\
         S: * 2 FETCH (UID 5 RFC822.SIZE 1 BODY[]<0> \"a\")\nS: * 2 FETCH (UID 5 FLAGS (\\SEEN))\nS: o2 OK x"
    );
    let (mut reader, server) = opened("", &script).await;
    let report = reader.fetch_full(&[4, 5], 5, |_| ()).await.expect("answered");
    assert_eq!((report.delivered, report.seen), (2, vec![5]));
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
