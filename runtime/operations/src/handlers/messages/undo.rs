//! `undo`: calls of the inverse operations, one an entry, for the messages that are still as the entry left them.

use oaken_core::{Error, MessageId, Result, model};
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
    not_changed: Vec<model::NotChanged>,
}

impl Nest for Undo {
    async fn plan(cx: &ReadCx, input: &UndoInput) -> Result<Vec<NestedCall>> {
        Ok(undoable(cx, &input.entry_ids)?.iter().map(inverse).collect())
    }

    fn output(input: &UndoInput, outputs: Vec<Value>) -> Result<UndoOutput> {
        let mut output = UndoOutput {
            undone: vec![],
            marked: vec![],
            not_changed: vec![],
        };
        for (entry, inverse) in input.entry_ids.iter().zip(outputs) {
            let inverse: Inverse = serde_json::from_value(inverse).map_err(|_| Error::internal())?;
            if !inverse.marked.is_empty() {
                output.undone.push(entry.clone());
            }
            output.marked.extend(inverse.marked);
            output.not_changed.extend(inverse.not_changed);
        }
        Ok(output)
    }
}

/// The call that takes one entry back. What is not as the entry left it stays as somebody made it since.
fn inverse(entry: &Undoable) -> NestedCall {
    let target = json!({ "ids": entry.as_left });
    let (operation, input) = match (entry.mark, entry.set_to) {
        (Mark::Seen, true) => ("mark_unread", json!({ "target": target })),
        (Mark::Seen, false) => ("mark_read", json!({ "target": target })),
        (Mark::Flagged, set_to) => ("flag_messages", json!({ "target": target, "flagged": !set_to })),
    };
    NestedCall { operation, input }
}
