//! One call of the gate, as the doors that serve many make it.

use std::sync::Arc;

use oaken_core::{Answer, Confirmation, Error, Result};
use oaken_gate::{Caller, Gate, Input};
use serde_json::{Value, json};

/// Calls in a task of its own: a client that goes away in the middle does not leave a change without its outcome.
///
/// # Errors
/// What the gate answers.
pub async fn detached(
    gate: &Arc<Gate>,
    caller: Caller,
    operation: String,
    input: Input,
    confirmation: Confirmation,
) -> Result<Answer> {
    let gate = gate.clone();
    tokio::spawn(async move { gate.call(&caller, &operation, input, confirmation).await })
        .await
        .unwrap_or_else(|_| Err(Error::internal()))
}

/// The answer as one JSON object: the output with what was cut and the journal entry, or the proposal.
#[must_use]
pub fn as_json(answer: &Answer) -> Value {
    match answer {
        Answer::Done { output, cut, entry } => {
            let mut object = output.clone();
            if let Value::Object(map) = &mut object {
                if !cut.is_empty() {
                    map.insert("cut".into(), json!(cut));
                }
                if let Some(entry) = entry {
                    map.insert("entry".into(), json!(entry));
                }
            }
            object
        }
        Answer::Proposed(proposal) => json!(proposal),
    }
}
