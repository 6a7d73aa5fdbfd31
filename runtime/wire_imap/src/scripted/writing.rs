//! Flags: what is told of each message when a server refuses, forgets, or goes away.

use super::{ended, session};
use crate::mailbox::BoxState;
use crate::writer::store;
use crate::{NotChanged, Outcome, Reason, Stored};

async fn store_with(
    words: &str,
    permanent: Option<&[&str]>,
    uids: &[u32],
    (add, remove): (&[&str], &[&str]),
    since: Option<u64>,
    script: &str,
) -> Stored {
    let (mut session, server) = session(words, script);
    let own = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    let state = BoxState {
        uid_validity: 1,
        highest_modseq: Some(5),
        permanent_flags: permanent.map(own),
        ..BoxState::default()
    };
    let stored = store::store(&mut session, &state, uids, &own(add), &own(remove), since).await;
    drop(session);
    ended(server).await;
    stored
}

const DONE: Outcome = Outcome::Done { modseq: None };

#[tokio::test]
async fn only_what_differs_is_sent_and_each_message_is_told_apart() {
    let script = "C: o1 UID FETCH 1:3 (UID FLAGS)\nS: * 1 FETCH (UID 1 FLAGS ())\nS: * 2 FETCH (UID 3 FLAGS ())\nS: o1 OK x\n\
                  C: o2 UID STORE 1,3 +FLAGS (\\Flagged)\nS: o2 OK x\n\
                  C: o3 UID FETCH 1:3 (UID FLAGS)\nS: * 1 FETCH (UID 1 FLAGS (\\Flagged))\nS: * 2 FETCH (UID 3 FLAGS ())\nS: o3 OK x\n\
                  C: o4 UID FETCH 4 (UID FLAGS)\nS: * 3 FETCH (UID 4 FLAGS (\\flagged))\nS: o4 OK x";
    let stored = store_with("", None, &[4, 3, 2, 1, 0], (&["\\Flagged"], &[]), None, script).await;
    assert_eq!(stored.failure, None);
    assert_eq!(
        stored.outcomes,
        [
            (0, Outcome::NotThere),
            (1, DONE),
            (2, Outcome::NotThere),
            (3, Outcome::NotChanged(NotChanged::NotKept)),
            (4, Outcome::AlreadySo),
        ]
    );
}

#[tokio::test]
async fn a_change_by_somebody_else_is_not_overwritten() {
    let script = "C: o1 UID FETCH 1:2 (UID FLAGS MODSEQ)\nS: * 1 FETCH (UID 1 FLAGS () MODSEQ (5))\nS: * 2 FETCH (UID 2 FLAGS () MODSEQ (5))\nS: o1 OK x\n\
                  C: o2 UID STORE 1:2 (UNCHANGEDSINCE 5) +FLAGS ($X)\nS: o2 OK [MODIFIED 2] x\n\
                  C: o3 UID FETCH 1:2 (UID FLAGS MODSEQ)\nS: * 1 FETCH (UID 1 FLAGS ($x) MODSEQ (6))\nS: * 2 FETCH (UID 2 FLAGS (\\Seen) MODSEQ (7))\nS: o3 OK x";
    let stored = store_with("CONDSTORE", None, &[1, 2], (&["$X"], &[]), Some(5), script).await;
    let modified = Outcome::NotChanged(NotChanged::Modified);
    assert_eq!(
        stored.outcomes,
        [(1, Outcome::Done { modseq: Some(6) }), (2, modified)]
    );
    // Known before anything is sent.
    let script = "C: o1 UID FETCH 1 (UID FLAGS MODSEQ)\nS: * 1 FETCH (UID 1 FLAGS () MODSEQ (6))\nS: o1 OK x";
    let stored = store_with("CONDSTORE", None, &[1], (&["$X"], &[]), Some(5), script).await;
    assert_eq!(stored.outcomes, [(1, modified)]);
    let stored = store_with("", None, &[1], (&["$X"], &[]), Some(5), "").await;
    assert_eq!(
        stored.failure.map(|e| e.reason),
        Some(Reason::Unsupported("CONDSTORE"))
    );
    assert_eq!(stored.outcomes, [(1, Outcome::NotTried)]);
}

