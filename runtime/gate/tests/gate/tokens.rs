//! The misuse of tokens: none lets anything, all that match burn, unknown ones write nothing, and the answers are
//! one.

use std::sync::atomic::Ordering;

use oaken_core::{Code, Confirmation, Proposal};
use oaken_gate::Caller;
use serde_json::{Value, json};

use crate::world::{M1, M2, World, token, unknown_token};

fn mark(ids: &[&str], note: &str) -> Value {
    json!({ "target": { "ids": ids }, "note": note })
}

/// Whether the proposal can still be redeemed as it should be.
async fn still_open(w: &World, agent: &Caller, p: &Proposal) -> bool {
    w.read(agent, "get_proposal", json!({ "proposal_id": p.proposal_id }))
        .await["state"]
        == "open"
}

#[tokio::test]
async fn every_misuse_is_refused_in_the_same_words_and_burns_what_matches() {
    let w = World::new();
    let agent = w.organiser().await;
    let other = w.agent("other").await;
    type Case<'a> = (&'a str, &'a Caller, &'a str, Value, fn(&World));
    let cases: [Case<'_>; 8] = [
        (
            "another operation",
            &agent,
            "mark_unread",
            mark(&[M1], "x"),
            |_| {},
        ),
        ("one byte off", &agent, "mark_read", mark(&[M1], "y"), |_| {}),
        ("another id", &agent, "mark_read", mark(&[M2], "x"), |_| {}),
        ("one id more", &agent, "mark_read", mark(&[M1, M2], "x"), |_| {}),
        (
            "a field less",
            &agent,
            "mark_read",
            json!({ "target": { "ids": [M1] } }),
            |_| {},
        ),
        ("another caller", &other, "mark_read", mark(&[M1], "x"), |_| {}),
        ("after its time", &agent, "mark_read", mark(&[M1], "x"), |w| {
            w.wall.fetch_add(120, Ordering::SeqCst);
        }),
        ("after a restart", &agent, "mark_read", mark(&[M1], "x"), |w| {
            w.boot.lock().expect("the boot").push('2');
        }),
    ];
    let mut answers = Vec::new();
    for (what, caller, operation, input, meanwhile) in cases {
        let p = w.proposed(&agent, "mark_read", mark(&[M1], "x")).await;
        meanwhile(&w);
        let e = w.refused(caller, operation, input, token(&p)).await;
        answers.push(serde_json::to_string(&e).expect("json"));
        assert!(!still_open(&w, &agent, &p).await, "{what} left the token alive");
        let e = w.refused(&agent, "mark_read", mark(&[M1], "x"), token(&p)).await;
        answers.push(serde_json::to_string(&e).expect("json"));
    }
    let e = w
        .refused(
            &agent,
            "mark_read",
            mark(&[M1], "x"),
            Confirmation::Token(unknown_token()),
        )
        .await;
    answers.push(serde_json::to_string(&e).expect("json"));
    assert!(answers.iter().all(|a| *a == answers[0]), "{answers:#?}");
    assert_eq!((w.applied(), w.is_read(M1)), (0, false));
}

#[tokio::test]
async fn the_boot_clock_holds_where_the_wall_is_turned_back() {
    let w = World::new();
    let agent = w.organiser().await;
    let p = w.proposed(&agent, "mark_read", mark(&[M1], "")).await;
    w.wall.fetch_sub(3600, Ordering::SeqCst);
    w.up.fetch_add(120, Ordering::SeqCst);
    let e = w.refused(&agent, "mark_read", mark(&[M1], ""), token(&p)).await;
    assert_eq!((e.code(), w.applied()), (Code::Refused, 0));
}

