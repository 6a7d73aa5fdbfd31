//! The schema of what the gate adds to an output: cut texts, the journal entry, a proposal.

use serde_json::{Value, json};

use crate::ir::IdKind;

/// The texts that an answer cut, and how to get the rest.
#[must_use]
pub fn cut() -> Value {
    json!({
        "type": "array",
        "description": "What was cut: where (a JSON pointer), characters or items shown, of how many, and the call for the rest.",
        "maxItems": 10000,
        "items": {
            "type": "object",
            "properties": {
                "field": { "type": "string" },
                "shown": { "type": "integer", "minimum": 0 },
                "of": { "type": "integer", "minimum": 0 },
                "next": { "type": "string" },
            },
            "required": ["field", "shown", "of", "next"],
            "additionalProperties": false,
        },
    })
}

/// The journal entry of a change.
#[must_use]
pub fn entry() -> Value {
    json!({
        "type": "string",
        "pattern": IdKind::Entry.pattern(),
        "description": "The journal entry of this change; `undo` takes it.",
    })
}

/// What a change would do, and the token that lets it.
#[must_use]
pub fn proposal() -> Value {
    json!({
        "type": "object",
        "properties": {
            "proposal_id": { "type": "string", "pattern": IdKind::Proposal.pattern() },
            "operation": { "type": "string" },
            "count": { "type": "integer", "minimum": 0 },
            "changes": changes(),
            "proposal_token": { "type": "string", "description": "Single use: call again with it and the same input." },
            "expires": { "type": "string", "format": "date-time" },
        },
        "required": ["proposal_id", "operation", "count", "changes", "proposal_token", "expires"],
        "additionalProperties": false,
    })
}

/// The changes of a preview: ids, states and counts, never mail text.
#[must_use]
pub fn changes() -> Value {
    json!({
        "type": "array",
        "description": "What would change; nothing has changed yet.",
        "maxItems": 10000,
        "items": {
            "type": "object",
            "properties": {
                "of": { "type": "string" },
                "what": { "type": "string" },
                "before": { "type": "string", "description": "The state before." },
                "after": { "type": "string", "description": "The state after." },
            },
            "required": ["of", "what"],
            "additionalProperties": false,
        },
    })
}
