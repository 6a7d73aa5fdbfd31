//! What the command line prints: JSON where it is asked for or nobody looks, tables and text on a terminal.

use std::io::{IsTerminal, Write};

use clap::ArgMatches;
use oaken_core::{Answer, Descriptor, Error, Shape, Text, text::is_unsafe_to_show};
use serde_json::{Value, json};

use super::{table, words};
use crate::calls;

/// How to print.
pub struct How {
    /// JSON on standard output, and errors as one JSON line.
    pub json: bool,
    /// Whether a question may be asked.
    pub may_ask: bool,
}

impl How {
    /// What the flags and the terminal say.
    pub fn of(matches: &ArgMatches) -> Self {
        let asked = matches.get_flag("json");
        How {
            json: asked || !std::io::stdout().is_terminal(),
            may_ask: !matches.get_flag("no-input") && !asked && std::io::stdin().is_terminal(),
        }
    }
}

/// Prints an answer.
pub fn answer(how: &How, d: &'static Descriptor, answer: &Answer) {
    if how.json {
        line(&to_inert_json(&calls::as_json(answer)));
        return;
    }
    match answer {
        Answer::Done { output, cut, entry } => {
            write(&table::output(d, output));
            for c in cut {
                eprintln!("{}: {} of {} shown; the rest: {}", c.field, c.shown, c.of, c.next);
            }
            if let Some(cursor) = output.get("next_cursor").and_then(Value::as_str) {
                eprintln!("There is more: --all shows every row, --cursor {cursor} the next ones.");
            }
            if let Some(entry) = entry.as_ref().filter(|_| did_something(d, output)) {
                eprintln!("Undo with: oaken undo {entry}");
            }
        }
        Answer::Proposed(_) => line(&to_inert_json(&calls::as_json(answer))),
    }
}

/// Whether an answer names anything that it did; where it lists no ids there is nothing to go by.
fn did_something(d: &Descriptor, output: &Value) -> bool {
    let mut lists = d
        .output
        .iter()
        .filter(|f| {
            matches!(
                f.shape,
                Shape::List {
                    item: Shape::Id(_),
                    ..
                }
            )
        })
        .peekable();
    lists.peek().is_none() || lists.any(|f| !table::is_empty(output.get(f.name)))
}

/// Prints an error: one JSON line on standard error, or a sentence with its fields as they are typed.
pub fn error(how: &How, d: Option<&Descriptor>, e: &Error) {
    if how.json {
        let mut object = json!(e);
        if let Some(place) = e.place() {
            object["place"] = place.into();
        }
        eprintln!("{}", to_inert_json(&json!({ "error": object })));
        return;
    }
    eprintln!("error: {}", Text::new(e.message()));
    let object = json!(e);
    for f in object["fields"].as_array().into_iter().flatten() {
        let text = |k: &str| {
            f[k].as_str()
                .map(|s| Text::new(s).to_string())
                .unwrap_or_default()
        };
        let accepted = text("accepted");
        let accepted = if accepted.is_empty() {
            accepted
        } else {
            format!(" ({accepted})")
        };
        let argument = words::of_pointer(&text("field"), d);
        eprintln!(
            "  {argument}: {}{accepted}",
            words::of_command(&text("message"), d)
        );
    }
    if let Some(next) = object["next"].as_str() {
        eprintln!("  next: {next}");
    }
    if let Some(place) = e.place() {
        eprintln!("  place: {place}");
    }
}

/// JSON in which nothing can act on a terminal: what `Text` shows as escapes is written as JSON escapes.
pub fn to_inert_json(value: &Value) -> String {
    let plain = value.to_string();
    if !plain.chars().any(is_unsafe_to_show) {
        return plain;
    }
    let mut inert = String::with_capacity(plain.len() + 64);
    for c in plain.chars() {
        if is_unsafe_to_show(c) {
            let mut units = [0u16; 2];
            for unit in c.encode_utf16(&mut units) {
                inert.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            inert.push(c);
        }
    }
    inert
}

/// Writes a line to standard output; a closed pipe ends quietly.
pub fn line(text: &str) {
    write(&format!("{text}\n"));
}

fn write(text: &str) {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => {}
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        // What was asked for is done, but nobody can read the answer: that is no success.
        Err(_) => {
            eprintln!("error: Standard output cannot be written; is the disk full?");
            std::process::exit(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_with_terminal_escapes_and_bidi_is_inert_and_still_the_same_json() {
        let value = json!({ "subject": "a\u{1b}]52;c;x\u{7} \u{202e}b \u{e0041}" });
        let inert = to_inert_json(&value);
        assert!(!inert.chars().any(is_unsafe_to_show), "{inert}");
        assert_eq!(serde_json::from_str::<Value>(&inert).unwrap(), value);
    }
}
