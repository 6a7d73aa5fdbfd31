//! An output as a person reads it: lists of models as tables, mail as text, the rest as lines.

use oaken_core::{Descriptor, Field, McpResult, Shape, Text};
use serde_json::Value;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

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
            (_, value) if is_empty(Some(value)) => {}
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

/// The least and the usual width of a column of text, and how wide a terminal is where it does not say.
const NARROW: usize = 12;
const TERMINAL: usize = 100;

/// One line a row. Of the ids the first is shown, long text is left to `--json`, and what holds for no row is left out.
fn rows_as_table(fields: &'static [Field], rows: &[Value]) -> String {
    if rows.is_empty() {
        return "none\n".into();
    }
    let mut ids = 0;
    let shown: Vec<&Field> = fields
        .iter()
        .filter(|f| match f.shape {
            Shape::Id(_) => {
                ids += 1;
                ids == 1
            }
            Shape::Text { max_chars } => max_chars < 400,
            Shape::List { .. } => false,
            _ => true,
        })
        .filter(|f| rows.iter().any(|r| says_something(r.get(f.name))))
        .collect();
    let mut lines = vec![shown.iter().map(|f| f.name.replace('_', " ")).collect::<Vec<_>>()];
    lines.extend(rows.iter().map(|row| {
        shown
            .iter()
            .map(|f| row.get(f.name).map(cell).unwrap_or_default())
            .collect()
    }));
    let widths = widths(&shown, &lines, terminal_width());
    let mut text = String::new();
    for line in &lines {
        let cells: Vec<String> = line
            .iter()
            .zip(&widths)
            .map(|(cell, width)| fit(cell, *width))
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// The width of each column: as wide as its widest cell, columns of text narrower where the terminal has no more room.
fn widths(shown: &[&Field], lines: &[Vec<String>], room: usize) -> Vec<usize> {
    let mut widths: Vec<usize> = (0..shown.len())
        .map(|column| {
            lines
                .iter()
                .filter_map(|l| l.get(column))
                .map(|c| c.width())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let gives = |f: &Field| {
        matches!(
            f.shape,
            Shape::Text { .. } | Shape::String { .. } | Shape::Model(_) | Shape::Address
        )
    };
    loop {
        let total: usize = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
        let widest = (0..shown.len())
            .filter(|n| gives(shown[*n]) && widths[*n] > NARROW)
            .max_by_key(|n| widths[*n]);
        match widest {
            Some(widest) if total > room => widths[widest] -= 1,
            _ => return widths,
        }
    }
}

/// A cell of exactly this width; what does not fit ends in an ellipsis.
fn fit(cell: &str, width: usize) -> String {
    let mut text = String::new();
    let mut taken = 0;
    let whole = cell.width() <= width;
    for c in cell.chars() {
        let wide = c.width().unwrap_or(0);
        if !whole && taken + wide > width.saturating_sub(1) {
            text.push('…');
            taken += 1;
            break;
        }
        text.push(c);
        taken += wide;
    }
    text.push_str(&" ".repeat(width.saturating_sub(taken)));
    text
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(cell: &str, width: usize, expected: &str) {
        assert_eq!(fit(cell, width), expected);
        assert_eq!(fit(cell, width).width(), width);
    }

    #[test]
    fn cells_are_exactly_as_wide_as_their_column() {
        check("short", 8, "short   ");
        check("a longer subject", 8, "a longe…");
        check("東京の天気", 6, "東京… ");
        check("東京の天気", 10, "東京の天気");
    }
}
