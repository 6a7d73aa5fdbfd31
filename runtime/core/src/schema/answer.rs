//! The schema of what the gate adds to an output: cut texts, the journal entry, a proposal.

use serde_json::{Value, json};

use crate::IdKind;

/// The texts and lists that an answer cut, and how to get the rest.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Change, Cut, MessageId, Preview, Proposal, ProposalId, Timestamp};

    /// An object has exactly the declared properties, and those required.
    #[track_caller]
    fn check(schema: &Value, value: &Value) {
        let declared = schema["properties"].as_object().expect("properties");
        let required = schema["required"].as_array().expect("required");
        let given = value.as_object().expect("an object");
        assert!(given.keys().all(|k| declared.contains_key(k)), "{given:?}");
        assert!(
            required
                .iter()
                .all(|r| r.as_str().is_some_and(|r| given.contains_key(r))),
            "{given:?}"
        );
    }

    #[test]
    fn a_proposal_and_a_cut_are_as_their_schemas_say() {
        let change = Change::new(&MessageId::random(), "read", false, true);
        let proposal = Proposal {
            proposal_id: ProposalId::random(),
            operation: "mark_read",
            count: 1,
            preview: Preview {
                changes: vec![change],
            },
            proposal_token: "token".into(),
            expires: Timestamp::from_unix(0),
        };
        let proposal = json!(proposal);
        check(&super::proposal(), &proposal);
        check(&changes()["items"], &proposal["changes"][0]);
        let cut = Cut {
            field: "/text".into(),
            shown: 1,
            of: 2,
            next: "read_message".into(),
        };
        check(&super::cut()["items"], &json!(cut));
    }
}
