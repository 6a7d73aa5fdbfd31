//! An output as a person reads it: lists of models as tables, mail as documents, the rest as lines.

use oaken_core::{Descriptor, Field, McpResult, Shape, Text};
use serde_json::Value;

use super::columns::{Column, Kind, layout};
use super::document;

/// How wide a terminal is where it does not say.
const TERMINAL: usize = 100;

/// The output of an operation as text for a terminal. Everything in it is inert there.
pub fn output(d: &'static Descriptor, output: &Value) -> String {
    let room = terminal_width();
    let lists = d
        .output
        .iter()
        .filter(|f| matches!(f.shape, Shape::List { .. }))
        .count();
    let mut text = String::new();
    let mut facts = vec![];
    for field in d.output {
        let Some(value) = output.get(field.name).filter(|_| field.name != "next_cursor") else {
            continue;
        };
        match (&field.shape, value) {
            (
                Shape::List {
                    item: Shape::Model(model),
                    ..
                },
                Value::Array(rows),
            ) => {
                if rows.is_empty() && lists > 1 {
                    continue;
                }
                say(&mut text, &mut facts);
                if lists > 1 {
                    text.push_str(&format!("{}:\n", title(field)));
                }
                text.push_str(&match d.mcp.result {
                    _ if rows.is_empty() => "none\n".into(),
                    McpResult::Text => document::several(model.fields, rows, room),
                    McpResult::Structured => layout(columns(model.fields, rows), room),
                });
            }
            (Shape::Model(model), row) => {
                say(&mut text, &mut facts);
                text.push_str(&document::one(model.fields, row));
            }
            (_, value) if is_empty(Some(value)) => {}
            _ => facts.push(format!("{}: {}", title(field), cell(value))),
        }
    }
    if text.is_empty() {
        facts.iter().for_each(|fact| text.push_str(&format!("{fact}\n")));
    } else if !facts.is_empty() {
        text.push_str(&format!("\n{}\n", facts.join(", ")));
    }
    if text.is_empty() {
        text.push_str("nothing\n");
    }
    text
}

/// Says what was met before a table, a line each.
fn say(text: &mut String, facts: &mut Vec<String>) {
    facts
        .drain(..)
        .for_each(|fact| text.push_str(&format!("{fact}\n")));
}

/// A field's name as a heading.
pub fn title(field: &Field) -> String {
    field.name.replace('_', " ")
}

/// The columns of rows. Long text is left to `--json`, what holds for no row is left out, and several yes-or-no are
/// one column that names those which hold.
fn columns(fields: &'static [Field], rows: &[Value]) -> Vec<Column> {
    let shown: Vec<&Field> = fields
        .iter()
        .filter(|f| match f.shape {
            Shape::Text { max_chars } => max_chars < 400,
            Shape::List { .. } => false,
            _ => true,
        })
        .filter(|f| rows.iter().any(|r| says_something(r.get(f.name))))
        .collect();
    let several = shown.iter().filter(|f| matches!(f.shape, Shape::Boolean)).count() > 1;
    let mut columns: Vec<Column> = vec![];
    let mut marks = false;
    for field in shown {
        if several && matches!(field.shape, Shape::Boolean) {
            if !marks {
                columns.push(column("is".into(), Kind::Word, rows, |row| marks_of(fields, row)));
            }
            marks = true;
            continue;
        }
        let kind = match field.shape {
            Shape::Id(_) if columns.iter().any(|c| c.kind == Kind::Id) => Kind::FurtherId,
            Shape::Id(_) => Kind::Id,
            Shape::Integer { .. } => Kind::Number,
            Shape::Text { .. } | Shape::String { .. } | Shape::Model(_) | Shape::Address => Kind::Text,
            _ => Kind::Word,
        };
        let in_cell = |row: &Value| {
            row.get(field.name)
                .map(|v| of_shape(&field.shape, v))
                .unwrap_or_default()
        };
        let mut column = column(title(field), kind, rows, in_cell);
        if let Shape::Model(_) = field.shape {
            column.short = Some(rows.iter().map(|row| short(&row[field.name])).collect());
        }
        columns.push(column);
    }
    columns
}

