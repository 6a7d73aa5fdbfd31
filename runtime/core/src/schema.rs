//! JSON Schema 2020-12 of what an operation takes and answers, made from its descriptor at run time.
//!
//! A door publishes schemas while it runs because two things live in settings: whether a caller must name an account,
//! and which operations one tool joins. `codegen` writes the same schemas into `docs/reference`; a test holds the two
//! together. Everything is inlined: no `$ref`, `anyOf`, `oneOf` or null, since MCP clients break on them. The live
//! values of list bounds are deliberately absent: a schema carries the most a setting can be, the gate checks the rest.

mod answer;
mod shape;

use serde_json::{Map, Value, json};

pub use answer::{changes, cut, entry, proposal};
pub use shape::{
    ADDRESS_MAX_CHARS, ADDRESS_PATTERN, MAX_INTEGER, PATH_MAX_CHARS, SECRET_MAX_CHARS, TIMESTAMP_PATTERN,
};

use crate::Class;
use crate::descriptor::{Descriptor, Field};
use shape::{Way, described};

/// What a door adds to the declared input. The default adds nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `account_id` is required: the caller may not reach every account.
    pub account_required: bool,
    /// A change or send takes `confirm`, a person's yes.
    pub confirm: bool,
    /// A change takes `proposal_token`, an agent's token.
    pub proposal_token: bool,
}

/// The schema of an operation's input, with what the door adds.
#[must_use]
pub fn input(operation: &Descriptor, options: Options) -> Value {
    let mut fields = Object::default();
    for field in operation.input {
        fields.add(field, Way::In, options);
    }
    fields.add_confirmation(operation.class, options);
    fields.close()
}

/// The schema of an operation's output as its handler makes it.
#[must_use]
pub fn output(operation: &Descriptor) -> Value {
    shape::object(operation.output, Way::Out)
}

/// The input schema of an MCP tool. A tool of several operations takes the union of their fields and the `action`
/// that picks one; only what all of them require is required then.
#[must_use]
pub fn tool_input(operations: &[&Descriptor], options: Options) -> Value {
    let [first, rest @ ..] = operations else {
        return Object::default().close();
    };
    if rest.is_empty() && first.mcp.action.is_none() {
        return input(first, options);
    }
    let mut joined = Object::default();
    let actions: Vec<&str> = operations.iter().filter_map(|o| o.mcp.action).collect();
    joined.put(
        "action",
        json!({ "type": "string", "enum": actions, "description": "What to do." }),
    );
    joined.require("action");
    let all: Vec<Value> = operations.iter().map(|o| input(o, options)).collect();
    for schema in &all {
        joined.join(schema);
    }
    joined.require_what_all_require(&all);
    joined.close()
}

/// The schema that every structured result of an MCP tool satisfies: the output, what was cut, the journal entry of
/// a change, and for a change also the proposal that comes first, so that nothing is required then.
#[must_use]
pub fn tool_output(operations: &[&Descriptor]) -> Value {
    let mut joined = Object::default();
    let all: Vec<Value> = operations.iter().map(|o| output(o)).collect();
    for schema in &all {
        joined.join(schema);
    }
    joined.join(&json!({ "properties": { "cut": cut() } }));
    if operations.iter().any(|o| o.class != Class::Read) {
        joined.join(&json!({ "properties": { "entry": entry() } }));
        joined.join(&proposal());
    } else {
        joined.require_what_all_require(&all);
    }
    joined.close()
}

/// An object schema while it grows.
#[derive(Default)]
struct Object {
    properties: Map<String, Value>,
    required: Vec<String>,
}

impl Object {
    fn add(&mut self, field: &Field, way: Way, options: Options) {
        self.put(field.name, described(field, way));
        if field.required || (options.account_required && way == Way::In && field.name == "account_id") {
            self.require(field.name);
        }
    }

    fn add_confirmation(&mut self, class: Class, options: Options) {
        if options.confirm && class != Class::Read {
            self.put(
                "confirm",
                json!({ "type": "boolean", "description": "A person's yes to exactly this." }),
            );
        }
        if options.proposal_token && class != Class::Read {
            self.put(
                "proposal_token",
                json!({
                    "type": "string", "maxLength": 200,
                    "description": "The token of the proposal, to confirm it with the same input.",
                }),
            );
        }
    }

    fn put(&mut self, name: &str, schema: Value) {
        self.properties.insert(name.to_owned(), schema);
    }

    fn require(&mut self, name: &str) {
        if !self.required.iter().any(|r| r == name) {
            self.required.push(name.to_owned());
        }
    }

    /// Adds the properties of another object; of one that both have, what they agree on stays.
    fn join(&mut self, other: &Value) {
        for (name, schema) in other["properties"].as_object().into_iter().flatten() {
            match self.properties.get_mut(name) {
                None => self.put(name, schema.clone()),
                Some(mine) => agree(mine, schema),
            }
        }
    }

    fn require_what_all_require(&mut self, all: &[Value]) {
        let names: Vec<String> = self.properties.keys().cloned().collect();
        for name in names {
            let everywhere = all.iter().all(|s| {
                s["required"]
                    .as_array()
                    .is_some_and(|r| r.iter().any(|n| n == name.as_str()))
            });
            if everywhere {
                self.require(&name);
            }
        }
    }

    fn close(self) -> Value {
        let mut schema = json!({ "type": "object", "properties": self.properties });
        if !self.required.is_empty() {
            schema["required"] = json!(self.required);
        }
        schema["additionalProperties"] = json!(false);
        schema
    }
}

fn agree(mine: &mut Value, other: &Value) {
    if let (Some(a), Some(b)) = (mine.as_object_mut(), other.as_object()) {
        a.retain(|key, value| key == "description" || b.get(key) == Some(value));
    }
}
