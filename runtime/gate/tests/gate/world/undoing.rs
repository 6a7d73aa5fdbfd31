//! `undo` of the test world: an operation that consists of two others.

use oaken_core::Error;
use oaken_gate::{Body, Nested, NestedCall};
use serde_json::{Value, json};

use super::operations::{Shared, ready};

/// Undoes every entry by the two calls that take back reading and flagging: unflagging is left out, being a toy.
pub fn undo(state: &Shared) -> Body {
    let state = state.clone();
    Body::Nested {
        plan: Box::new(move |_, input| {
            let s = state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let asked: Vec<&str> = input["entry_ids"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let of = |name| {
                s.applied
                    .iter()
                    .any(|(n, entry, _)| *n == name && asked.contains(&entry.as_str()))
            };
            let read: Vec<&String> = s
                .things
                .iter()
                .filter(|(_, t)| t.read)
                .map(|(id, _)| id)
                .collect();
            let unflagged: Vec<&String> = s
                .things
                .iter()
                .filter(|(_, t)| !t.flagged)
                .map(|(id, _)| id)
                .collect();
            let mut calls = Vec::new();
            if of("mark_read") {
                calls.push(NestedCall {
                    operation: "mark_unread",
                    input: json!({ "target": { "ids": read } }),
                    part: match s.misbehave {
                        Some("a part") => Some(Box::new(super::M2.to_owned())),
                        Some("no such part") => Some(Box::new(2)),
                        _ => None,
                    },
                });
            }
            // As if unflagging were flagging the others: enough to have two different inner calls.
            if of("flag_things") {
                calls.push(NestedCall {
                    operation: "flag_things",
                    input: json!({ "target": { "ids": unflagged } }),
                    part: match s.misbehave {
                        Some("part of what has none") => Some(Box::new(super::M2.to_owned())),
                        _ => None,
                    },
                });
            }
            if s.misbehave == Some("nested send") {
                calls.push(NestedCall {
                    operation: "send_message",
                    input: json!({ "to": "a@b", "text": "" }),
                    part: None,
                });
            }
            if s.misbehave == Some("nested trash") {
                calls.push(NestedCall {
                    operation: "trash_things",
                    input: json!({ "target": { "ids": [super::M1] } }),
                    part: None,
                });
            }
            ready(Ok(Nested {
                calls,
                note: Box::new(asked.len()),
            }))
        }),
        output: Box::new(|note, outputs| {
            let asked: &usize = note.downcast_ref().ok_or_else(Error::internal)?;
            let marked: Vec<Value> = outputs
                .iter()
                .flat_map(|o| o["marked"].as_array().cloned().unwrap_or_default())
                .collect();
            Ok(json!({ "marked": marked, "asked": asked }))
        }),
    }
}
