//! Check 4: what a person and an agent are shown, and what is left of a proposal when the world moved.

use std::sync::atomic::Ordering;

use oaken_core::{Answer, Code, Confirmation};
use oaken_gate::governance::proposals;
use serde_json::json;

use crate::world::{M1, M2, World, agent_id, token};

fn mark(ids: &[&str]) -> serde_json::Value {
    json!({ "target": { "ids": ids } })
}

#[tokio::test]
async fn a_person_is_shown_what_would_change_and_confirms_exactly_that() {
    let w = World::new();
    let e = w
        .refused(&w.person(), "mark_read", mark(&[M1, M2]), Confirmation::None)
        .await;
    assert_eq!(e.code(), Code::ConfirmRequired);
    let shown = serde_json::to_value(&e).expect("json");
    assert_eq!(shown["count"], 2);
    assert_eq!(
        shown["changes"][0],
        json!({ "of": M1, "what": "read", "before": "false", "after": "true" })
    );
    assert!(!w.is_read(M1) && w.applied() == 0);
    let answer = w
        .call(&w.person(), "mark_read", mark(&[M1, M2]), Confirmation::Yes)
        .await
        .expect("done");
    let Answer::Done { output, entry, .. } = answer else {
        panic!("proposed to a person")
    };
    assert_eq!(output["marked"], json!([M1, M2]));
    assert!(entry.is_some() && w.is_read(M1) && w.is_read(M2));
}

#[tokio::test]
async fn an_unseen_operation_asks_for_a_yes_with_nothing_to_show() {
    let w = World::new();
    let e = w
        .refused(
            &w.person(),
            "add_agent",
            json!({ "name": "a" }),
            Confirmation::None,
        )
        .await;
    assert_eq!(
        (e.code(), e.changes().map(|p| p.changes.len())),
        (Code::ConfirmRequired, Some(0))
    );
    assert_eq!(w.sql::<i64>("SELECT count(*) FROM agent_row"), 0);
}

#[tokio::test]
async fn an_agent_gets_a_proposal_and_its_token_does_it_once() {
    let w = World::new();
    let agent = w.organiser().await;
    let p = w.proposed(&agent, "mark_read", mark(&[M1, M2])).await;
    assert_eq!(
        (p.count, p.preview.changes.len(), p.operation),
        (2, 2, "mark_read")
    );
    assert_eq!(p.proposal_token.len(), "oak_once_".len() + 64);
    assert_eq!(p.expires.to_string(), "2026-11-30T12:02:00Z");
    assert!(!w.is_read(M1) && w.applied() == 0);
    let input = json!({ "proposal_id": p.proposal_id });
    assert_eq!(
        w.read(&agent, "get_proposal", input.clone()).await["state"],
        "open"
    );
    w.done(&agent, "mark_read", mark(&[M1, M2]), token(&p)).await;
    assert!(w.is_read(M1) && w.is_read(M2));
    assert_eq!(w.read(&agent, "get_proposal", input).await["state"], "applied");
    let e = w.refused(&agent, "mark_read", mark(&[M1, M2]), token(&p)).await;
    assert_eq!(e.code(), Code::Refused);
    assert_eq!(w.applied(), 1);
}

#[tokio::test]
async fn neither_may_use_the_other_s_way() {
    let w = World::new();
    let agent = w.organiser().await;
    let e = w
        .refused(&agent, "mark_read", mark(&[M1]), Confirmation::Yes)
        .await;
    assert_eq!(
        (e.code(), e.faults()[0].field.as_str()),
        (Code::InvalidInput, "/confirm")
    );
    let e = w
        .refused(
            &w.person(),
            "mark_read",
            mark(&[M1]),
            Confirmation::Token("x".into()),
        )
        .await;
    assert_eq!(
        (e.code(), e.faults()[0].field.as_str()),
        (Code::InvalidInput, "/proposal_token")
    );
    let e = w
        .refused(&w.person(), "list_things", json!({}), Confirmation::Yes)
        .await;
    assert_eq!(
        (e.code(), e.faults()[0].field.as_str()),
        (Code::InvalidInput, "/confirm")
    );
    let e = w
        .refused(&agent, "trash_things", mark(&[M1]), Confirmation::None)
        .await;
    assert_eq!(e.code(), Code::Refused);
    assert!(e.message().contains("person"), "{e}");
    assert_eq!(w.applied(), 0);
}

