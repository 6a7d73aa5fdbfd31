//! One thing made wrong, or nearly wrong, somewhere in an input.

use serde_json::{Map, Value, json};

use crate::base::LONG;
use crate::random::Random;

/// Changes one value, key or list somewhere in the input.
pub fn mutate(input: &mut Value, random: &mut Random) {
    let pointers = pointers(input);
    let pointer = random.pick(&pointers).clone();
    let Some(place) = input.pointer_mut(&pointer) else {
        return;
    };
    match place {
        Value::Object(fields) if !random.once_in(8) => object(fields, random),
        Value::Array(items) if !random.once_in(4) => list(items, random),
        Value::String(s) if !random.once_in(4) => *s = string(s, random),
        Value::Number(n) if !random.once_in(4) => *place = number(n, random),
        _ => *place = junk(place, random),
    }
}

fn pointers(input: &Value) -> Vec<String> {
    let mut found = vec![];
    let mut left = vec![(String::new(), input)];
    while let Some((pointer, value)) = left.pop() {
        match value {
            Value::Object(fields) => left.extend(fields.iter().map(|(k, v)| {
                (
                    format!("{pointer}/{}", k.replace('~', "~0").replace('/', "~1")),
                    v,
                )
            })),
            // Far in a long list everything is alike.
            Value::Array(items) => left.extend(
                items
                    .iter()
                    .take(3)
                    .enumerate()
                    .map(|(n, v)| (format!("{pointer}/{n}"), v)),
            ),
            _ => {}
        }
        found.push(pointer);
    }
    found
}

fn object(fields: &mut Map<String, Value>, random: &mut Random) {
    let names: Vec<String> = fields.keys().cloned().collect();
    let unknown = [
        "confirm",
        "proposal_token",
        "action",
        "query",
        "ids",
        "",
        "*",
        "__proto__",
        "Target",
        "account id",
        "é",
    ];
    match (random.below(4), names.is_empty()) {
        (0, _) | (_, true) => {
            let value = junk(&Value::Null, random);
            fields.insert((*random.pick(&unknown)).to_owned(), value);
        }
        (1, _) => {
            fields.shift_remove(random.pick(&names));
        }
        (2, _) => {
            let name = random.pick(&names).clone();
            let value = fields.shift_remove(&name).unwrap_or_default();
            let renamed = [
                name.to_uppercase(),
                name.replace('_', "-"),
                format!("{name} "),
                name.replace('_', ""),
            ];
            fields.insert(random.pick(&renamed).clone(), value);
        }
        _ => {
            fields.insert(random.pick(&names).clone(), Value::Null);
        }
    }
}

fn list(items: &mut Vec<Value>, random: &mut Random) {
    match random.below(5) {
        0 => items.push(junk(&Value::Null, random)),
        1 => items.insert(0, Value::Null),
        2 => items.clear(),
        // Over every bound there is.
        3 if random.once_in(10) => {
            let item = items.first().cloned().unwrap_or(json!("m_0000000000"));
            items.resize(1001, item);
        }
        _ => items.extend(items.first().cloned()),
    }
}

fn string(s: &str, random: &mut Random) -> String {
    match random.below(12) {
        0 => s.to_uppercase(),
        1 => format!("{s} "),
        2 => format!("{s}\n"),
        3 => String::new(),
        4 => s.chars().skip(1).collect(),
        5 => s.chars().take(s.chars().count().saturating_sub(1)).collect(),
        6 => format!(
            "{}_{}",
            random.pick(&["m", "t", "a", "f", "l", "e", "ag", "p", "tk", "M", "at"]),
            s.split_once('_').map_or(s, |(_, r)| r)
        ),
        7 => format!("{s}{s}"),
        8 => s.repeat(LONG / s.len().max(1) + 1),
        9 => format!("@{s}"),
        10 => {
            let digits = ["9", "w", "٣", "3"];
            s.replace(['0', '1', '2'], digits[random.below(digits.len())])
        }
        _ => (*random.pick(&TIMES)).to_owned(),
    }
}

/// Points in time, and what looks like one.
const TIMES: [&str; 22] = [
    "2026-02-29",
    "2026-02-30",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-1-1",
    "2026-11-30T12:00:00",
    "2026-11-30 12:00:00Z",
    "2026-11-30T12:00:60Z",
    "2026-11-30T24:00:00Z",
    "2026-11-30T12:00:00.5Z",
    "2026-11-30t12:00:00z",
    "2026-11-30T12:00:00+24:00",
    "2026-11-30T12:00:00+02:60",
    "2026-11-30T12:00:00-00:00",
    "-7w",
    "-d",
    "--7d",
    "-12345h",
    "7d",
    "last_call",
    "２０２６-11-30",
];

fn number(n: &serde_json::Number, random: &mut Random) -> Value {
    let whole = n.as_i64().unwrap_or(0);
    match random.below(8) {
        0 => json!(whole.saturating_add(1)),
        1 => json!(whole.saturating_sub(1)),
        2 => json!(whole as f64),
        3 => json!(whole as f64 + 0.5),
        4 => json!(n.to_string()),
        5 => json!(whole as f64 * 1e15),
        _ => random.pick(&numbers()).clone(),
    }
}

fn numbers() -> [Value; 12] {
    [
        json!(0),
        json!(-1),
        json!(3.0),
        json!(-0.0),
        json!(0.1),
        json!(1e300),
        json!(-1e300),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(9_007_199_254_740_992_i64),
        json!(9_007_199_254_740_991.0),
        json!(9_007_199_254_740_993.0),
    ]
}

fn junk(old: &Value, random: &mut Random) -> Value {
    match random.below(12) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!([old]),
        3 => json!({ "ids": old }),
        4 => json!({}),
        5 => json!([]),
        6 => json!(old.to_string()),
        7 => json!([[[[{ "a": [null, { "b": old }] }]]]]),
        8 => json!("true"),
        9 => json!("m_7f3k9q2t0b"),
        10 => json!(["m_7f3k9q2t0b", "t_7f3k9q2t0b", 3.0]),
        _ => random.pick(&numbers()).clone(),
    }
}
