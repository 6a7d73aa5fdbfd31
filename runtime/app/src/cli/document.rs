//! One thing in full: a line a field, its long text last.

use oaken_core::{Field, Shape, Text};
use serde_json::Value;

use super::table::{cell, is_empty, marks_of, title};

/// Several, with a rule between them.
pub fn several(fields: &'static [Field], rows: &[Value], room: usize) -> String {
    let rule = format!("{}\n", "─".repeat(room.min(80)));
    rows.iter()
        .map(|row| one(fields, row))
        .collect::<Vec<_>>()
        .join(&rule)
}

/// One. What does not hold is left out.
pub fn one(fields: &'static [Field], row: &Value) -> String {
    let mut head = String::new();
    let mut body = String::new();
    let mut line = |name: &str, value: &str| head.push_str(&format!("{name:<16}{value}\n"));
    for field in fields {
        match (&field.shape, row.get(field.name)) {
            (_, value) if is_empty(value) => {}
            (Shape::Boolean, _) | (_, None) => {}
            (Shape::Text { max_chars: 0 }, Some(Value::String(s))) => {
                body = format!("\n{}\n", Text::new(s.as_str()));
            }
            (_, Some(value)) => line(&title(field), &cell(value)),
        }
    }
    let marks = marks_of(fields, row);
    if !marks.is_empty() {
        line("is", &marks);
    }
    format!("{head}{body}\n")
}
