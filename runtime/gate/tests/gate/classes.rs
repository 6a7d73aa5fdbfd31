//! Check 3: send is refused, and a personal token keeps to its class.

use oaken_core::{Code, Confirmation, Door};
use oaken_gate::{Body, Entry, Gate};
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

#[tokio::test]
async fn no_token_changes_what_governs() {
    let w = World::new();
    let input = json!({ "name": "changer", "class": "change", "days": 30 });
    let made = w
        .done(&w.person(), "create_token", input.clone(), Confirmation::Yes)
        .await;
    let token = made["token"].as_str().expect("a token");
    let holder = w.gate.authenticate(token, Door::Ui).expect("a holder");
    let revoke = json!({ "token_id": made["token_id"] });
    let set = json!({ "name": "mcp.workspaces", "value": "all" });
    for (operation, input) in [
        ("create_token", input),
        ("revoke_token", revoke),
        ("set_setting", set),
    ] {
        for confirmation in [Confirmation::None, Confirmation::Yes] {
            let e = w.refused(&holder, operation, input.clone(), confirmation).await;
            assert_eq!(e.code(), Code::PresenceRequired, "{operation}");
        }
        let offers = w.gate.offered(&holder).expect("offers");
        assert!(
            offers.iter().all(|o| o.descriptor.name != operation),
            "{operation}"
        );
        let to_a_person = w.gate.offered(&w.person()).expect("offers");
        assert!(
            to_a_person.iter().any(|o| o.descriptor.name == operation),
            "{operation}"
        );
    }
    // What governs may be read.
    w.read(&holder, "raw_thing", json!({})).await;
    assert_eq!(w.logged("refused", "create_token", Some("presence_required")), 2);
}

/// Leave to mark read goes by the body, exposure and preview by the descriptor: a gate takes no entry where they differ.
#[tokio::test]
async fn a_body_of_another_kind_than_declared_makes_no_gate() {
    let w = World::new();
    let swapped = |name: &str, like: &str| {
        let mut entries = w.entries();
        let take = |entries: &mut Vec<Entry>, name: &str| {
            let at = entries
                .iter()
                .position(|e| e.descriptor.name == name)
                .expect("an entry");
            entries.swap_remove(at)
        };
        let (of, body) = (take(&mut entries, name), take(&mut entries, like).body);
        entries.push(Entry {
            descriptor: of.descriptor,
            body,
        });
        Gate::new(w.governance(), entries).err().map(|e| e.code())
    };
    for (name, like) in [
        ("flag_things", "mark_read"),
        ("mark_read", "mark_unread"),
        ("list_things", "flag_things"),
        ("flag_things", "list_things"),
        ("send_message", "flag_things"),
        ("mark_unread", "undo"),
    ] {
        let expected = (name != "mark_unread").then_some(Code::Internal);
        assert_eq!(swapped(name, like), expected, "{name} with the body of {like}");
    }
    let unseen: fn() -> Body = || Body::Unseen(Box::new(|_, _, _| unreachable!("never called")));
    let mut entries = w.entries();
    for entry in &mut entries {
        if entry.descriptor.name == "flag_things" {
            entry.body = unseen();
        }
    }
    assert!(Gate::new(w.governance(), entries).is_err());
    assert!(Gate::new(w.governance(), w.entries()).is_ok());
}
