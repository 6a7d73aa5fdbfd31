//! An object schema while it grows: properties, what is required, the union of several.

use serde_json::{Map, Value, json};

use super::schema::Options;
use crate::ir::{Class, Field};

/// An object schema while it grows.
#[derive(Default)]
pub struct Object {
    properties: Map<String, Value>,
    required: Vec<String>,
}

impl Object {
    /// Adds a declared field.
    pub fn add(&mut self, field: &Field, schema: Value) {
        self.put(&field.name, schema);
        if field.required {
            self.require(&field.name);
        }
    }

    /// Adds what a door takes besides the declared input.
    pub fn add_confirmation(&mut self, class: Class, options: Options) {
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

    /// Adds a property, or replaces it.
    pub fn put(&mut self, name: &str, schema: Value) {
        self.properties.insert(name.to_owned(), schema);
    }

    /// Requires a property.
    pub fn require(&mut self, name: &str) {
        if !self.required.iter().any(|r| r == name) {
            self.required.push(name.to_owned());
        }
    }

    /// Adds the properties of another object; of one that both have, what they agree on stays.
    pub fn join(&mut self, other: &Value) {
        for (name, schema) in other["properties"].as_object().into_iter().flatten() {
            match self.properties.get_mut(name) {
                None => self.put(name, schema.clone()),
                Some(mine) => agree(mine, schema),
            }
        }
    }

    /// Requires what each of several schemas requires.
    pub fn require_what_all_require(&mut self, all: &[Value]) {
        let names: Vec<String> = self.properties.keys().cloned().collect();
        for name in names {
            let requires = |s: &Value| {
                s["required"]
                    .as_array()
                    .is_some_and(|r| r.iter().any(|n| n == name.as_str()))
            };
            if all.iter().all(requires) {
                self.require(&name);
            }
        }
    }

    /// The schema; nothing undeclared is taken.
    #[must_use]
    pub fn close(self) -> Value {
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