#[tokio::test]
async fn what_is_no_longer_as_proposed_is_left_out_and_the_rest_is_done() {
    let w = World::new();
    let agent = w.organiser().await;
    let p = w.proposed(&agent, "mark_read", mark(&[M1, M2])).await;
    w.done(&w.person(), "mark_read", mark(&[M1]), Confirmation::Yes)
        .await;
    let done = w.done(&agent, "mark_read", mark(&[M1, M2]), token(&p)).await;
    assert_eq!(done["marked"], json!([M2]));
}

#[tokio::test]
async fn what_was_not_shown_is_never_done() {
    let w = World::new();
    let agent = w.organiser().await;
    w.done(&w.person(), "mark_read", mark(&[M1]), Confirmation::Yes)
        .await;
    // Proposed while M1 was read already: only M2 is shown. Then M1 becomes unread.
    let p = w.proposed(&agent, "mark_read", mark(&[M1, M2])).await;
    assert_eq!(p.count, 1);
    w.done(&w.person(), "mark_unread", mark(&[M1]), Confirmation::Yes)
        .await;
    let done = w.done(&agent, "mark_read", mark(&[M1, M2]), token(&p)).await;
    assert_eq!(done["marked"], json!([M2]));
    assert!(!w.is_read(M1));
}

#[tokio::test]
async fn where_nothing_is_as_proposed_or_it_cannot_be_done_in_part_it_is_stale_and_burned() {
    let w = World::new();
    let agent = w.organiser().await;
    let p = w.proposed(&agent, "mark_read", mark(&[M1])).await;
    w.done(&w.person(), "mark_read", mark(&[M1]), Confirmation::Yes)
        .await;
    let before = w.applied();
    let e = w.refused(&agent, "mark_read", mark(&[M1]), token(&p)).await;
    assert_eq!(e.code(), Code::Stale);
    let state = w
        .read(&agent, "get_proposal", json!({ "proposal_id": p.proposal_id }))
        .await;
    assert_eq!(state["state"], "stale");

    // M1 is flagged, so only M2 is shown; then M1 is not, and this operation cannot leave it out.
    let flag = |to| {
        w.state
            .lock()
            .expect("the state")
            .things
            .get_mut(M1)
            .expect("there")
            .flagged = to
    };
    flag(true);
    let p = w.proposed(&agent, "flag_things", mark(&[M1, M2])).await;
    assert_eq!(p.count, 1);
    flag(false);
    let e = w.refused(&agent, "flag_things", mark(&[M1, M2]), token(&p)).await;
    assert_eq!(e.code(), Code::Stale);
    let e = w.refused(&agent, "flag_things", mark(&[M1, M2]), token(&p)).await;
    assert_eq!(e.code(), Code::Refused);
    assert_eq!(w.applied(), before);
}

#[tokio::test]
async fn caps_hold_and_lapsed_proposals_make_room() {
    let w = World::new();
    let agent = w.organiser().await;
    let other = w.agent("other").await;
    w.set("operations.max_pending_per_agent", "2").await;
    w.set("operations.max_pending_confirmations", "3").await;
    for _ in 0..2 {
        w.proposed(&agent, "mark_read", mark(&[M1])).await;
    }
    let e = w
        .refused(&agent, "mark_read", mark(&[M1]), Confirmation::None)
        .await;
    assert_eq!(e.code(), Code::OverLimit);
    assert!(e.message().contains("max_pending_per_agent allows 2"), "{e}");
    w.proposed(&other, "mark_read", mark(&[M1])).await;
    let e = w
        .refused(&other, "mark_read", mark(&[M1]), Confirmation::None)
        .await;
    assert!(e.message().contains("max_pending_confirmations allows 3"), "{e}");
    w.wall.fetch_add(120, Ordering::SeqCst);
    w.proposed(&agent, "mark_read", mark(&[M1])).await;
    assert_eq!(
        w.sql::<i64>("SELECT count(*) FROM proposal_row WHERE outcome = 'expired'"),
        3
    );
}