fn column(title: String, kind: Kind, rows: &[Value], cell: impl Fn(&Value) -> String) -> Column {
    Column {
        title,
        kind,
        cells: rows.iter().map(cell).collect(),
        short: None,
    }
}

/// The yes-or-no fields that hold, by name.
pub fn marks_of(fields: &[Field], row: &Value) -> String {
    let holds = |f: &&Field| matches!(f.shape, Shape::Boolean) && row.get(f.name) == Some(&Value::Bool(true));
    fields
        .iter()
        .filter(holds)
        .map(title)
        .collect::<Vec<_>>()
        .join(", ")
}

/// A time to the minute, `2026-11-30 14:13Z`: what a person compares in a table. `--json` has it in full.
fn of_shape(shape: &Shape, value: &Value) -> String {
    match (shape, value) {
        (Shape::Timestamp, Value::String(s)) if s.len() == 20 && s.ends_with('Z') && s.is_ascii() => {
            format!("{} {}Z", &s[..10], &s[11..16])
        }
        _ => cell(value),
    }
}

/// Somebody's name alone, or the address where there is none.
fn short(value: &Value) -> String {
    match value.get("name").and_then(Value::as_str) {
        Some(name) if !name.is_empty() => cell(&value["name"]),
        _ => cell(value),
    }
}

fn terminal_width() -> usize {
    match terminal_size::terminal_size() {
        Some((terminal_size::Width(width), _)) if width > 0 => usize::from(width),
        _ => TERMINAL,
    }
}

fn says_something(value: Option<&Value>) -> bool {
    !matches!(value, None | Some(Value::Null | Value::Bool(false))) && !is_empty(value)
}

/// Whether there is nothing to show.
pub fn is_empty(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::Array(items)) => items.is_empty(),
        Some(_) => false,
    }
}

/// A value on one line, inert.
pub fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Number(n) => n.to_string(),
        Value::String(s) => Text::new(s.replace(['\n', '\t'], " ")).to_string(),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(", "),
        Value::Object(map) => match (map.get("name"), map.get("address")) {
            (Some(name), Some(address)) => format!("{} <{}>", cell(name), cell(address)),
            (None, Some(address)) => cell(address),
            _ => map.values().map(cell).collect::<Vec<_>>().join(" "),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(operation: &str, value: Value, expected: &str) {
        let d = crate::open::descriptors()
            .into_iter()
            .find(|d| d.name == operation)
            .unwrap();
        assert_eq!(output(d, &value), expected);
    }

    #[test]
    fn what_was_changed_and_what_was_not_is_told_apart() {
        let refused = json!([{ "message_id": "m_0000000002", "reason": "already_so" }]);
        check(
            "mark_unread",
            json!({ "marked": ["m_0000000001"], "not_changed": refused }),
            "marked: m_0000000001\nnot changed:\nmessage id    reason\nm_0000000002  already_so\n",
        );
        check(
            "mark_unread",
            json!({ "marked": ["m_0000000001"], "not_changed": [] }),
            "marked: m_0000000001\n",
        );
        check(
            "mark_unread",
            json!({ "marked": [], "not_changed": [] }),
            "nothing\n",
        );
    }

    #[test]
    fn several_yes_or_no_are_one_column_and_times_end_at_the_minute() {
        let row = json!({ "thread_id": "t_0000000001", "subject": "Hi", "received": "2026-11-30T14:13:43Z",
                          "messages": 2, "unread": 0, "flagged": true });
        check(
            "list_mailbox",
            json!({ "threads": [row], "total": 1, "next_cursor": "x" }),
            "thread id     subject  received           messages  unread  flagged\n\
             t_0000000001  Hi       2026-11-30 14:13Z         2       0  yes\n\ntotal: 1\n",
        );
        let row = json!({ "message_id": "m_0000000001", "received": "2026-11-30T14:13:43Z", "unread": true, "answered": true });
        check(
            "list_messages",
            json!({ "messages": [row], "total": 1 }),
            "message id    received           is\nm_0000000001  2026-11-30 14:13Z  unread, answered\n\ntotal: 1\n",
        );
    }
}