#[tokio::test]
async fn a_refusal_of_an_earlier_check_burns_too() {
    let w = World::new();
    let agent = w.organiser().await;
    let calls: [(&str, Value, Code); 4] = [
        ("no_such_thing", json!({}), Code::NotAvailable),
        ("mark_read", json!({ "target": 7 }), Code::InvalidInput),
        ("mark_read", mark(&["m_vvvvvvvvvv"], ""), Code::NotFound),
        (
            "list_things",
            json!({ "account_id": crate::world::WORK }),
            Code::InvalidInput,
        ),
    ];
    for (operation, input, code) in calls {
        let p = w.proposed(&agent, "mark_read", mark(&[M1], "")).await;
        let e = w.refused(&agent, operation, input, token(&p)).await;
        assert_eq!(e.code(), code);
        assert!(!still_open(&w, &agent, &p).await, "{operation}");
    }
    // A person who presents it burns it as well.
    let p = w.proposed(&agent, "mark_read", mark(&[M1], "")).await;
    w.refused(&w.person(), "mark_read", mark(&[M1], ""), token(&p))
        .await;
    assert!(!still_open(&w, &agent, &p).await);
    assert_eq!(w.applied(), 0);
    assert_eq!(
        w.sql::<i64>("SELECT count(*) FROM audit_row WHERE outcome = 'burned'"),
        5
    );
}

#[tokio::test]
async fn unknown_tokens_write_nothing_and_burn_nothing() {
    let w = World::new();
    let agent = w.organiser().await;
    let p = w.proposed(&agent, "mark_read", mark(&[M1], "")).await;
    let state = |w: &World| -> (i64, i64) {
        (
            w.sql("SELECT max(seq) FROM audit_row"),
            w.sql("SELECT count(*) FROM proposal_row WHERE used IS NULL"),
        )
    };
    let before = state(&w);
    let whole = p.proposal_token.clone();
    let mut tokens = vec![
        unknown_token(),
        String::new(),
        whole[..whole.len() - 1].to_owned(),
        whole[1..].to_owned(),
        format!("{whole} "),
        format!(" {whole}"),
        whole.to_uppercase(),
        whole.replace("oak_once_", ""),
        whole.bytes().map(|b| format!("%{b:02x}")).collect(),
        p.proposal_id.as_str().to_owned(),
        "x".repeat(100_000),
    ];
    // Each of its characters off by one, too.
    for n in "oak_once_".len()..whole.len() {
        let mut off = whole.clone().into_bytes();
        off[n] = if off[n] == b'0' { b'1' } else { b'0' };
        tokens.push(String::from_utf8(off).expect("ASCII"));
    }
    for token in tokens {
        let e = w
            .refused(&agent, "mark_read", mark(&[M1], ""), Confirmation::Token(token))
            .await;
        assert_eq!(e.code(), Code::Refused);
    }
    assert_eq!(state(&w), before);
    w.done(&agent, "mark_read", mark(&[M1], ""), token(&p)).await;
}

#[tokio::test]
async fn the_spelling_of_an_input_does_not_matter_only_its_meaning() {
    use oaken_gate::Input;
    let w = World::new();
    let agent = w.organiser().await;
    let bytes = |s: String| Input::Bytes(s.into_bytes());
    let p = w.proposed(&agent, "mark_read", mark(&[M1], "é")).await;
    let spelled = format!(r#" {{ "note" : "\u00e9", "target":{{"ids":["{M1}"]}} }} "#);
    let done = w.gate.call(&agent, "mark_read", bytes(spelled), token(&p)).await;
    assert!(done.is_ok(), "{done:?}");
}

#[tokio::test]
async fn a_token_is_stored_as_a_hash_only() {
    let w = World::new();
    let agent = w.organiser().await;
    let p = w
        .proposed(&agent, "mark_read", mark(&[M1], "a note to the one who confirms"))
        .await;
    let hex = p.proposal_token.strip_prefix("oak_once_").expect("its prefix");
    for file in ["oaken.db", "oaken.db-wal"] {
        let bytes = std::fs::read(w.dir.path().join("data").join(file)).expect("a file");
        for secret in [hex, "a note to the one"] {
            assert!(
                !bytes.windows(secret.len()).any(|b| b == secret.as_bytes()),
                "{file} holds {secret}"
            );
        }
    }
}
