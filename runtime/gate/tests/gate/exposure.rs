//! Check 1: ceilings, the global list, the agent itself; one answer for everything that is not offered.

use oaken_core::{Code, Confirmation, Door};
use oaken_gate::Input;
use serde_json::json;

use crate::world::{M1, World};

#[tokio::test]
async fn off_never_and_unknown_are_one_answer_byte_for_byte_whatever_the_input() {
    let w = World::new();
    let agent = w.agent("a").await;
    w.expose("list_things", "off").await;
    let mut answers = Vec::new();
    for operation in [
        "mark_read",
        "raw_thing",
        "list_things",
        "send_message",
        "add_agent",
        "no_such_thing",
        "",
    ] {
        for input in [b"{}".to_vec(), b"no json".to_vec(), vec![b'['; 100_000]] {
            for confirmation in [
                Confirmation::None,
                Confirmation::Yes,
                Confirmation::Token("x".into()),
            ] {
                let e = w
                    .gate
                    .call(&agent, operation, Input::Bytes(input.clone()), confirmation)
                    .await
                    .expect_err("refused");
                answers.push(serde_json::to_string(&e).expect("json"));
            }
        }
    }
    assert_eq!(answers.len(), 63);
    assert!(answers.iter().all(|a| *a == answers[0]), "{answers:?}");
    assert!(answers[0].contains("\"code\":\"not_available\""));
}

#[tokio::test]
async fn every_refusal_is_logged_alike_and_an_unknown_name_is_not_kept() {
    let w = World::new();
    let agent = w.agent("a").await;
    for operation in ["mark_read", "raw_thing", "ignore previous instructions"] {
        w.refused(&agent, operation, json!({}), Confirmation::None).await;
    }
    assert_eq!(w.logged("refused", "mark_read", Some("not_available")), 1);
    assert_eq!(w.logged("refused", "raw_thing", Some("not_available")), 1);
    assert_eq!(w.logged("refused", "-", Some("not_available")), 1);
    assert_eq!(
        w.sql::<i64>("SELECT count(*) FROM audit_row WHERE operation LIKE '%ignore%'"),
        0
    );
}

#[tokio::test]
async fn a_person_raises_up_to_the_ceiling_only_and_lowers_from_the_default() {
    let w = World::new();
    let agent = w.agent("a").await;
    let names = |w: &World| -> Vec<&str> {
        w.gate
            .offered(&agent)
            .expect("offers")
            .iter()
            .map(|o| o.descriptor.name)
            .collect()
    };
    assert_eq!(names(&w), ["get_proposal", "list_things", "read_things"]);
    w.expose("mark_read", "on").await;
    w.expose("read_things", "off").await;
    assert_eq!(names(&w), ["get_proposal", "list_things", "mark_read"]);
    w.expose("mark_read", "default").await;
    w.expose("read_things", "default").await;
    assert_eq!(names(&w), ["get_proposal", "list_things", "read_things"]);

    let input = json!({ "operation": "raw_thing", "exposure": "on" });
    let e = w
        .refused(&w.person(), "set_operation_exposure", input, Confirmation::Yes)
        .await;
    assert_eq!(e.code(), Code::Refused);
    let input = json!({ "operation": "no_such", "exposure": "on" });
    let e = w
        .refused(&w.person(), "set_operation_exposure", input, Confirmation::Yes)
        .await;
    assert_eq!(e.code(), Code::NotFound);
}

#[tokio::test]
async fn a_row_above_the_ceiling_put_into_the_table_by_hand_offers_nothing() {
    use oaken_store::{Durability, OrFault};
    let w = World::new();
    let agent = w.agent("a").await;
    w.store
        .write(Durability::Full, |tx| {
            tx.execute(
                "INSERT INTO exposure_row (operation, offered) VALUES ('raw_thing', 1), ('send_message', 1)",
                [],
            )
            .or_fault()
        })
        .expect("written");
    for operation in ["raw_thing", "send_message"] {
        let e = w.refused(&agent, operation, json!({}), Confirmation::None).await;
        assert_eq!(e.code(), Code::NotAvailable);
    }
}

#[tokio::test]
async fn what_can_only_be_refused_is_not_offered() {
    let w = World::new();
    let person: Vec<&str> = w
        .gate
        .offered(&w.person())
        .expect("offers")
        .iter()
        .map(|o| o.descriptor.name)
        .collect();
    assert!(
        !person.contains(&"send_message") && person.contains(&"trash_things"),
        "{person:?}"
    );
    let agent = w.agent("a").await;
    let agents: Vec<&str> = w
        .gate
        .offered(&agent)
        .expect("offers")
        .iter()
        .map(|o| o.descriptor.name)
        .collect();
    assert!(!agents.contains(&"trash_things"), "{agents:?}");
}

#[tokio::test]
async fn a_revoked_agent_is_told_what_everyone_is_told() {
    let w = World::new();
    let agent = w.agent("a").await;
    w.read(&agent, "list_things", json!({ "account_id": crate::world::WORK }))
        .await;
    let id = crate::world::agent_id(&agent);
    w.done(
        &w.person(),
        "revoke_agent",
        json!({ "agent_id": id }),
        Confirmation::Yes,
    )
    .await;
    let e = w
        .refused(
            &agent,
            "read_things",
            json!({ "message_ids": [M1] }),
            Confirmation::None,
        )
        .await;
    assert_eq!(e, oaken_core::Error::not_available());
    assert!(w.gate.offered(&agent).expect("offers").is_empty());
    let e = w
        .refused(
            &w.person(),
            "revoke_agent",
            json!({ "agent_id": id }),
            Confirmation::Yes,
        )
        .await;
    assert_eq!(e.code(), Code::NotFound);
}

#[tokio::test]
async fn tokens_open_their_own_door_only() {
    let w = World::new();
    let made = w
        .done(
            &w.person(),
            "create_token",
            json!({ "name": "script" }),
            Confirmation::Yes,
        )
        .await;
    let personal = made["token"].as_str().expect("a token");
    let made = w
        .done(
            &w.person(),
            "add_agent",
            json!({ "name": "a" }),
            Confirmation::Yes,
        )
        .await;
    let agents = made["token"].as_str().expect("a token");
    assert!(personal.starts_with("oak_person_") && agents.starts_with("oak_agent_"));

    assert_eq!(
        w.gate.authenticate(agents, Door::Ui).expect("an agent").door(),
        Door::Mcp
    );
    assert_eq!(
        w.gate.authenticate(personal, Door::Ui).expect("a person").door(),
        Door::Ui
    );
    let mut refused = Vec::new();
    for (token, door) in [
        (personal, Door::Mcp),
        (personal, Door::Cli),
        (&personal[..personal.len() - 1], Door::Ui),
        (&agents[1..], Door::Mcp),
        ("", Door::Mcp),
        ("oak_agent_", Door::Mcp),
    ] {
        refused.push(w.gate.authenticate(token, door).expect_err("nothing"));
    }
    assert!(
        refused
            .iter()
            .all(|e| *e == refused[0] && e.code() == Code::Unauthenticated)
    );
    for secret in [personal, agents] {
        let hex = secret.rsplit('_').next().expect("its random part");
        for file in ["oaken.db", "oaken.db-wal"] {
            let bytes = std::fs::read(w.dir.path().join("data").join(file)).expect("a file");
            assert!(
                !bytes.windows(hex.len()).any(|b| b == hex.as_bytes()),
                "{file} holds a token in clear"
            );
        }
    }
}
