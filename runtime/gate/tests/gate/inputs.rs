//! Check 2: the walk over the declared shapes. All faults at once; no value in any of them.

use oaken_core::{Code, Confirmation, Door};
use oaken_gate::{Gate, Input};
use serde_json::{Value, json};

use crate::world::{HOME, M1, M2, NOBODY, WORK, World};

#[track_caller]
fn check(faults: &[oaken_core::Fault], expected: &[(&str, &str)]) {
    let got: Vec<(String, String)> = faults
        .iter()
        .map(|f| {
            let accepted = f.accepted.as_ref().map(|a| format!(": {a}")).unwrap_or_default();
            (f.field.clone(), format!("{}{accepted}", f.message))
        })
        .collect();
    let got: Vec<(&str, &str)> = got.iter().map(|(f, m)| (f.as_str(), m.as_str())).collect();
    assert_eq!(got, expected);
}

async fn faults(w: &World, operation: &str, input: Value) -> Vec<oaken_core::Fault> {
    let e = w.refused(&w.person(), operation, input, Confirmation::None).await;
    assert_eq!(e.code(), Code::InvalidInput);
    e.faults().to_vec()
}

#[tokio::test]
async fn an_id_stands_in_a_list_once() {
    let w = World::new();
    let ids = json!({ "ids": [M1, M2, M1, M1] });
    check(
        &faults(&w, "mark_read", json!({ "target": ids })).await,
        &[
            ("/target/ids/2", "is there twice: each id once"),
            ("/target/ids/3", "is there twice: each id once"),
        ],
    );
    check(
        &faults(&w, "read_things", json!({ "message_ids": [M2, M2] })).await,
        &[("/message_ids/1", "is there twice: each id once")],
    );
    check(
        &faults(&w, "mark_read", json!({ "target": { "ids": [] } })).await,
        &[("/target/ids", "is empty: at least one id")],
    );
    let words = json!({ "words": ["ok", "ok"] });
    w.read(&w.person(), "list_things", words).await;
}

#[tokio::test]
async fn all_faults_at_once_each_with_its_field_and_what_would_do() {
    let w = World::new();
    let input = json!({
        "account_id": "dana@example.org",
        "unread": "yes",
        "limit": 101,
        "since": "yesterday",
        "view": "trash",
        "words": ["ok", 7, "much too long"],
        "from": "dana",
        "row": { "message_id": "a_0000000001", "subject": 1, "who": 2, "where": 3 },
        "folder": "INBOX",
    });
    check(
        &faults(&w, "list_things", input).await,
        &[
            (
                "/account_id",
                "is not an id of this kind: an id that begins with a_, as an earlier answer gave it",
            ),
            ("/unread", "is not true or false"),
            ("/limit", "is out of bounds: a whole number from 1 to 100"),
            (
                "/since",
                "is not a point in time: 2026-11-30T12:00:00Z, a date, or -12h, -7d",
            ),
            ("/view", "is none of the words it may be: one of inbox, sent"),
            ("/words/1", "is not a string"),
            ("/words/2", "is too long: at most 8 characters"),
            ("/from", "is not a mail address: name@example.org"),
            (
                "/row/message_id",
                "is not an id of this kind: an id that begins with m_, as an earlier answer gave it",
            ),
            ("/row/subject", "is not a string"),
            (
                "/row/*",
                "2 of the fields given are not declared: only message_id, subject, text, seen",
            ),
            (
                "/*",
                "1 of the fields given are not declared: only account_id, unread, limit, since, view, words, from, row",
            ),
        ],
    );
    check(
        &faults(&w, "read_things", json!({})).await,
        &[("/message_ids", "is missing")],
    );
    check(
        &faults(&w, "read_things", json!([1])).await,
        &[("", "is not an object")],
    );
    check(
        &faults(&w, "raw_thing", json!({ "x": 1 })).await,
        &[("/*", "1 of the fields given are not declared: no fields")],
    );
    check(
        &faults(&w, "list_things", json!({ "limit": null, "unread": null })).await,
        &[
            ("/unread", "is not true or false"),
            ("/limit", "is not a whole number"),
        ],
    );
}