#[tokio::test]
async fn a_proposal_shows_so_many_changes_and_counts_all() {
    let w = World::new();
    let agent = w.organiser().await;
    w.set("operations.proposal_changes_shown", "1").await;
    let p = w.proposed(&agent, "mark_read", mark(&[M1, M2])).await;
    assert_eq!((p.count, p.preview.changes.len()), (2, 1));
    let done = w.done(&agent, "mark_read", mark(&[M1, M2]), token(&p)).await;
    assert_eq!(done["marked"], json!([M1, M2]));
}

#[tokio::test]
async fn lowering_a_right_voids_what_waits_on_it() {
    let w = World::new();
    let agent = w.organiser().await;
    let other = w.agent("other").await;
    let state = |p: &oaken_core::Proposal| {
        let (w, id) = (&w, p.proposal_id.clone());
        async move {
            w.read(&w.person(), "get_proposal", json!({ "proposal_id": id }))
                .await["state"]
                .clone()
        }
    };
    let lowered = w.proposed(&agent, "mark_read", mark(&[M1])).await;
    let kept = w.proposed(&agent, "flag_things", mark(&[M1])).await;
    w.expose("mark_read", "off").await;
    assert_eq!(
        (state(&lowered).await, state(&kept).await),
        (json!("void"), json!("open"))
    );
    w.expose("mark_read", "on").await;
    let e = w.refused(&agent, "mark_read", mark(&[M1]), token(&lowered)).await;
    assert_eq!(e.code(), Code::Refused);

    let theirs = w.proposed(&other, "flag_things", mark(&[M1])).await;
    w.done(
        &w.person(),
        "revoke_agent",
        json!({ "agent_id": agent_id(&agent) }),
        Confirmation::Yes,
    )
    .await;
    assert_eq!(
        (state(&kept).await, state(&theirs).await),
        (json!("void"), json!("open"))
    );
    w.set("mcp.workspaces", "private").await;
    assert_eq!(state(&theirs).await, json!("void"));
    assert_eq!(w.applied(), 0);
}

#[tokio::test]
async fn a_token_beside_a_yes_is_refused_and_burned() {
    let w = World::new();
    let agent = w.organiser().await;
    let input = json!({ "target": { "ids": [M1] } });
    let p = w.proposed(&agent, "mark_read", input.clone()).await;
    let both = Confirmation::Both(p.proposal_token.clone());
    let e = w.refused(&agent, "mark_read", input.clone(), both).await;
    assert_eq!(
        (e.code(), e.faults()[0].field.as_str()),
        (Code::InvalidInput, "/proposal_token")
    );
    let e = w.refused(&agent, "mark_read", input, token(&p)).await;
    assert_eq!((e.code(), w.applied(), w.is_read(M1)), (Code::Refused, 0, false));
}

#[tokio::test]
async fn a_listing_of_proposals_shows_the_newest_and_how_many_there_are() {
    let w = World::new();
    let (agent, other) = (w.organiser().await, w.agent("other").await);
    let mut made = Vec::new();
    for ids in [&[M1][..], &[M2], &[M1, M2]] {
        made.push(w.proposed(&agent, "mark_read", mark(ids)).await.proposal_id);
    }
    let g = w.gate.governance();
    let of = |caller: &oaken_gate::Caller| caller.agent().cloned();
    let check = |agent: Option<oaken_core::AgentId>, expected: &[&oaken_core::ProposalId], total: i64| {
        let listed = proposals::list(g, agent.as_ref(), 2).expect("listed");
        let ids: Vec<_> = listed.iter().map(|p| p.id.as_str()).collect();
        let expected: Vec<_> = expected.iter().map(|id| id.as_str()).collect();
        assert_eq!(ids, expected);
        assert_eq!(proposals::total(g, agent.as_ref()).expect("counted"), total);
    };
    check(of(&agent), &[&made[2], &made[1]], 3);
    check(None, &[&made[2], &made[1]], 3);
    check(of(&other), &[], 0);
}
