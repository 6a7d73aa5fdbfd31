//! Inputs that an operation takes, made from its declared shapes; at the bounds more often than within.

use oaken_core::{Field, IdKind, Shape};
use serde_json::{Map, Value, json};

use crate::random::Random;

/// Bounds above this are not reached: a million characters say no more than five thousand.
pub const LONG: usize = 5_000;

/// An object of these fields. What need not be there is left out at times.
pub fn object(fields: &[Field], random: &mut Random) -> Value {
    let mut object = Map::new();
    for field in fields {
        if field.required || random.once_in(2) {
            object.insert(field.name.to_owned(), value(&field.shape, random));
        }
    }
    Value::Object(object)
}

fn value(shape: &Shape, random: &mut Random) -> Value {
    match shape {
        Shape::Boolean => json!(random.once_in(2)),
        Shape::Integer { min, max } => {
            let edge = *random.pick(&[*min, *max, min.saturating_add(1).min(*max), (*min).max(0)]);
            if random.once_in(4) {
                json!(edge as f64)
            } else {
                json!(edge)
            }
        }
        Shape::String { min_chars, max_chars } => {
            json!(text(*min_chars as usize, *max_chars as usize, random))
        }
        Shape::Text { max_chars } => json!(text(0, *max_chars as usize, random)),
        Shape::Secret | Shape::Path | Shape::Command => json!(text(1, 4096, random)),
        Shape::IssuedSecret => Value::Null,
        Shape::Address => json!(random.pick(&[
            "dana@example.org".to_owned(),
            "grüße@müller.example".to_owned(),
            format!("{}@{}", "x".repeat(64), "y".repeat(255)),
            "a@b".to_owned(),
        ])),
        Shape::Id(kind) => json!(id(*kind, random)),
        Shape::Timestamp => json!(*random.pick(&[
            "2026-11-30",
            "2024-02-29",
            "2026-11-30T12:00:00Z",
            "2026-11-30T23:59:59+14:00",
            "0000-01-01T00:00:00-23:59",
            "9999-12-31T23:59:59Z",
            "-12h",
            "-7d",
            "-9999d",
            "-0h",
        ])),
        Shape::Enum(words) => json!(*random.pick(words)),
        Shape::List { item, bound } => {
            let count = match random.below(60) {
                0 => (bound.ceiling as usize).min(LONG),
                1..20 => 0,
                n => n % 3 + 1,
            };
            Value::Array((0..count).map(|_| value(item, random)).collect())
        }
        Shape::Model(model) => object(model.fields, random),
        Shape::Selection => {
            let ids: Vec<String> = (0..random.below(4))
                .map(|_| id(IdKind::Message, random))
                .collect();
            json!({ "ids": ids })
        }
    }
}

fn text(min: usize, max: usize, random: &mut Random) -> String {
    let most = if max == 0 { LONG } else { max.min(LONG) };
    let count = match random.below(12) {
        0 => most,
        1 | 2 => min,
        _ => min + random.below((most - min).clamp(1, 12)),
    };
    (0..count.min(most))
        .map(|_| *random.pick(&['a', 'Z', '0', ' ', 'é', '東', '\u{1f600}', '\n', '"', '\\']))
        .collect()
}

/// An id of a kind that nothing has.
pub fn id(kind: IdKind, random: &mut Random) -> String {
    let alphabet: Vec<char> = ('0'..='9').chain('a'..='v').collect();
    let part = if kind == IdKind::Attachment {
        *random.pick(&["-1", "-2.1", "-9999.1.1"])
    } else {
        ""
    };
    let body: String = (0..10).map(|_| *random.pick(&alphabet)).collect();
    format!("{}_{body}{part}", kind.prefix())
}
