//! Check 3: send is refused, and a personal token keeps to its class.

use oaken_core::{Code, Confirmation, Door};
use serde_json::json;

use crate::world::{M1, World};

#[tokio::test]
async fn send_is_refused_for_everyone_before_anything_is_composed_and_after_the_input_was_checked() {
    let w = World::new();
    let letter = json!({ "to": "dana@example.org", "text": "We will have it by Friday." });
    for confirmation in [Confirmation::None, Confirmation::Yes] {
        let e = w
            .refused(&w.person(), "send_message", letter.clone(), confirmation)
            .await;
        assert_eq!(e.code(), Code::Refused);
        assert_eq!(e.message(), "Sending is reserved and refused; nothing was sent.");
    }
    let e = w
        .refused(
            &w.person(),
            "send_message",
            json!({ "to": "dana" }),
            Confirmation::Yes,
        )
        .await;
    assert_eq!(e.code(), Code::InvalidInput);
    w.set("send.enabled", "true").await;
    let e = w
        .refused(&w.person(), "send_message", letter.clone(), Confirmation::Yes)
        .await;
    assert_eq!(
        e.message(),
        "Sending is reserved: this version of Oaken sends nothing."
    );
    let agent = w.agent("a").await;
    let e = w
        .refused(&agent, "send_message", letter, Confirmation::None)
        .await;
    assert_eq!(e.code(), Code::NotAvailable);
    assert_eq!(w.logged("refused", "send_message", Some("refused")), 3);
}

#[tokio::test]
async fn a_read_token_reads_and_a_change_token_changes_until_it_lapses_or_is_revoked() {
    let w = World::new();
    let holder = |name: &'static str, class: &'static str, days: i64| {
        let w = &w;
        async move {
            let input = json!({ "name": name, "class": class, "days": days });
            let made = w
                .done(&w.person(), "create_token", input, Confirmation::Yes)
                .await;
            let token = made["token"].as_str().expect("a token").to_owned();
            let caller = w.gate.authenticate(&token, Door::Ui).expect("a holder");
            (caller, made["token_id"].clone(), token)
        }
    };
    let (reader, _, reading) = holder("reader", "read", 1).await;
    let (changer, id, changing) = holder("changer", "change", 30).await;
    let mark = json!({ "target": { "ids": [M1] } });
    assert_eq!(w.read(&reader, "list_things", json!({})).await["total"], 3);
    for confirmation in [Confirmation::None, Confirmation::Yes] {
        let e = w.refused(&reader, "mark_read", mark.clone(), confirmation).await;
        assert_eq!(e.code(), Code::Refused);
    }
    assert!(!w.is_read(M1));
    w.done(&changer, "mark_read", mark, Confirmation::Yes).await;
    assert!(w.is_read(M1));
    let offers = w.gate.offered(&reader).expect("offers");
    assert!(
        offers
            .iter()
            .all(|o| o.descriptor.class == oaken_core::Class::Read)
    );

    w.wall.fetch_add(86_400, std::sync::atomic::Ordering::SeqCst);
    let e = w
        .refused(&reader, "list_things", json!({}), Confirmation::None)
        .await;
    assert_eq!(e.code(), Code::Unauthenticated);
    assert!(w.gate.authenticate(&reading, Door::Ui).is_err());
    w.read(&changer, "list_things", json!({})).await;
    w.done(
        &w.person(),
        "revoke_token",
        json!({ "token_id": id }),
        Confirmation::Yes,
    )
    .await;
    let e = w
        .refused(&changer, "list_things", json!({}), Confirmation::None)
        .await;
    assert_eq!(e.code(), Code::Unauthenticated);
    assert!(w.gate.authenticate(&changing, Door::Ui).is_err());
}
