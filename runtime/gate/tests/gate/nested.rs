//! Operations that consist of others, as `undo` does: every inner call is a call like any other.

use oaken_core::{Answer, Code, Confirmation};
use serde_json::{Value, json};

use crate::world::{M1, M2, World, token};

fn ids(ids: &[&str]) -> Value {
    json!({ "target": { "ids": ids } })
}

/// What a person marks and flags; undoing takes two inner calls.
async fn two_entries(w: &World) -> Value {
    let mut entries = Vec::new();
    w.done(&w.person(), "flag_things", ids(&[M1]), Confirmation::Yes)
        .await;
    entries.push(w.state.lock().expect("the state").applied[0].1.clone());
    match w
        .call(&w.person(), "mark_read", ids(&[M1, M2]), Confirmation::Yes)
        .await
        .expect("done")
    {
        Answer::Done { entry, .. } => entries.push(entry.expect("an entry").as_str().to_owned()),
        Answer::Proposed(_) => panic!("proposed to a person"),
    }
    json!({ "entry_ids": entries })
}

#[tokio::test]
async fn one_preview_one_yes_one_intent_and_leave_of_its_own_for_each_step() {
    let w = World::new();
    let input = two_entries(&w).await;
    let e = w
        .refused(&w.person(), "undo", input.clone(), Confirmation::None)
        .await;
    let shown = e.changes().expect("a preview");
    // mark_unread of M1 and M2, and flag_things of M2 and M3.
    assert_eq!(shown.changes.len(), 4);
    let before = w.applied();
    let done = w.done(&w.person(), "undo", input, Confirmation::Yes).await;
    assert_eq!(done["marked"].as_array().map(Vec::len), Some(4));
    assert!(!w.is_read(M1) && !w.is_read(M2));
    assert_eq!(
        (
            w.logged("intent", "undo", None),
            w.logged("outcome", "undo", Some("done"))
        ),
        (1, 1)
    );
    let state = w.state.lock().expect("the state");
    let steps = &state.applied[before..];
    assert_eq!(
        steps.iter().map(|s| s.0).collect::<Vec<_>>(),
        ["mark_unread", "flag_things"]
    );
    assert_ne!(steps[0].1, steps[1].1, "each step is a journal entry of its own");
    assert_eq!(steps[0].2, steps[1].2, "one intent");
}

#[tokio::test]
async fn an_agent_proposes_the_whole_and_redeems_it_once() {
    let w = World::new();
    let input = two_entries(&w).await;
    let agent = w.organiser().await;
    w.set("mcp.workspaces", "all").await;
    let p = w.proposed(&agent, "undo", input.clone()).await;
    assert_eq!((p.operation, p.count), ("undo", 4));
    w.done(&agent, "undo", input.clone(), token(&p)).await;
    assert!(!w.is_read(M1));
    let e = w.refused(&agent, "undo", input, token(&p)).await;
    assert_eq!(e.code(), Code::Refused);
}

#[tokio::test]
async fn an_inner_call_must_be_exposed_in_reach_and_no_send() {
    let w = World::new();
    let input = two_entries(&w).await;
    let agent = w.organiser().await;
    // Flagging M3 is out of the agent's reach.
    let e = w.refused(&agent, "undo", input.clone(), Confirmation::None).await;
    assert_eq!(e.code(), Code::NotFound);
    w.set("mcp.workspaces", "all").await;
    w.expose("mark_unread", "off").await;
    let e = w.refused(&agent, "undo", input.clone(), Confirmation::None).await;
    assert_eq!(e, oaken_core::Error::not_available());
    w.expose("mark_unread", "on").await;

    w.state.lock().expect("the state").misbehave = Some("nested send");
    let e = w
        .refused(&w.person(), "undo", input.clone(), Confirmation::Yes)
        .await;
    assert_eq!(e.code(), Code::Refused);
    w.state.lock().expect("the state").misbehave = Some("nested trash");
    let e = w.refused(&agent, "undo", input, Confirmation::None).await;
    assert_eq!(e.code(), Code::Refused);
    assert!(e.message().contains("person"), "the strictest approval wins: {e}");
}

#[tokio::test]
async fn a_step_that_fails_after_another_leaves_the_whole_unconfirmed_and_keeps_what_was_done() {
    let w = World::new();
    let input = two_entries(&w).await;
    w.state.lock().expect("the state").misbehave = Some("flag_things");
    let e = w
        .refused(&w.person(), "undo", input.clone(), Confirmation::Yes)
        .await;
    assert_eq!(e.code(), Code::Unconfirmed);
    assert!(!w.is_read(M1), "the first step was made");
    assert_eq!(w.logged("outcome", "undo", Some("unconfirmed")), 1);

    let w = World::new();
    let input = two_entries(&w).await;
    w.state.lock().expect("the state").misbehave = Some("mark_unread");
    let e = w.refused(&w.person(), "undo", input, Confirmation::Yes).await;
    assert_eq!(
        e.code(),
        Code::RemoteRefused,
        "nothing was made, so it says what went wrong"
    );
    assert!(w.is_read(M1));
}

#[tokio::test]
async fn a_nested_proposal_narrows_step_by_step_or_is_stale() {
    let w = World::new();
    w.done(&w.person(), "mark_read", ids(&[M1, M2]), Confirmation::Yes)
        .await;
    let entry = w.state.lock().expect("the state").applied[0].1.clone();
    let input = json!({ "entry_ids": [entry] });
    let agent = w.organiser().await;
    let p = w.proposed(&agent, "undo", input.clone()).await;
    w.done(&w.person(), "mark_unread", ids(&[M1]), Confirmation::Yes)
        .await;
    let done = w.done(&agent, "undo", input, token(&p)).await;
    assert_eq!(done["marked"], json!([M2]));
}

#[tokio::test]
async fn a_nested_call_may_mean_a_part_and_does_never_more() {
    let w = World::new();
    let input = two_entries(&w).await;
    let misbehave = |how| w.state.lock().expect("the state").misbehave = how;
    for how in ["no such part", "part of what has none"] {
        misbehave(Some(how));
        let e = w
            .refused(&w.person(), "undo", input.clone(), Confirmation::Yes)
            .await;
        assert_eq!((e.code(), w.is_read(M1)), (Code::Internal, true), "{how}");
    }
    misbehave(Some("a part"));
    let e = w
        .refused(&w.person(), "undo", input.clone(), Confirmation::None)
        .await;
    // mark_unread of M2 alone, and flag_things of M2 and M3.
    assert_eq!(e.changes().expect("a preview").changes.len(), 3);
    w.done(&w.person(), "undo", input, Confirmation::Yes).await;
    assert_eq!((w.is_read(M1), w.is_read(M2)), (true, false));
}

#[tokio::test]
async fn what_the_plan_noted_reaches_its_output_and_nothing_else() {
    let w = World::new();
    let input = two_entries(&w).await;
    w.set("mcp.workspaces", "all").await;
    let agent = w.organiser().await;
    let p = w.proposed(&agent, "undo", input.clone()).await;
    assert!(
        !serde_json::to_string(&p.preview)
            .expect("shown")
            .contains("asked")
    );
    let done = w.done(&agent, "undo", input, token(&p)).await;
    assert_eq!(done["asked"], 2);
}
