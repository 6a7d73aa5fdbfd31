//! Problem documents (RFC 9457): the error of every door, as the HTTP door writes it.

use serde_json::{Map, Value, json};

use super::answer;
use crate::ir::Type;

/// A status that is a problem.
pub struct Problem {
    /// The status.
    pub status: u16,
    /// The name of the component.
    pub name: &'static str,
    /// What it means.
    pub means: &'static str,
}

/// Every problem there is, by status.
pub const PROBLEMS: &[Problem] = &[
    Problem {
        status: 400,
        name: "BadRequest",
        means: "The request cannot be read as HTTP.",
    },
    Problem {
        status: 401,
        name: "Unauthenticated",
        means: "No token, or one that does not hold; or a person must prove presence.",
    },
    Problem {
        status: 403,
        name: "Refused",
        means: "Refused: the host or origin, the class, a limit or a budget.",
    },
    Problem {
        status: 404,
        name: "NotFound",
        means: "The operation is not available, or names nothing in reach.",
    },
    Problem {
        status: 409,
        name: "Conflict",
        means: "Not confirmed yet (with the changes), or no longer as it was.",
    },
    Problem {
        status: 413,
        name: "TooLarge",
        means: "The body is too large.",
    },
    Problem {
        status: 415,
        name: "NotJson",
        means: "The body is not declared as JSON.",
    },
    Problem {
        status: 422,
        name: "InvalidInput",
        means: "The input is not what the operation takes.",
    },
    Problem {
        status: 424,
        name: "Remote",
        means: "A mail server could not be reached or refused, or its answer is not known.",
    },
    Problem {
        status: 500,
        name: "Internal",
        means: "Something went wrong inside Oaken.",
    },
    Problem {
        status: 503,
        name: "Busy",
        means: "Busy; try again.",
    },
];

/// The codes an error may have, as `oaken_core::Code` words them.
pub const CODES: &[&str] = &[
    "internal",
    "invalid_input",
    "confirm_required",
    "unauthenticated",
    "presence_required",
    "not_available",
    "refused",
    "over_limit",
    "budget",
    "not_found",
    "stale",
    "remote_unreachable",
    "remote_refused",
    "unconfirmed",
    "busy",
    "interrupted",
];

/// The schema of a problem document.
#[must_use]
pub fn schema() -> Value {
    json!({
        "type": "object",
        "description": "A problem document (RFC 9457).",
        "properties": {
            "type": { "type": "string", "format": "uri-reference", "description": "Names the code." },
            "title": { "type": "string", "description": "The code in words." },
            "status": { "type": "integer", "minimum": 400, "maximum": 599, "description": "The HTTP status." },
            "code": { "type": "string", "enum": CODES, "description": "A stable word." },
            "message": { "type": "string", "description": "A sentence." },
            "retry": { "type": "boolean", "description": "Whether trying again can help." },
            "fields": {
                "type": "array",
                "description": "The faults of the input, by field; never a value.",
                "items": {
                    "type": "object",
                    "properties": {
                        "field": { "type": "string", "description": "A JSON pointer of declared names." },
                        "message": { "type": "string", "description": "What is wrong." },
                        "accepted": { "type": "string", "description": "What would be accepted." },
                    },
                    "required": ["field", "message"],
                    "additionalProperties": false,
                },
            },
            "next": { "type": "string", "description": "The next call or command." },
            "count": { "type": "integer", "minimum": 0, "maximum": Type::SAFE.1, "description": "How many changes there are." },
            "changes": answer::changes(),
        },
        "required": ["type", "title", "status", "code", "message", "retry"],
        "additionalProperties": false,
    })
}

/// The responses that operations refer to.
#[must_use]
pub fn responses() -> Map<String, Value> {
    let mut out = Map::new();
    for problem in PROBLEMS {
        let mut response = json!({ "description": problem.means });
        // The server library answers what is no HTTP by itself, without a body.
        if problem.status != 400 {
            response["content"] = content("application/problem+json", "Problem");
        }
        out.insert(problem.name.into(), response);
    }
    let proposed = json!({
        "description": "Proposed by an agent; nothing has changed yet.",
        "content": content("application/json", "Proposal"),
    });
    out.insert("Proposed".into(), proposed);
    out
}

fn content(media_type: &str, schema: &str) -> Value {
    json!({ media_type: { "schema": { "$ref": format!("#/components/schemas/{schema}") } } })
}