#[tokio::test]
async fn defaults_are_filled_in_and_whole_numbers_may_be_written_as_floats() {
    let w = World::new();
    let echo =
        |v: Value| -> Value { serde_json::from_str(v["echo"].as_str().expect("an echo")).expect("json") };
    let read = w.read(&w.person(), "list_things", json!({})).await;
    assert_eq!(echo(read), json!({ "limit": 10, "view": "inbox" }));
    let input = json!({ "limit": 20.0, "since": "2026-11-30T10:00:00+02:00", "unread": true });
    let read = w.read(&w.person(), "list_things", input).await;
    assert_eq!(
        echo(read),
        json!({ "unread": true, "limit": 20, "since": "2026-11-30T08:00:00Z", "view": "inbox" })
    );
    let read = w
        .read(&w.person(), "list_things", json!({ "since": "-12h" }))
        .await;
    assert_eq!(echo(read)["since"], "2026-11-30T00:00:00Z");
    for limit in [json!(1.5), json!("1"), json!(1e300), json!(u64::MAX), json!(0)] {
        assert_eq!(
            faults(&w, "list_things", json!({ "limit": limit })).await.len(),
            1
        );
    }
}

#[tokio::test]
async fn a_count_over_the_live_setting_is_refused_and_named() {
    let w = World::new();
    let six: Vec<&str> = vec![M1; 6];
    check(
        &faults(&w, "read_things", json!({ "message_ids": six })).await,
        &[(
            "/message_ids",
            "has more items than the setting max_read_ids allows: at most 5 items",
        )],
    );
    let words = json!({ "words": vec!["ok"; 6] });
    check(
        &faults(&w, "list_things", words.clone()).await,
        &[(
            "/words",
            "has more items than the setting max_read_ids allows: at most 5 items",
        )],
    );
    w.set("operations.max_read_ids", "6").await;
    w.read(&w.person(), "list_things", words).await;
    let many: Vec<&str> = vec![M1; 201];
    check(
        &faults(&w, "mark_read", json!({ "target": { "ids": many } })).await,
        &[(
            "/target/ids",
            "has more items than the setting max_batch_ids allows: at most 200 items",
        )],
    );
}

#[tokio::test]
async fn hidden_missing_and_nonsense_ids_are_one_answer_with_their_fields() {
    let w = World::new();
    let agent = w.agent("a").await;
    let not_found = |id: &str| {
        let (w, agent, id) = (&w, &agent, id.to_owned());
        async move {
            w.refused(
                agent,
                "read_things",
                json!({ "message_ids": [M1, id] }),
                Confirmation::None,
            )
            .await
        }
    };
    let hidden = not_found(crate::world::M3).await;
    assert_eq!(hidden, not_found(NOBODY).await);
    assert_eq!(hidden.code(), Code::NotFound);
    check(hidden.faults(), &[("/message_ids/1", "names nothing in reach")]);
    let both = json!({ "target": { "ids": [NOBODY, M2, "m_uuuuuuuuuu"] } });
    let e = w.refused(&w.person(), "mark_read", both, Confirmation::Yes).await;
    check(
        e.faults(),
        &[
            ("/target/ids/0", "names nothing in reach"),
            ("/target/ids/2", "names nothing in reach"),
        ],
    );
    assert_eq!(w.applied(), 0);
}

