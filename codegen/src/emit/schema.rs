//! JSON Schema 2020-12 of operations, from the IR.
//!
//! `oaken_core::schema` makes the same from descriptors while Oaken runs; a test holds the two together. Inlined for
//! MCP (no `$ref`, `anyOf`, `oneOf`, null: clients break on them), with models as components for OpenAPI.

use serde_json::{Value, json};

use super::answer;
use super::object::Object;
use crate::ir::{Field, IdKind, Operation, Spec, Type};

/// The most characters of a mail address that comes in.
const ADDRESS_MAX_CHARS: u32 = 320;
/// A mail address that comes in.
const ADDRESS_PATTERN: &str = "^[^@ \\t\\r\\n]{1,64}@[^@ \\t\\r\\n]{1,255}$";
/// The most characters of a secret, a path or a command line.
const SECRET_MAX_CHARS: u32 = 4096;
/// A timestamp that comes in.
const TIMESTAMP_PATTERN: &str = "^([0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])\
    (T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))?|-[0-9]{1,4}[hd])$";

/// What a door adds to the declared input. The default adds nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// A change or send takes `confirm`, a person's yes.
    pub confirm: bool,
    /// A change takes `proposal_token`, an agent's token.
    pub proposal_token: bool,
}

/// Whether a model stands in place or is referred to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Models {
    /// In place.
    Inline,
    /// `#/components/schemas/NAME`.
    Components,
}

/// Makes schemas of one spec.
#[derive(Clone, Copy)]
pub struct Schemas<'a> {
    /// Where models and settings are looked up.
    pub spec: &'a Spec,
    /// How models appear.
    pub models: Models,
}

/// Which way a value goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    In,
    Out,
}

