//! `undo`: calls of the inverse operations, one an entry, for the places that are still as the entry left them.
//!
//! The rest is said to be stale. Deliberately absent: any change of its own, and any leave beyond that of the calls.

use std::collections::BTreeSet;

use oaken_core::model::{NotChanged, NotChangedReason};
use oaken_core::{Code, EntryId, Error, MessageId, Param, Result};
use oaken_gate::NestedCall;
use oaken_mail::changes::Mark;
use oaken_mail::handler::{Nest, ReadCx};
use oaken_mail::journal::{Undoable, undoable};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Undo, UndoInput, UndoOutput};

/// What the inverse operations have in common in their outputs.
#[derive(Deserialize)]
struct Inverse {
    marked: Vec<MessageId>,
    not_changed: Vec<NotChanged>,
}

/// What the output needs besides those of the calls.
pub struct Note {
    /// The entry of each call.
    entries: Vec<EntryId>,
    /// Messages that are not as their entry left them.
    stale: Vec<MessageId>,
}

impl Nest for Undo {
    type Note = Note;

    async fn plan(cx: &ReadCx, input: &UndoInput) -> Result<(Vec<NestedCall>, Note)> {
        let all = undoable(cx, &input.entry_ids)?;
        bounded(&all, cx.grant.setting("operations.max_batch_ids"))?;
        let mut note = Note {
            entries: vec![],
            stale: vec![],
        };
        let mut calls = vec![];
        for entry in all {
            note.stale.extend(entry.stale.iter().cloned());
            if !entry.as_left.is_empty() {
                note.entries.push(entry.entry.clone());
                calls.push(inverse(entry));
            }
        }
        if calls.is_empty() {
            return Err(stale());
        }
        Ok((calls, note))
    }

    fn output(note: &Note, outputs: Vec<Value>) -> Result<UndoOutput> {
        if outputs.len() != note.entries.len() {
            return Err(Error::internal());
        }
        let mut output = UndoOutput {
            undone: vec![],
            marked: vec![],
            not_changed: vec![],
        };
        let mut not_changed = vec![];
        for (entry, inverse) in note.entries.iter().zip(outputs) {
            let inverse: Inverse = serde_json::from_value(inverse).map_err(|_| Error::internal())?;
            if !inverse.marked.is_empty() {
                output.undone.push(entry.clone());
            }
            output.marked.extend(inverse.marked);
            not_changed.extend(inverse.not_changed);
        }
        not_changed.extend(note.stale.iter().map(|id| NotChanged {
            message_id: id.clone(),
            reason: NotChangedReason::Stale,
        }));
        // Each message once, however many entries name it: what was put back of it is what counts.
        let mut seen = BTreeSet::new();
        output.marked.retain(|id| seen.insert(id.clone()));
        not_changed.retain(|n| seen.insert(n.message_id.clone()));
        output.not_changed = not_changed;
        Ok(output)
    }
}

/// The call that takes one entry back. What is not as the entry left it stays as somebody made it since.
fn inverse(entry: Undoable) -> NestedCall {
    let target = json!({ "ids": entry.as_left });
    let (operation, input) = match (entry.mark, entry.set_to) {
        (Mark::Seen, true) => ("mark_unread", json!({ "target": target })),
        (Mark::Seen, false) => ("mark_read", json!({ "target": target })),
        (Mark::Flagged, set_to) => ("flag_messages", json!({ "target": target, "flagged": !set_to })),
    };
    NestedCall {
        operation,
        input,
        part: Some(Box::new(entry.places)),
    }
}

/// What the output lists is bounded like any list of messages, and must be known before anything is undone.
fn bounded(entries: &[Undoable], most: i64) -> Result<()> {
    let messages: BTreeSet<&MessageId> = entries
        .iter()
        .flat_map(|e| e.as_left.iter().chain(&e.stale))
        .collect();
    if i64::try_from(messages.len()).is_ok_and(|count| count <= most) {
        return Ok(());
    }
    Err(Error::new(
        Code::OverLimit,
        "These entries changed more than {most} messages together, the setting operations.max_batch_ids; undo fewer of them at once.",
    )
    .with("most", Param::Int(most)))
}

fn stale() -> Error {
    Error::new(
        Code::Stale,
        "No message is as these entries left it, so there is nothing to undo; nothing was changed.",
    )
}
