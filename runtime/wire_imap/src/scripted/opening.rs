//! Opening mailboxes, listing folders and messages: whom to believe how much (cases C01, C05; H25, H31, H35).

use super::{ended, opened, session};
use crate::{Phase, Protocol, Reader, Reason, Refusal, SpecialUse, TooLarge};

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
async fn the_count_follows_what_is_said_during_other_commands() {
    let script = "C: o2 NOOP\nS: * 5 EXISTS\nS: * 1 EXPUNGE\nS: o2 OK x\nC: o3 UID SEARCH ALL\nS: * SEARCH 4 5 6 7\nS: o3 OK x";
    let (mut reader, server) = opened("", script).await;
    reader.noop().await.expect("alive");
    assert_eq!(
        reader.uids().await.map(|l| (l.uids.len(), l.confirmed)),
        Ok((4, true))
    );
    drop(reader);
    ended(server).await;
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

/// What the server says of the namespaces before the listing tells whose each folder is; a refusal tells nothing.
#[tokio::test]
async fn folders_of_others_are_told_from_the_persons_own() {
    let listed = "C: o2 LIST \"\" \"*\"\nS: * LIST (\\Noselect) \"/\" INBOX\nS: * LIST (\\Noselect) \"/\" user/gerda\nS: o2 OK x";
    for (answer, expected) in [
        (
            "S: * NAMESPACE ((\"\" \"/\")) ((\"user/\" \"/\")) NIL\nS: o1 OK x",
            [true, false],
        ),
        ("S: * NAMESPACE what\nS: o1 OK x", [true, true]),
        ("S: o1 NO x", [true, true]),
        ("S: o1 BAD x", [true, true]),
    ] {
        let (session, server) = session("NAMESPACE", &format!("C: o1 NAMESPACE\n{answer}\n{listed}"));
        let mut reader = Reader::new(session);
        let listing = reader.list().await.expect("listed");
        let personal: Vec<bool> = listing.folders.iter().map(|f| f.personal).collect();
        assert_eq!(personal, expected, "{answer}");
        drop(reader);
        ended(server).await;
    }
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
