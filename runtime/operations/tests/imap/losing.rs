//! A connection that is lost while flags are stored: unconfirmed, never repeated, settled by what the next sync sees.

use oaken_core::{Code, Confirmation};
use serde_json::json;

use crate::server::{Loss, Server};
use crate::{World, id};

/// Marks the one message while the connection is lost, and says what became of it after the next sync.
async fn lost(loss: Loss) -> (Server, World) {
    let server = Server::start(&["one"]).await;
    let w = World::over(&server).await;
    w.sync().await;
    server.mailbox().loses = Some(loss);
    let input = json!({ "target": { "ids": [id(&w.listed().await[0])] } });
    let lost = w
        .call("mark_read", input, Confirmation::Yes)
        .await
        .expect_err("lost");
    assert_eq!(lost.code(), Code::Unconfirmed);
    assert_eq!(w.journal(), ["mark_read unconfirmed unconfirmed"]);
    let logged = "SELECT outcome FROM audit_row WHERE kind = 'outcome' AND operation = 'mark_read'";
    assert_eq!(w.rows(logged), ["unconfirmed"]);
    (server, w)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_whose_answer_was_lost_is_unconfirmed_until_a_sync_sees_that_it_was_made() {
    let (server, w) = lost(Loss::AfterStoring).await;
    w.sync().await;
    assert_eq!(w.listed().await[0]["unread"], false);
    assert_eq!(w.journal(), ["mark_read done done"]);
    assert_eq!(server.asked("UID STORE"), 1, "nothing was repeated");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_never_arrived_is_unconfirmed_until_a_sync_sees_that_it_was_not_made() {
    let (server, w) = lost(Loss::BeforeStoring).await;
    w.sync().await;
    assert_eq!(w.listed().await[0]["unread"], true);
    assert_eq!(w.journal(), ["mark_read done refused"]);
    assert_eq!(server.asked("UID STORE"), 1, "nothing was repeated");
    assert!(!server.mailbox().mails[0].seen);
}
