//! Reads: the examples of every operation, and those that need an id, which an earlier listing gave.

use oaken_core::{Ceiling, Class, Descriptor, Text};
use serde_json::{Value, json};

use crate::doors::{Door, Doors, doors_of, is_text, operation};
use crate::{changes, descriptors};

/// What may differ from one call to the next or from one caller to another, and nothing else may.
const VOLATILE: &[(&str, &str, &str)] = &[
    ("status", "now", "the time of the call"),
    ("status", "last_call", "each caller's own"),
];

/// Each example, at each door.
pub fn examples(doors: &mut Doors) {
    let mut run = 0;
    for d in descriptors() {
        for example in d.examples {
            let input = serde_json::from_str(example).expect("an example is JSON");
            match d.class {
                Class::Read => drop(alike(doors, d, &input)),
                _ => changes::example(doors, d, &input),
            }
            run += 1;
        }
    }
    assert!(run >= 15, "{run} examples");
}

/// What has no example, since its ids are new in each demo.
pub fn with_ids(doors: &mut Doors) {
    let accounts = alike(doors, operation("list_accounts"), &json!({}));
    let account = accounts["accounts"][0]["account_id"].clone();
    assert_eq!(accounts["accounts"].as_array().map(Vec::len), Some(3));
    let folders = alike(
        doors,
        operation("mailbox_counts"),
        &json!({ "account_id": account }),
    );
    let folder = folders["folders"][0]["folder_id"].clone();
    alike(
        doors,
        operation("list_messages"),
        &json!({ "account_id": account, "folder_id": folder, "before": "-1d" }),
    );

    let page = alike(doors, operation("list_messages"), &json!({}));
    assert_eq!(page["messages"].as_array().map(Vec::len), Some(50));
    let next = alike(
        doors,
        operation("list_messages"),
        &json!({ "cursor": page["next_cursor"] }),
    );
    assert_ne!(next["messages"][0], page["messages"][0]);
    let ids: Vec<Value> = page["messages"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|m| m["message_id"].clone())
        .collect();
    for few in ids.chunks(5) {
        let read = alike(doors, operation("read_message"), &json!({ "message_ids": few }));
        let answered: Vec<Value> = read["messages"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|m| m["message_id"].clone())
            .collect();
        assert_eq!(answered, few);
    }
    let thread = alike(doors, operation("get_thread"), &json!({ "message_id": ids[0] }));
    let same = alike(
        doors,
        operation("get_thread"),
        &json!({ "thread_id": thread["thread_id"] }),
    );
    assert_eq!(thread, same);
    alike(
        doors,
        operation("get_raw_message"),
        &json!({ "message_id": ids[0] }),
    );
    let tested = alike(
        doors,
        operation("test_account"),
        &json!({ "account_id": account }),
    );
    assert_eq!(
        tested["folders"],
        json!(folders["folders"].as_array().map(Vec::len))
    );

    // A proposal of the agent, as a person and as the agent itself sees it.
    let target = json!({ "target": { "ids": [ids[0]] } });
    let proposed = doors
        .ask(Door::Stdio, operation("flag_messages"), &target)
        .expect("a proposal");
    let proposal = alike(
        doors,
        operation("get_proposal"),
        &json!({ "proposal_id": proposed["proposal_id"] }),
    );
    assert_eq!(proposal["proposal"]["state"], "open");
    assert_eq!(proposal["changes"][0]["of"], ids[0]);
    let agent = proposal["proposal"]["agent_id"].clone();
    let listed = alike(doors, operation("list_proposals"), &json!({ "agent_id": agent }));
    assert_eq!(listed["proposals"][0]["proposal_id"], proposed["proposal_id"]);
    let audit = alike(
        doors,
        operation("list_audit"),
        &json!({ "agent_id": agent, "operation": "read_message" }),
    );
    assert_eq!(audit["rows"][0]["operation"], "read_message");
    assert_eq!(audit["chain"], "whole");
}

/// One input at every door that takes it: the same output. Answers it.
#[track_caller]
pub fn alike(doors: &mut Doors, d: &'static Descriptor, input: &Value) -> Value {
    let first = steady(d, doors.answer(Door::Cli, d, input));
    let mut texts = vec![];
    for door in doors_of(d).iter().skip(1) {
        let answer = doors.answer(*door, d, input);
        if is_text(*door, d) {
            texts.push(without_nonce(&answer));
        } else {
            assert_eq!(steady(d, answer), first, "{} of {input} at {door:?}", d.name);
        }
    }
    if let [one, other] = texts.as_slice() {
        assert_eq!(one, other, "{} of {input}", d.name);
        says_all(d, one, &first);
    } else {
        assert!(d.ceiling == Ceiling::Never || texts.is_empty());
    }
    first
}

fn steady(d: &Descriptor, mut answer: Value) -> Value {
    for (_, field, why) in VOLATILE.iter().filter(|(name, ..)| *name == d.name) {
        let gone = answer.as_object_mut().and_then(|o| o.shift_remove(*field));
        assert!(
            gone.is_some() || *field == "last_call",
            "{} has no {field}: {why}",
            d.name
        );
    }
    answer
}

/// A text result with the nonce of its call made equal.
#[track_caller]
fn without_nonce(answer: &Value) -> String {
    let text = answer.as_str().expect("a text result");
    let nonce = text
        .split_once("<mail-")
        .and_then(|(_, rest)| rest.split_once('>'))
        .expect("a fence")
        .0;
    text.replace(nonce, "NONCE")
}

/// The text holds every message of the answer, each body whole within its fence.
#[track_caller]
fn says_all(d: &Descriptor, text: &str, answer: &Value) {
    let messages = answer["messages"]
        .as_array()
        .unwrap_or_else(|| panic!("{} answers no messages", d.name));
    assert!(!messages.is_empty());
    for message in messages {
        let id = message["message_id"].as_str().unwrap_or_default();
        let body = Text::new(message["text"].as_str().unwrap_or_default());
        assert!(
            text.contains(&format!("message_id: {id}\n")),
            "{id} is not in the text"
        );
        assert!(
            text.contains(&format!("<mail-NONCE>\n{body}\n</mail-NONCE>")),
            "the body of {id} is not in the text"
        );
        assert!(text.contains(&format!("unread: {}\n", message["unread"])), "{id}");
    }
    assert_eq!(text.matches("\n</mail-NONCE>\n").count(), messages.len());
}