#[tokio::test]
async fn what_spans_hidden_accounts_is_refused_naming_those_in_reach() {
    let w = World::new();
    let agent = w.agent("a").await;
    let e = w
        .refused(&agent, "list_things", json!({}), Confirmation::None)
        .await;
    assert_eq!(e.code(), Code::InvalidInput);
    check(
        e.faults(),
        &[(
            "/account_id",
            "is needed: this call would span accounts out of reach: one of the accounts in reach: a_0000000001",
        )],
    );
    let read = w.read(&agent, "list_things", json!({ "account_id": WORK })).await;
    assert_eq!(read["total"], 2);
    let e = w
        .refused(
            &agent,
            "list_things",
            json!({ "account_id": HOME }),
            Confirmation::None,
        )
        .await;
    assert_eq!(e.code(), Code::NotFound);
    // A person is not scoped.
    assert_eq!(w.read(&w.person(), "list_things", json!({})).await["total"], 3);
}

#[tokio::test]
async fn bytes_are_read_strictly() {
    let w = World::new();
    for (bytes, expected) in [
        (r#"{"limit": 1, "limit": 2}"#, "has the same key twice"),
        (r#"{"limit": 1"#, "is not valid JSON"),
        ("{} x", "has something after its end"),
    ] {
        let input = Input::Bytes(bytes.as_bytes().to_vec());
        let e = w
            .gate
            .call(&w.person(), "list_things", input, Confirmation::None)
            .await
            .expect_err("refused");
        assert_eq!(
            (e.code(), e.faults()[0].message.to_string().as_str()),
            (Code::InvalidInput, expected)
        );
    }
}

#[test]
fn doors_lift_a_confirmation_out_before_the_input_is_checked() {
    let lift = |mut input: Value| (Gate::lift(&mut input), input);
    let (c, rest) = lift(json!({ "confirm": true, "a": 1 }));
    assert!(matches!(c, Ok(Confirmation::Yes)) && rest == json!({ "a": 1 }));
    let (c, rest) = lift(json!({ "proposal_token": "t", "a": 1 }));
    assert!(matches!(c, Ok(Confirmation::Token(t)) if t == "t") && rest == json!({ "a": 1 }));
    assert!(matches!(
        lift(json!({ "confirm": false })).0,
        Ok(Confirmation::None)
    ));
    assert!(matches!(lift(json!([])).0, Ok(Confirmation::None)));
    let (c, rest) = lift(json!({ "proposal_token": "t", "confirm": true, "a": 1 }));
    assert!(matches!(c, Ok(Confirmation::Both(t)) if t == "t") && rest == json!({ "a": 1 }));
    // Whatever stands beside a token, it was tried.
    let odd = lift(json!({ "proposal_token": "t", "confirm": "yes" })).0;
    assert!(matches!(odd, Ok(Confirmation::Both(t)) if t == "t"));
    for (input, field) in [
        (json!({ "confirm": "yes" }), "/confirm"),
        (json!({ "proposal_token": 7 }), "/proposal_token"),
    ] {
        let e = lift(input).0.expect_err("refused");
        assert_eq!(
            (e.code(), e.faults()[0].field.as_str()),
            (Code::InvalidInput, field)
        );
    }
}

#[tokio::test]
async fn what_governs_resolves_too_and_an_agent_finds_its_own_only() {
    let w = World::new();
    let agent = w.organiser().await;
    let other = w.agent("other").await;
    let p = w
        .proposed(&agent, "mark_read", json!({ "target": { "ids": [M1] } }))
        .await;
    let input = json!({ "proposal_id": p.proposal_id });
    assert_eq!(
        w.read(&agent, "get_proposal", input.clone()).await["state"],
        "open"
    );
    assert_eq!(
        w.read(&w.person(), "get_proposal", input.clone()).await["state"],
        "open"
    );
    let foreign = w.refused(&other, "get_proposal", input, Confirmation::None).await;
    let nonsense = w
        .refused(
            &other,
            "get_proposal",
            json!({ "proposal_id": "p_vvvvvvvvvv" }),
            Confirmation::None,
        )
        .await;
    assert_eq!(foreign, nonsense);
    assert_eq!(
        w.gate.authenticate("x", Door::Ui).expect_err("nobody").code(),
        Code::Unauthenticated
    );
}