impl Schemas<'_> {
    /// The schema of an operation's input, with what the door adds.
    #[must_use]
    pub fn input(self, op: &Operation, options: Options) -> Value {
        let mut object = Object::default();
        for field in &op.input {
            object.add(field, self.described(field, Way::In));
        }
        object.add_confirmation(op.class, options);
        object.close()
    }

    /// The schema of an operation's output as its handler makes it.
    #[must_use]
    pub fn output(self, op: &Operation) -> Value {
        self.fields(&op.output, Way::Out)
    }

    /// The schema of a model, as it goes out.
    #[must_use]
    pub fn model(self, fields: &[Field]) -> Value {
        self.fields(fields, Way::Out)
    }

    /// The input schema of an MCP tool: of several operations the union of their fields and `action`.
    #[must_use]
    pub fn tool_input(self, operations: &[&Operation], options: Options) -> Value {
        let [first, rest @ ..] = operations else {
            return Object::default().close();
        };
        if rest.is_empty() && first.mcp.action.is_none() {
            return self.input(first, options);
        }
        let mut joined = Object::default();
        let actions: Vec<&str> = operations
            .iter()
            .filter_map(|o| o.mcp.action.as_deref())
            .collect();
        joined.put(
            "action",
            json!({ "type": "string", "enum": actions, "description": "What to do." }),
        );
        joined.require("action");
        let all: Vec<Value> = operations.iter().map(|o| self.input(o, options)).collect();
        all.iter().for_each(|schema| joined.join(schema));
        joined.require_what_all_require(&all);
        joined.close()
    }

    /// The schema that every structured result of an MCP tool satisfies.
    #[must_use]
    pub fn tool_output(self, operations: &[&Operation]) -> Value {
        let mut joined = Object::default();
        let all: Vec<Value> = operations.iter().map(|o| self.output(o)).collect();
        all.iter().for_each(|schema| joined.join(schema));
        joined.join(&json!({ "properties": { "cut": answer::cut() } }));
        if operations.iter().any(|o| o.changes()) {
            joined.join(&json!({ "properties": { "entry": answer::entry() } }));
            joined.join(&answer::proposal());
        } else {
            joined.require_what_all_require(&all);
        }
        joined.close()
    }

    fn fields(self, fields: &[Field], way: Way) -> Value {
        let mut object = Object::default();
        for field in fields {
            object.add(field, self.described(field, way));
        }
        object.close()
    }

    fn described(self, field: &Field, way: Way) -> Value {
        let mut schema = self.shape(&field.ty, way);
        if !field.doc.is_empty() {
            schema["description"] = json!(field.doc);
        }
        if let Some(default) = &field.default {
            schema["default"] = default.clone();
        }
        schema
    }

    fn shape(self, ty: &Type, way: Way) -> Value {
        match (ty, way) {
            (Type::Boolean, _) => json!({ "type": "boolean" }),
            (Type::Integer { min, max }, way) => integer(*min, *max, way),
            (Type::String { min_chars, max_chars }, _) => characters(*min_chars, *max_chars),
            (Type::Text { max_chars }, Way::In) => characters(0, *max_chars),
            // Text that goes out is cut by a setting and says so in `cut`; a bound would only repeat that.
            (Type::Text { .. } | Type::Address, Way::Out) => json!({ "type": "string" }),
            (Type::Address, Way::In) => {
                json!({ "type": "string", "maxLength": ADDRESS_MAX_CHARS, "pattern": ADDRESS_PATTERN })
            }
            (Type::Secret, _) => {
                json!({ "type": "string", "minLength": 1, "maxLength": SECRET_MAX_CHARS, "writeOnly": true })
            }
            (Type::IssuedSecret, _) => json!({ "type": "string", "readOnly": true }),
            (Type::Id(kind), _) => json!({ "type": "string", "pattern": kind.pattern() }),
            (Type::Timestamp, Way::In) => json!({ "type": "string", "pattern": TIMESTAMP_PATTERN }),
            (Type::Timestamp, Way::Out) => json!({ "type": "string", "format": "date-time" }),
            (Type::Path | Type::Command, _) => characters(1, SECRET_MAX_CHARS),
            (Type::Enum(words), _) => json!({ "type": "string", "enum": words }),
            // Ids that come in: at least one, each once.
            (Type::List { item, bound }, Way::In) if matches!(**item, Type::Id(_)) => json!({
                "type": "array", "items": self.shape(item, way), "minItems": 1, "maxItems": bound.ceiling, "uniqueItems": true,
            }),
            (Type::List { item, bound }, _) => json!({
                "type": "array", "items": self.shape(item, way), "maxItems": bound.ceiling,
            }),
            (Type::Model(name), _) if self.models == Models::Components => {
                json!({ "$ref": format!("#/components/schemas/{name}") })
            }
            (Type::Model(name), _) => {
                let fields = self.spec.model(name).map_or(&[][..], |m| &m.fields);
                self.fields(fields, way)
            }
            (Type::Selection, _) => self.selection(),
        }
    }

    fn selection(self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "ids": {
                    "type": "array",
                    "items": { "type": "string", "pattern": IdKind::Message.pattern() },
                    "minItems": 1,
                    "maxItems": self.most("operations", "max_batch_ids"),
                    "uniqueItems": true,
                    "description": "The messages.",
                },
            },
            "required": ["ids"],
            "additionalProperties": false,
        })
    }

    /// The most a setting can be, for anybody.
    fn most(self, section: &str, name: &str) -> i64 {
        use crate::ir::SettingKind::Integer;
        let most = |name: &str| match self.spec.setting(section, name).map(|s| &s.kind) {
            Some(Integer { max, .. }) => *max,
            _ => 1,
        };
        let agent = self.spec.setting(section, name).and_then(|s| s.agent.as_deref());
        agent.map_or(1, most).max(most(name))
    }
}

/// What comes in has both bounds; of what goes out the bounds that say nothing are left out.
fn integer(min: i64, max: i64, way: Way) -> Value {
    let (min, max) = (min.max(Type::SAFE.0), max.min(Type::SAFE.1));
    let mut schema = json!({ "type": "integer" });
    if way == Way::In || min > Type::SAFE.0 {
        schema["minimum"] = json!(min);
    }
    if way == Way::In || max < Type::SAFE.1 {
        schema["maximum"] = json!(max);
    }
    schema
}

fn characters(min: u32, max: u32) -> Value {
    let mut schema = json!({ "type": "string" });
    if min > 0 {
        schema["minLength"] = json!(min);
    }
    if max > 0 {
        schema["maxLength"] = json!(max);
    }
    schema
}