#[tokio::test]
async fn what_the_mailbox_does_not_keep_is_not_sent() {
    let fetch = "C: o1 UID FETCH 1 (UID FLAGS)\nS: * 1 FETCH (UID 1 FLAGS ())\nS: o1 OK x";
    let refused = [(1, Outcome::NotChanged(NotChanged::NotPermanent))];
    for (kept, flag) in [
        (&["\\Seen"][..], "$X"),
        (&["\\Seen", "\\*"], "\\Flagged"),
        (&[], "\\Seen"),
    ] {
        let stored = store_with("", Some(kept), &[1], (&[flag], &[]), None, fetch).await;
        assert_eq!(stored.outcomes, refused, "{flag}");
    }
    let script = format!(
        "{fetch}\nC: o2 UID STORE 1 +FLAGS ($X)\nS: o2 NO x\nC: o3 UID FETCH 1 (UID FLAGS)\nS: * 1 FETCH (UID 1 FLAGS ())\nS: o3 OK x"
    );
    let stored = store_with("", Some(&["\\*"]), &[1], (&["$X"], &[]), None, &script).await;
    assert_eq!(stored.outcomes, [(1, Outcome::NotChanged(NotChanged::Refused))]);
}

#[tokio::test(start_paused = true)]
async fn what_may_have_happened_is_not_reported_as_failure() {
    let fetch = "C: o1 UID FETCH 1 (UID FLAGS)\nS: * 1 FETCH (UID 1 FLAGS ())\nS: o1 OK x\n";
    let sent = format!("{fetch}C: o2 UID STORE 1 +FLAGS (\\Flagged)\n");
    let cases = [
        (
            "C: o1 UID FETCH 1 (UID FLAGS)\nX:".to_owned(),
            Outcome::NotTried,
            false,
        ),
        (format!("{sent}X:"), Outcome::Unconfirmed, true),
        (sent.clone(), Outcome::Unconfirmed, true),
        (format!("{sent}S: * BYE x"), Outcome::Unconfirmed, true),
        (format!("{sent}S: o2 NO [THROTTLED] x"), Outcome::NotTried, false),
        (
            format!("{sent}S: o2 OK x\nC: o3 UID FETCH 1 (UID FLAGS)\nX:"),
            Outcome::Unconfirmed,
            false,
        ),
    ];
    for (script, outcome, unconfirmed) in cases {
        let stored = store_with("", None, &[1], (&["\\Flagged"], &[]), None, &script).await;
        assert_eq!(stored.outcomes, [(1, outcome)], "{script}");
        assert_eq!(
            stored.failure.map(|e| e.unconfirmed),
            Some(unconfirmed),
            "{script}"
        );
    }
}

#[tokio::test]
async fn adding_and_removing_at_once() {
    let script = "C: o1 UID FETCH 1:2 (UID FLAGS MODSEQ)\nS: * 1 FETCH (UID 1 FLAGS (b) MODSEQ (5))\nS: * 2 FETCH (UID 2 FLAGS (a b) MODSEQ (5))\nS: o1 OK x\n\
                  C: o2 UID STORE 1 (UNCHANGEDSINCE 5) +FLAGS (a)\nS: * 1 FETCH (UID 1 FLAGS (a b) MODSEQ (6))\nS: o2 OK x\n\
                  C: o3 UID STORE 2 (UNCHANGEDSINCE 5) -FLAGS (b)\nS: o3 OK x\n\
                  C: o4 UID STORE 1 -FLAGS (b)\nS: o4 OK x\n\
                  C: o5 UID FETCH 1:2 (UID FLAGS MODSEQ)\nS: * 1 FETCH (UID 1 FLAGS (a) MODSEQ (8))\nS: * 2 FETCH (UID 2 FLAGS (a) MODSEQ (7))\nS: o5 OK x";
    let stored = store_with("QRESYNC", None, &[1, 2], (&["a", "B"], &["b"]), Some(5), script).await;
    let done = |m| Outcome::Done { modseq: Some(m) };
    assert_eq!(stored.outcomes, [(1, done(8)), (2, done(7))]);
}
