//! The schema of one value, by its shape.
//!
//! What comes in is held to a form; what somebody else wrote goes out as it is, whatever form it has.

use serde_json::{Value, json};

use super::{Object, Options};
use crate::descriptor::{Field, Shape};
use crate::{IdKind, settings};

/// The most characters of a mail address that comes in (RFC 5321 §4.5.3.1: 64 + 1 + 255).
pub const ADDRESS_MAX_CHARS: u32 = 320;
/// A mail address that comes in: one `@`, no blanks.
pub const ADDRESS_PATTERN: &str = "^[^@ \\t\\r\\n]{1,64}@[^@ \\t\\r\\n]{1,255}$";
/// The most characters of a secret that comes in.
pub const SECRET_MAX_CHARS: u32 = 4096;
/// The most characters of a path or a command line.
pub const PATH_MAX_CHARS: u32 = 4096;
/// A timestamp that comes in: RFC 3339, a date, or so many hours or days ago.
pub const TIMESTAMP_PATTERN: &str = "^([0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])\
    (T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))?|-[0-9]{1,4}[hd])$";

/// The largest integer that every JSON reader keeps exactly (RFC 8259 §6): 2^53 - 1.
pub const MAX_INTEGER: i64 = 9_007_199_254_740_991;

/// Which way a value goes: what comes in is held to a form, what somebody else wrote goes out as it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    In,
    Out,
}

pub(super) fn object(fields: &[Field], way: Way) -> Value {
    let mut object = Object::default();
    for field in fields {
        object.add(field, way, Options::default());
    }
    object.close()
}

pub(super) fn described(field: &Field, way: Way) -> Value {
    let mut schema = shape_of(&field.shape, way);
    if !field.doc.is_empty() {
        schema["description"] = json!(field.doc);
    }
    if let Some(default) = field.default.and_then(|d| serde_json::from_str::<Value>(d).ok()) {
        schema["default"] = default;
    }
    schema
}

fn shape_of(shape: &Shape, way: Way) -> Value {
    match (shape, way) {
        (Shape::Boolean, _) => json!({ "type": "boolean" }),
        (Shape::Integer { min, max }, way) => integer(*min, *max, way),
        (Shape::String { min_chars, max_chars }, _) => characters(*min_chars, *max_chars),
        (Shape::Text { max_chars }, Way::In) => characters(0, *max_chars),
        // Text that goes out is cut by a setting and says so in `cut`; a schema that bounded it would only repeat that.
        (Shape::Text { .. } | Shape::Address, Way::Out) => json!({ "type": "string" }),
        (Shape::Address, Way::In) => {
            json!({ "type": "string", "maxLength": ADDRESS_MAX_CHARS, "pattern": ADDRESS_PATTERN })
        }
        (Shape::Secret, _) => {
            json!({ "type": "string", "minLength": 1, "maxLength": SECRET_MAX_CHARS, "writeOnly": true })
        }
        (Shape::IssuedSecret, _) => json!({ "type": "string", "readOnly": true }),
        (Shape::Id(kind), _) => json!({ "type": "string", "pattern": kind.pattern() }),
        (Shape::Timestamp, Way::In) => json!({ "type": "string", "pattern": TIMESTAMP_PATTERN }),
        (Shape::Timestamp, Way::Out) => json!({ "type": "string", "format": "date-time" }),
        (Shape::Path | Shape::Command, _) => characters(1, PATH_MAX_CHARS),
        (Shape::Enum(words), _) => json!({ "type": "string", "enum": words }),
        // Ids that come in: at least one, each once.
        (
            Shape::List {
                item: item @ Shape::Id(_),
                bound,
            },
            Way::In,
        ) => json!({
            "type": "array", "items": shape_of(item, way), "minItems": 1, "maxItems": bound.ceiling, "uniqueItems": true,
        }),
        (Shape::List { item, bound }, _) => json!({
            "type": "array", "items": shape_of(item, way), "maxItems": bound.ceiling,
        }),
        (Shape::Model(model), _) => object(model.fields, way),
        (Shape::Selection, _) => selection(),
    }
}

/// What comes in has both bounds; of what goes out the bounds that say nothing are left out.
fn integer(min: i64, max: i64, way: Way) -> Value {
    let (min, max) = (min.max(-MAX_INTEGER), max.min(MAX_INTEGER));
    let mut schema = json!({ "type": "integer" });
    if way == Way::In || min > -MAX_INTEGER {
        schema["minimum"] = json!(min);
    }
    if way == Way::In || max < MAX_INTEGER {
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

fn selection() -> Value {
    let most = settings::most("operations.max_batch_ids").unwrap_or(1);
    json!({
        "type": "object",
        "properties": {
            "ids": {
                "type": "array",
                "items": { "type": "string", "pattern": IdKind::Message.pattern() },
                "minItems": 1,
                "maxItems": most,
                "uniqueItems": true,
                "description": "The messages.",
            },
        },
        "required": ["ids"],
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::{Bound, Model};

    static MODEL: Model = Model {
        name: "Row",
        fields: &[Field {
            name: "subject",
            doc: "The subject.",
            shape: Shape::Text { max_chars: 200 },
            required: false,
            default: None,
        }],
    };

    #[track_caller]
    fn check(shape: Shape, comes_in: Value, goes_out: Value) {
        assert_eq!(shape_of(&shape, Way::In), comes_in);
        assert_eq!(shape_of(&shape, Way::Out), goes_out);
    }

    #[test]
    fn what_comes_in_is_held_to_a_form_and_what_goes_out_to_what_is_known_of_it() {
        let string = json!({ "type": "string" });
        check(
            Shape::Integer {
                min: 0,
                max: i64::MAX,
            },
            json!({ "type": "integer", "minimum": 0, "maximum": MAX_INTEGER }),
            json!({ "type": "integer", "minimum": 0 }),
        );
        check(
            Shape::Text { max_chars: 9 },
            json!({ "type": "string", "maxLength": 9 }),
            string.clone(),
        );
        check(
            Shape::Address,
            json!({ "type": "string", "maxLength": 320, "pattern": ADDRESS_PATTERN }),
            string,
        );
        check(
            Shape::Timestamp,
            json!({ "type": "string", "pattern": TIMESTAMP_PATTERN }),
            json!({ "type": "string", "format": "date-time" }),
        );
    }

    #[test]
    fn a_list_carries_the_most_its_bound_can_be_and_a_model_stands_in_place() {
        static ROW: Shape = Shape::Model(&MODEL);
        let list = Shape::List {
            item: &ROW,
            bound: Bound {
                setting: "max_results",
                ceiling: 500,
            },
        };
        let text = json!({ "type": "string", "description": "The subject." });
        assert_eq!(
            shape_of(&list, Way::Out),
            json!({
                "type": "array",
                "items": { "type": "object", "properties": { "subject": text }, "additionalProperties": false },
                "maxItems": 500,
            })
        );
    }

    #[test]
    fn a_selection_is_bounded_as_its_setting_can_be() {
        let most = settings::most("max_batch_ids").expect("the setting is there");
        assert_eq!(
            shape_of(&Shape::Selection, Way::In)["properties"]["ids"]["maxItems"],
            json!(most)
        );
    }
}
