//! Columns of a table that fit the terminal.
//!
//! Where there is no room, what tells least goes first: further ids, then what is the same in every row (said once
//! below), then addresses behind their names; only then is text cut, and of the last column wrapped.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The least width of a column of text.
const NARROW: usize = 12;
/// Rows from which on a value that they share is said once.
const SHARED: usize = 3;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The id of the row.
    Id,
    /// Another id.
    FurtherId,
    /// A number, set to the right.
    Number,
    /// A word or a time, never cut.
    Word,
    /// Text, cut where there is no room.
    Text,
}

/// One column.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its heading.
    pub title: String,
    /// What it holds.
    pub kind: Kind,
    /// A cell for each row.
    pub cells: Vec<String>,
    /// Shorter cells, where there are some.
    pub short: Option<Vec<String>>,
}

/// The table, one line a row, and what holds for every row.
pub fn layout(mut columns: Vec<Column>, room: usize) -> String {
    let mut shared = vec![];
    while total(&widths(&columns)) > room {
        if let Some(at) = columns.iter().rposition(|c| c.kind == Kind::FurtherId) {
            columns.remove(at);
        } else if let Some(at) = (1..columns.len()).rev().find(|at| is_shared(&columns[*at])) {
            let column = columns.remove(at);
            shared.push(format!("{} {}", column.title, column.cells[0]));
        } else if let Some(column) = columns.iter_mut().find(|c| c.short.is_some()) {
            column.cells = column.short.take().unwrap_or_default();
        } else {
            break;
        }
    }
    let widths = narrowed(&columns, room);
    let mut text = String::new();
    let titles: Vec<&str> = columns.iter().map(|c| c.title.as_str()).collect();
    push_line(&mut text, &columns, &titles, &widths);
    for row in 0..columns.first().map_or(0, |c| c.cells.len()) {
        let cells: Vec<&str> = columns.iter().map(|c| c.cells[row].as_str()).collect();
        push_line(&mut text, &columns, &cells, &widths);
    }
    if !shared.is_empty() {
        shared.reverse();
        text.push_str(&format!("(every row: {})\n", shared.join(", ")));
    }
    text
}

fn is_shared(column: &Column) -> bool {
    column.kind != Kind::Text
        && column.cells.len() >= SHARED
        && column.cells.iter().all(|c| *c == column.cells[0])
}

fn widths(columns: &[Column]) -> Vec<usize> {
    columns
        .iter()
        .map(|c| {
            c.cells
                .iter()
                .map(|cell| cell.width())
                .max()
                .unwrap_or(0)
                .max(c.title.width())
        })
        .collect()
}

fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1)
}

/// Each column as wide as its widest cell; text narrower where the terminal has no more room.
fn narrowed(columns: &[Column], room: usize) -> Vec<usize> {
    let mut widths = widths(columns);
    while total(&widths) > room {
        let widest = (0..columns.len())
            .filter(|n| columns[*n].kind == Kind::Text && widths[*n] > NARROW)
            .max_by_key(|n| widths[*n]);
        match widest {
            Some(widest) => widths[widest] -= 1,
            None => break,
        }
    }
    widths
}

fn push_line(text: &mut String, columns: &[Column], cells: &[&str], widths: &[usize]) {
    let mut line = String::new();
    for (n, cell) in cells.iter().enumerate() {
        if n > 0 {
            line.push_str("  ");
        }
        let last = n + 1 == cells.len();
        if last && columns[n].kind == Kind::Text && cell.width() > widths[n] {
            let indent = line.width();
            line.push_str(&wrapped(cell, widths[n], indent));
        } else if columns[n].kind == Kind::Number {
            line.push_str(&" ".repeat(widths[n].saturating_sub(cell.width())));
            line.push_str(cell);
        } else {
            line.push_str(&fit(cell, widths[n]));
        }
    }
    text.push_str(line.trim_end());
    text.push('\n');
}

/// A cell on as many lines as it needs.
fn wrapped(cell: &str, width: usize, indent: usize) -> String {
    let mut lines: Vec<String> = vec![String::new()];
    for word in cell.split(' ') {
        let line = lines.last_mut().map_or(0, |l| l.width());
        match lines.last_mut() {
            Some(last) if line == 0 => last.push_str(word),
            Some(last) if line + 1 + word.width() <= width => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join(&format!("\n{}", " ".repeat(indent)))
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

    fn column(title: &str, kind: Kind, cells: [&str; 3]) -> Column {
        Column {
            title: title.into(),
            kind,
            cells: cells.map(str::to_owned).to_vec(),
            short: None,
        }
    }

    fn mail() -> Vec<Column> {
        let from = ["Ada <ada@example.org>", "Bo <bo@example.org>", "c@example.org"];
        let mut from = column("from", Kind::Text, from);
        from.short = Some(["Ada", "Bo", "c@example.org"].map(str::to_owned).to_vec());
        vec![
            column("id", Kind::Id, ["m_1", "m_2", "m_3"]),
            from,
            column("account id", Kind::FurtherId, ["a_1", "a_1", "a_2"]),
            column("size", Kind::Number, ["1", "22", "333"]),
            column("why", Kind::Word, ["inbox", "inbox", "inbox"]),
            column("note", Kind::Text, ["one", "a note of several words", "two"]),
        ]
    }

    #[test]
    fn with_room_everything_stands_and_numbers_are_set_to_the_right() {
        let text = layout(mail(), 120);
        assert_eq!(
            text.lines().nth(1),
            Some("m_1  Ada <ada@example.org>  a_1            1  inbox  one")
        );
        assert!(!text.contains("every row"), "{text}");
    }

    #[test]
    fn without_room_what_tells_least_goes_first_and_the_last_column_wraps() {
        let expected = "id   from           size  note
m_1  Ada               1  one
m_2  Bo               22  a note of
                          several words
m_3  c@example.org   333  two
(every row: why inbox)
";
        assert_eq!(layout(mail(), 40), expected);
    }
}
