//! What goes out: as declared, in reach, within the budget of text, each cut with the call that gets the rest.

use oaken_core::{Answer, Code, Confirmation, Cut};
use oaken_gate::Caller;
use serde_json::{Value, json};

use crate::world::{M1, M2, M3, WORK, World};

async fn cut(w: &World, caller: &Caller, operation: &str, input: Value) -> (Value, Vec<Cut>) {
    match w
        .call(caller, operation, input, Confirmation::None)
        .await
        .expect("done")
    {
        Answer::Done { output, cut, .. } => (output, cut),
        Answer::Proposed(_) => panic!("a read is not proposed"),
    }
}

#[tokio::test]
async fn an_output_that_is_not_as_declared_or_a_panic_is_internal_and_says_nothing() {
    let w = World::new();
    let agent = w.agent("a").await;
    for how in [
        "panic",
        "long page",
        "undeclared",
        "missing",
        "type",
        "id",
        "no object",
    ] {
        w.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .misbehave = Some(how);
        w.state.clear_poison();
        for caller in [&w.person(), &agent] {
            let input = json!({ "account_id": WORK, "from": "canary@example.org" });
            let e = w.refused(caller, "list_things", input, Confirmation::None).await;
            assert_eq!(e.code(), Code::Internal, "{how}");
            assert!(
                !format!("{e} {}", serde_json::to_string(&e).expect("json")).contains("canary"),
                "{how}: {e}"
            );
        }
    }
}

#[tokio::test]
async fn a_list_longer_than_its_setting_allows_is_cut_and_says_so() {
    let w = World::new();
    let agent = w.agent("a").await;
    w.state.lock().expect("the state").misbehave = Some("too many");
    for (caller, most) in [(&w.person(), 50), (&agent, 20)] {
        let (output, cuts) = cut(&w, caller, "list_things", json!({ "account_id": WORK })).await;
        assert_eq!(output["things"].as_array().map(Vec::len), Some(most));
        let told = cuts.first().expect("a cut");
        assert_eq!(
            (told.field.as_str(), told.shown, told.of),
            ("/things", most, most + 1)
        );
        assert!(told.next.contains("max_results"), "{told:?}");
    }
}

#[tokio::test]
async fn an_id_out_of_reach_does_not_leave_even_where_a_handler_lets_it() {
    let w = World::new();
    let agent = w.agent("a").await;
    w.state.lock().expect("the state").misbehave = Some("leak");
    let e = w
        .refused(
            &agent,
            "list_things",
            json!({ "account_id": WORK }),
            Confirmation::None,
        )
        .await;
    let said = serde_json::to_string(&e).expect("json");
    assert_eq!(e.code(), Code::Stale);
    assert!(!said.contains(M3) && !said.contains("three"), "{said}");
}

#[tokio::test]
async fn long_texts_share_the_budget_and_each_cut_names_the_next_call() {
    let w = World::new();
    let agent = w.agent("a").await;
    {
        let mut state = w.state.lock().expect("the state");
        state.things.get_mut(M1).expect("there").text = "é".repeat(30_000);
        state.things.get_mut(M2).expect("there").text = "short".to_owned();
    }
    let (output, cuts) = cut(&w, &agent, "read_things", json!({ "message_ids": [M1, M2] })).await;
    let chars = |v: &Value| v.as_str().map_or(0, |s| s.chars().count());
    // 8,000 for an agent: the subject is cut to its own 12, short texts stay whole, the long one gets what is left.
    let shown = 8_000 - 12 - 5 - 5;
    assert_eq!(chars(&output["things"][0]["text"]), shown);
    assert_eq!(output["things"][1]["text"], "short");
    let next = |offset: usize| format!(r#"read_things {{"message_ids":["{M1}"],"offset":{offset}}}"#);
    assert_eq!(
        cuts,
        [
            Cut {
                field: "/things/0/subject".into(),
                shown: 12,
                of: 30_000,
                next: format!(r#"read_things {{"message_ids":["{M1}"]}}"#),
            },
            Cut {
                field: "/things/0/text".into(),
                shown,
                of: 30_000,
                next: next(shown),
            },
        ]
    );
    // The next call is a real one, and the calls together give the whole text.
    let (mut whole, mut calls, mut offset) = (String::new(), 0, 0);
    loop {
        let (output, cuts) = cut(
            &w,
            &agent,
            "read_things",
            json!({ "message_ids": [M1], "offset": offset }),
        )
        .await;
        whole.push_str(output["things"][0]["text"].as_str().expect("text"));
        calls += 1;
        let Some(text) = cuts.iter().find(|c| c.field.ends_with("/text")) else {
            break;
        };
        offset += text.shown;
        assert_eq!(text.next, next(offset));
    }
    assert_eq!((whole.chars().count(), calls), (30_000, 4));
    // A person has more.
    let (output, _) = cut(&w, &w.person(), "read_things", json!({ "message_ids": [M1] })).await;
    assert_eq!(chars(&output["things"][0]["text"]), 20_000 - 12);
}

#[tokio::test]
async fn a_cut_in_a_listing_leads_to_the_reader() {
    let w = World::new();
    w.state
        .lock()
        .expect("the state")
        .things
        .get_mut(M2)
        .expect("there")
        .text = "a subject of some length".to_owned();
    let (output, cuts) = cut(&w, &w.person(), "list_things", json!({})).await;
    assert_eq!(output["things"][1]["subject"], "a subject of");
    assert_eq!(cuts.len(), 1);
    assert_eq!(cuts[0].next, format!(r#"read_things {{"message_ids":["{M2}"]}}"#));
}

#[tokio::test]
async fn an_agent_s_read_is_in_the_log_with_its_ids_and_a_person_s_is_not() {
    let w = World::new();
    let agent = w.agent("a").await;
    w.read(&w.person(), "list_things", json!({})).await;
    assert_eq!(w.logged("read", "list_things", None), 0);
    w.read(&agent, "list_things", json!({ "account_id": WORK })).await;
    assert_eq!(w.logged("read", "list_things", None), 1);
    let detail: String = w.sql("SELECT detail FROM audit_row WHERE kind = 'read'");
    assert_eq!(detail, format!(r#"["{M1}","{M2}"]"#));
}

#[tokio::test]
async fn a_change_may_name_what_was_asked_for_and_has_vanished_and_nothing_else() {
    let w = World::new();
    let agent = w.organiser().await;
    let input = json!({ "target": { "ids": [M1] } });
    let p = w.proposed(&agent, "mark_read", input.clone()).await;
    w.state.lock().expect("the state").misbehave = Some("vanished");
    let done = w.done(&agent, "mark_read", input, crate::world::token(&p)).await;
    assert_eq!(done["marked"], json!([M1]));
    let input = json!({ "target": { "ids": [M2] } });
    let p = w.proposed(&agent, "mark_read", input.clone()).await;
    w.state.lock().expect("the state").misbehave = Some("gone");
    let e = w
        .refused(&agent, "mark_read", input, crate::world::token(&p))
        .await;
    assert_eq!(e.code(), Code::Internal);
    assert!(e.message().contains("The change was made"), "{e}");
}
