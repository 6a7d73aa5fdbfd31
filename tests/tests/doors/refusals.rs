//! Inputs that are refused: at every door the same error object, and for what agents are never offered the one answer.

use oaken_core::{Ceiling, Descriptor, IdKind, Shape};
use serde_json::{Value, json};

use crate::descriptors;
use crate::doors::{AGENT, ALL, Door, Doors, PERSON, operation};

/// A field that nothing declares, and a wrong type for the first that is declared, for every operation.
pub fn bad_inputs(doors: &mut Doors) {
    for d in descriptors() {
        let mut input = json!({ "no_such_field": 1 });
        if let Some(field) = d.input.first() {
            input[field.name] = match field.shape {
                Shape::Boolean => Value::Null,
                _ => json!(true),
            };
        }
        let fields = refused(doors, d, &input, "invalid_input");
        let expected = if d.input.is_empty() { 1 } else { 2 };
        assert!(fields.len() >= expected, "{}: {fields:?}", d.name);
    }
    let nowhere = [
        ("read_message", json!({ "message_ids": ["m_0000000000"] })),
        ("get_thread", json!({ "thread_id": "t_0000000000" })),
        ("get_raw_message", json!({ "message_id": "m_0000000000" })),
        ("list_messages", json!({ "folder_id": "f_0000000000" })),
        ("mark_read", json!({ "target": { "ids": ["m_0000000000"] } })),
        ("undo", json!({ "entry_ids": ["e_0000000000"] })),
        ("get_proposal", json!({ "proposal_id": "p_0000000000" })),
        ("sync_account", json!({ "account_id": "a_0000000000" })),
        ("revoke_agent", json!({ "agent_id": "ag_0000000000" })),
        ("revoke_token", json!({ "token_id": "tk_0000000000" })),
    ];
    for (name, input) in nowhere {
        refused(doors, operation(name), &input, "not_found");
    }
}

/// One more than a bound allows, for every list and every string that is bounded.
pub fn over_limits(doors: &mut Doors) {
    let live = doors.answer(Door::Cli, operation("list_settings"), &json!({}));
    let setting = |name: &str| {
        let rows = live["settings"].as_array().into_iter().flatten();
        let value = rows
            .clone()
            .find(|s| s["name"] == format!("operations.{name}"))
            .and_then(|s| s["value"].as_str()?.parse::<usize>().ok());
        value.unwrap_or_else(|| panic!("no setting {name}"))
    };
    let mut tried = 0;
    for d in descriptors() {
        for field in d.input {
            let over = match &field.shape {
                Shape::List {
                    item: Shape::Id(kind),
                    bound,
                } => json!(ids(*kind, setting(bound.setting) + 1)),
                Shape::List { bound, .. } => json!(vec!["a@example.org"; setting(bound.setting) + 1]),
                Shape::Selection => json!({ "ids": ids(IdKind::Message, setting("max_batch_ids") + 1) }),
                Shape::String { max_chars, .. } => json!("x".repeat(*max_chars as usize + 1)),
                Shape::Integer { max, .. } => json!(max + 1),
                _ => continue,
            };
            // The daemon takes a mebibyte; what is over that is tested with the doors.
            if over.to_string().len() < 900_000 {
                let fields = refused(doors, d, &json!({ field.name: over }), "invalid_input");
                let at = format!("/{}", field.name);
                assert!(
                    fields
                        .iter()
                        .any(|f| f["field"].as_str().is_some_and(|f| f.starts_with(&at))),
                    "{}: {fields:?}",
                    d.name
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 20, "{tried} bounds");
}

/// What agents are never offered and what does not exist: one answer, to the byte. Sending is refused to a person.
pub fn never_for_agents(doors: &mut Doors) {
    let mut never = 0;
    for door in AGENT {
        let unknown = doors
            .call(door, "no_such_operation", "no_such_operation", &json!({}))
            .expect_err("unknown");
        assert_eq!(unknown["code"], "not_available");
        for d in descriptors().into_iter().filter(|d| d.ceiling == Ceiling::Never) {
            let example = d
                .examples
                .first()
                .map_or(json!({}), |e| serde_json::from_str(e).expect("JSON"));
            for input in [example, json!({ "no_such_field": 1 })] {
                let said = doors.call(door, d.name, d.mcp.tool, &input).expect_err(d.name);
                assert_eq!(said.to_string(), unknown.to_string(), "{} at {door:?}", d.name);
            }
            never += 1;
        }
    }
    assert!(never >= 60, "{never} calls that are never offered");
    let accounts = doors.answer(Door::Cli, operation("list_accounts"), &json!({}));
    let letter = json!({ "account_id": accounts["accounts"][0]["account_id"], "to": ["eve@example.org"], "subject": "s", "text": "t" });
    for confirmation in [Value::Null, json!(true)] {
        let said = PERSON.map(|door| {
            doors
                .ask_with(door, operation("send_message"), &letter, &confirmation)
                .expect_err("sent")
        });
        assert_eq!(said[0], said[1]);
        assert_eq!(said[0]["code"], "refused", "{}", said[0]);
    }
}

/// The same refusal everywhere; answers its fields.
#[track_caller]
fn refused(doors: &mut Doors, d: &'static Descriptor, input: &Value, code: &str) -> Vec<Value> {
    let mut first = None;
    for door in ALL {
        let for_agents = AGENT.contains(&door);
        if (for_agents && d.ceiling == Ceiling::Never) || (door == Door::Http && d.cli.only) {
            let said = doors.ask(door, d, input).expect_err(d.name);
            assert_eq!(said["code"], "not_available", "{} at {door:?}: {said}", d.name);
            continue;
        }
        let said = doors.ask(door, d, input).expect_err(d.name);
        assert_eq!(said["code"], code, "{} of {input} at {door:?}: {said}", d.name);
        let first = first.get_or_insert_with(|| said.clone());
        assert_eq!(&said, first, "{} at {door:?}", d.name);
    }
    let fields = first.map_or(Value::Null, |e| e["fields"].clone());
    assert!(
        fields.as_array().is_some_and(|f| !f.is_empty()),
        "{}: no field is named",
        d.name
    );
    fields.as_array().cloned().unwrap_or_default()
}

fn ids(kind: IdKind, count: usize) -> Vec<String> {
    (0..count).map(|n| format!("{}_{n:010}", kind.prefix())).collect()
}
