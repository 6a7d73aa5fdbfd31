//! An output as a person reads it: lists of models as tables, mail as text, the rest as lines.

use comfy_table::{ContentArrangement, Table, presets};
use oaken_core::{Descriptor, Field, McpResult, Shape, Text};
use serde_json::Value;

/// The output of an operation as text for a terminal. Everything in it is inert there.
pub fn output(d: &'static Descriptor, output: &Value) -> String {
    let reads = d.mcp.result == McpResult::Text;
    let mut text = String::new();
    for field in d.output {
        let Some(value) = output.get(field.name) else {
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
                if reads {
                    rows.iter()
                        .for_each(|row| text.push_str(&document(model.fields, row)));
                } else {
                    text.push_str(&rows_as_table(model.fields, rows));
                }
            }
            (Shape::Model(model), row) => text.push_str(&document(model.fields, row)),
            _ => text.push_str(&format!("{}: {}\n", field.name.replace('_', " "), cell(value))),
        }
    }
    text
}

/// One thing in full: a line a field, its long text last.
fn document(fields: &'static [Field], row: &Value) -> String {
    let mut head = String::new();
    let mut body = String::new();
    for field in fields {
        match (&field.shape, row.get(field.name)) {
            (_, None | Some(Value::Null)) => {}
            (_, Some(Value::Array(items))) if items.is_empty() => {}
            (Shape::Text { max_chars: 0 }, Some(Value::String(s))) => {
                body = format!("\n{}\n", Text::new(s.as_str()))
            }
            (_, Some(value)) => {
                head.push_str(&format!("{:<16}{}\n", field.name.replace('_', " "), cell(value)))
            }
        }
    }
    format!("{head}{body}\n")
}

fn rows_as_table(fields: &'static [Field], rows: &[Value]) -> String {
    if rows.is_empty() {
        return "none\n".into();
    }
    let shown: Vec<&Field> = fields
        .iter()
        .filter(|f| rows.iter().any(|r| !is_empty(r.get(f.name))))
        .collect();
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(shown.iter().map(|f| f.name.replace('_', " ")));
    for row in rows {
        table.add_row(
            shown
                .iter()
                .map(|f| row.get(f.name).map(cell).unwrap_or_default()),
        );
    }
    format!("{table}\n")
}

fn is_empty(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::Array(items)) => items.is_empty(),
        Some(_) => false,
    }
}

/// A value on one line, inert.
fn cell(value: &Value) -> String {
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
