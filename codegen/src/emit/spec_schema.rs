//! `operation.schema.json`: the form of an operation's file, for editors.
//!
//! It completes keys and words while somebody types. What an operation means is the rules' to judge, not its.

use serde_json::{Map, Value, json};

use crate::ir::{Approval, Ceiling, Class, IdKind, McpResult, Presence, Spec};
use crate::naming::MAX_NAME;

/// The document.
#[must_use]
pub fn emit(spec: &Spec) -> String {
    let document = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "An operation of Oaken",
        "description": "spec/operations/AREA/NAME.yaml, one file an operation.",
        "type": "object",
        "properties": operation(),
        "required": ["operation", "summary", "class", "ceiling", "output"],
        "additionalProperties": false,
        "$defs": {
            "type": ty(spec),
            "field": {
                "type": "object",
                "properties": field(),
                "required": ["type"],
                "additionalProperties": false,
            },
            "fields": {
                "type": "object",
                "propertyNames": { "pattern": "^[a-z][a-z0-9_]*$" },
                "additionalProperties": { "oneOf": [{ "$ref": "#/$defs/type" }, { "$ref": "#/$defs/field" }] },
            },
        },
    });
    format!("{document:#}\n")
}

fn operation() -> Value {
    let name = json!({ "type": "string", "pattern": "^[a-z][a-z0-9_]*([.][a-z][a-z0-9_]*)?$", "maxLength": MAX_NAME });
    let flag = |doc: &str| json!({ "type": "boolean", "description": doc });
    json!({
        "operation": described(&name, "The name of the file."),
        "title": string("A title for people."),
        "summary": { "type": "string", "maxLength": 80, "description": "One sentence of at most 80 characters." },
        "description": string("More, at most 1,500 bytes; name the operation that sounds alike."),
        "class": words(Class::WORDS, "What it may do."),
        "ceiling": words(Ceiling::WORDS, "How far it may ever be offered to agents."),
        "input": { "$ref": "#/$defs/fields" },
        "output": { "$ref": "#/$defs/fields" },
        "undo": described(&name, "The operation that reverts it."),
        "approval": words(Approval::WORDS, "The least that may confirm it for an agent."),
        "mcp": {
            "type": "object",
            "properties": {
                "tool": string("The tool that carries it; its own name unless several are one tool."),
                "action": string("The word for `action` in such a tool."),
                "result": words(McpResult::WORDS, "The form of the result."),
            },
            "additionalProperties": false,
        },
        "cli": string("Noun, verb and positional arguments: `messages flag <target>...`; or `none`."),
        "cli_only": flag("It exists at the command line only."),
        "examples": {
            "type": "array",
            "description": "Inputs that run on the demo mailbox at all three doors.",
            "items": {
                "type": "object",
                "properties": { "input": { "type": "object" } },
                "required": ["input"],
                "additionalProperties": false,
            },
        },
        "marks_read": flag("It marks mail read; only mark_read."),
        "preview": flag("False where it cannot say what it would change; only with ceiling never."),
        "nested": flag("It is made of nested calls; only undo."),
        "presence": words(Presence::WORDS, "What proves a person."),
        "schedulable": flag("A schedule may run it."),
        "destroys": flag("It cannot be taken back."),
        "then": {
            "type": "object",
            "properties": {
                "when": string("A boolean input."),
                "run": string("The operation that runs afterwards."),
            },
            "required": ["when", "run"],
            "additionalProperties": false,
        },
    })
}

fn field() -> Value {
    let number = |doc: &str| json!({ "type": "integer", "description": doc });
    json!({
        "type": { "$ref": "#/$defs/type" },
        "doc": string("What it means, one sentence."),
        "default": { "description": "What holds when it is left out." },
        "min": number("integer: the least."),
        "max": number("integer: the most."),
        "min_chars": number("string: the least characters."),
        "max_chars": number("string and text: the most characters."),
        "required": { "type": "boolean", "description": "False where it may be absent." },
    })
}

/// The text of a type: the plain words to complete, the composed ones by a pattern.
fn ty(spec: &Spec) -> Value {
    let mut plain: Vec<&str> = vec![
        "boolean",
        "integer",
        "string",
        "text",
        "address",
        "secret",
        "issued_secret",
        "timestamp",
        "path",
        "command",
        "Selection",
    ];
    plain.extend(IdKind::ALL.iter().map(|k| k.type_name()));
    plain.extend(spec.models.iter().map(|m| m.name.as_str()));
    json!({
        "type": "string",
        "description": "A type: a word, a model, text(200), enum<a, b>, list<T, bound>, optional<T>.",
        "anyOf": [
            { "enum": plain },
            { "pattern": "^(string|text)\\([0-9]+\\)$" },
            { "pattern": "^(enum|list|optional)<.+>$" },
        ],
    })
}

fn string(doc: &str) -> Value {
    json!({ "type": "string", "description": doc })
}

fn words(words: &[&str], doc: &str) -> Value {
    json!({ "type": "string", "enum": words, "description": doc })
}

fn described(schema: &Value, doc: &str) -> Value {
    let mut map: Map<String, Value> = schema.as_object().cloned().unwrap_or_default();
    map.insert("description".into(), json!(doc));
    map.into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::frontend::read;

    #[track_caller]
    fn check(properties: &Value, keys: &[&str]) {
        let ours: BTreeSet<&str> = properties
            .as_object()
            .into_iter()
            .flat_map(|o| o.keys().map(String::as_str))
            .collect();
        assert_eq!(ours, keys.iter().copied().collect::<BTreeSet<_>>());
    }

    #[test]
    fn the_keys_are_those_that_are_read() {
        let operation = operation();
        check(&operation, read::OPERATION_KEYS);
        check(&operation["mcp"]["properties"], read::MCP_KEYS);
        check(&operation["then"]["properties"], read::THEN_KEYS);
        check(&operation["examples"]["items"]["properties"], read::EXAMPLE_KEYS);
        check(&field(), read::FIELD_KEYS);
    }
}
