//! Changes to mail: a preview for a person, a proposal for an agent, both of the same changes; and what one door did is
//! seen at all of them, and taken back at each.

use oaken_core::Descriptor;
use serde_json::{Value, json};

use crate::doors::{AGENT, ALL, Door, Doors, PERSON, doors_of, operation};

/// An example of a change: shown alike, then made once.
pub fn example(doors: &mut Doors, d: &'static Descriptor, input: &Value) {
    if d.preview {
        shown_alike(doors, d, input, doors_of(d));
    }
    confirm(doors, Door::Cli, d, input);
}

/// Marks at each door, looks at all, and takes it back at the same door.
pub fn marks(doors: &mut Doors) {
    let list = operation("list_messages");
    let ids = |doors: &mut Doors, input: Value| -> Vec<Value> {
        let rows = doors.answer(Door::Cli, list, &input)["messages"].clone();
        rows.as_array()
            .into_iter()
            .flatten()
            .map(|m| m["message_id"].clone())
            .collect()
    };
    let unread = ids(doors, json!({ "unread": true, "flagged": false }));
    let read = ids(doors, json!({ "unread": false }));
    for (n, door) in ALL.into_iter().enumerate() {
        let (one, other) = (
            json!({ "target": { "ids": [unread[n]] } }),
            json!({ "target": { "ids": [read[n]] } }),
        );
        cycle(
            doors,
            door,
            operation("mark_read"),
            &one,
            ("unread", json!(true), json!(false)),
        );
        cycle(
            doors,
            door,
            operation("mark_unread"),
            &other,
            ("unread", json!(false), json!(true)),
        );
        cycle(
            doors,
            door,
            operation("flag_messages"),
            &one,
            ("flagged", json!(false), json!(true)),
        );
    }
}

/// Syncing, at each door: nothing is new in a Maildir that nobody touched.
pub fn sync(doors: &mut Doors) {
    let accounts = doors.answer(Door::Cli, operation("list_accounts"), &json!({}));
    let input = json!({ "account_id": accounts["accounts"][0]["account_id"] });
    let d = operation("sync_account");
    for door in ALL {
        let changes = shown_alike(doors, d, &input, &ALL);
        assert_eq!(changes[0]["of"], input["account_id"]);
        let done = confirm(doors, door, d, &input);
        assert_eq!(
            (&done["new"], &done["gone"]),
            (&json!(0), &json!(0)),
            "{door:?}: {done}"
        );
    }
}

/// Previews everywhere, confirms at one door, sees it at all, and undoes it.
fn cycle(
    doors: &mut Doors,
    door: Door,
    d: &'static Descriptor,
    input: &Value,
    (field, before, after): (&str, Value, Value),
) {
    let id = &input["target"]["ids"][0];
    let changes = shown_alike(doors, d, input, &ALL);
    assert_eq!((changes.len(), &changes[0]["of"]), (1, id), "{}", d.name);
    seen(doors, &[Door::Http, Door::Mcp], id, field, &before);

    let done = confirm(doors, door, d, input);
    assert_eq!(done["marked"], json!([id]), "{} at {door:?}: {done}", d.name);
    seen(doors, &ALL, id, field, &after);

    let undo = json!({ "entry_ids": [done["entry"]] });
    // A person may undo what an agent did; what a person did is no agent's to see.
    let knowing: &[Door] = if PERSON.contains(&door) { &PERSON } else { &ALL };
    for door in ALL.iter().filter(|door| !knowing.contains(door)) {
        let said = doors.ask(*door, operation("undo"), &undo).expect_err("undo");
        assert_eq!(said["code"], "not_found", "{door:?}: {said}");
    }
    let back = shown_alike(doors, operation("undo"), &undo, knowing);
    assert_eq!((back.len(), &back[0]["of"]), (1, id), "undo of {}", d.name);
    let undone = confirm(doors, door, operation("undo"), &undo);
    assert_eq!(undone["undone"], undo["entry_ids"], "{}", d.name);
    seen(doors, &ALL, id, field, &before);
}

/// A person is asked for a yes, an agent is given a proposal, and all are shown the same changes.
#[track_caller]
fn shown_alike(doors: &mut Doors, d: &'static Descriptor, input: &Value, at: &[Door]) -> Vec<Value> {
    let asked = PERSON.map(|door| confirm_required(doors, door, d, input));
    assert_eq!(asked[0], asked[1], "{}", d.name);
    for door in AGENT.into_iter().filter(|door| at.contains(door)) {
        let proposal = doors
            .ask(door, d, input)
            .unwrap_or_else(|e| panic!("{} at {door:?}: {e}", d.name));
        assert_eq!(proposal["operation"], d.name);
        assert_eq!(proposal["changes"], asked[0]["changes"], "{} at {door:?}", d.name);
        assert_eq!(proposal["count"], asked[0]["count"], "{} at {door:?}", d.name);
    }
    asked[0]["changes"].as_array().cloned().unwrap_or_default()
}

/// What a person is told who has not said yes; the command line adds how to say it.
#[track_caller]
pub fn confirm_required(doors: &mut Doors, door: Door, d: &'static Descriptor, input: &Value) -> Value {
    let mut said = doors.ask(door, d, input).expect_err(d.name);
    assert_eq!(said["code"], "confirm_required", "{} at {door:?}: {said}", d.name);
    if door == Door::Cli {
        let next = said.as_object_mut().and_then(|e| e.shift_remove("next"));
        assert_eq!(next, Some(json!("the same command with --yes")));
    }
    said
}

/// Makes a change: with a person's yes, or with the token of a proposal.
#[track_caller]
pub fn confirm(doors: &mut Doors, door: Door, d: &'static Descriptor, input: &Value) -> Value {
    let confirmation = if PERSON.contains(&door) {
        json!(true)
    } else {
        doors
            .ask(door, d, input)
            .unwrap_or_else(|e| panic!("{} at {door:?}: {e}", d.name))["proposal_token"]
            .clone()
    };
    doors
        .ask_with(door, d, input, &confirmation)
        .unwrap_or_else(|e| panic!("{} at {door:?}: {e}", d.name))
}

/// A message's state, at each of these doors.
#[track_caller]
fn seen(doors: &mut Doors, at: &[Door], id: &Value, field: &str, expected: &Value) {
    let input = json!({ "message_ids": [id] });
    for door in at {
        let read = doors.answer(*door, operation("read_message"), &input);
        match read.as_str() {
            Some(text) => assert!(
                text.contains(&format!("\n{field}: {expected}\n")),
                "{id} at {door:?}: {text}"
            ),
            None => assert_eq!(&read["messages"][0][field], expected, "{id} at {door:?}"),
        }
    }
}
