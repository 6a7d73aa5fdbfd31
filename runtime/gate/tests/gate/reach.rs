//! Whose mail an agent reaches: `[mcp] workspaces`.

use oaken_core::Confirmation;
use serde_json::json;

use crate::world::{M3, WORK, World};

async fn total(
    w: &World,
    agent: &oaken_gate::Caller,
    input: serde_json::Value,
) -> Result<i64, oaken_core::Error> {
    match w.call(agent, "list_things", input, Confirmation::None).await? {
        oaken_core::Answer::Done { output, .. } => Ok(output["total"].as_i64().unwrap_or(-1)),
        oaken_core::Answer::Proposed(_) => Ok(-1),
    }
}

#[tokio::test]
async fn a_fresh_install_lists_default_and_empty_means_every_workspace() {
    let w = World::new();
    let agent = w.agent("a").await;
    let required = |w: &World| {
        let offers = w.gate.offered(&agent).expect("offers");
        let offer = offers
            .iter()
            .find(|o| o.descriptor.name == "list_things")
            .expect("offered");
        offer.account_required
    };
    assert!(required(&w) && total(&w, &agent, json!({})).await.is_err());
    w.set("mcp.workspaces", "all").await;
    assert_eq!(total(&w, &agent, json!({})).await, Ok(3));
    assert!(!required(&w));
    // A list that covers every account changes nothing.
    w.set("mcp.workspaces", "default,private").await;
    assert_eq!(total(&w, &agent, json!({})).await, Ok(3));
    assert!(!required(&w));
    // A typo hides mail and never exposes it.
    w.set("mcp.workspaces", "defualt").await;
    assert!(total(&w, &agent, json!({})).await.is_err());
    assert!(total(&w, &agent, json!({ "account_id": WORK })).await.is_err());
    let e = w
        .refused(
            &agent,
            "read_things",
            json!({ "message_ids": [M3] }),
            Confirmation::None,
        )
        .await;
    assert_eq!(e.code(), oaken_core::Code::NotFound);
}

#[tokio::test]
async fn bounds_are_offered_as_they_hold_for_the_caller() {
    let w = World::new();
    w.set("operations.max_read_ids", "3").await;
    let offers = w.gate.offered(&w.person()).expect("offers");
    let read = offers
        .iter()
        .find(|o| o.descriptor.name == "read_things")
        .expect("offered");
    assert_eq!(read.bounds, [("max_read_ids", 3)]);
}
