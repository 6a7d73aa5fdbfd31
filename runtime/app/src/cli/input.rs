//! From clap's matches to the JSON that the gate takes. What was not given is left to the gate's defaults.

use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ArgMatches;
use clap::parser::ValueSource;
use oaken_core::{Code, Descriptor, Error, Field, Result, Shape};
use serde_json::{Map, Value};

/// The input object of an operation. Reads and asks in a thread of its own, so that Ctrl-C ends the wait.
///
/// # Errors
/// When standard input or the terminal, where a secret was to come from, gave none.
pub async fn of(d: &'static Descriptor, matches: &ArgMatches, may_ask: bool) -> Result<Value> {
    let matches = matches.clone();
    tokio::task::spawn_blocking(move || {
        let mut input = Map::new();
        for field in d.input {
            if let Some(value) = value(field, &matches, may_ask)? {
                input.insert(field.name.to_owned(), value);
            }
        }
        Ok(Value::Object(input))
    })
    .await
    .map_err(|_| Error::internal())?
}

/// The secret that an operation was not given and now asks for, where it misses nothing else.
pub fn lacking(d: &'static Descriptor, input: &Value, e: &Error) -> Option<&'static Field> {
    let [fault] = e.faults() else { return None };
    d.input.iter().find(|f| {
        e.code() == Code::InvalidInput
            && matches!(f.shape, Shape::Secret)
            && fault.field.strip_prefix('/') == Some(f.name)
            && input.get(f.name).is_none()
    })
}

/// Asks for a secret on the terminal.
///
/// # Errors
/// When there is none, or nothing was typed.
pub async fn ask(field: &'static Field, may_ask: bool) -> Result<Value> {
    tokio::task::spawn_blocking(move || secret_from_terminal(field, may_ask))
        .await
        .map_err(|_| Error::internal())?
}

fn value(field: &'static Field, matches: &ArgMatches, may_ask: bool) -> Result<Option<Value>> {
    if let Shape::Secret = field.shape {
        let prompt = matches.get_flag(&format!("{}-prompt", field.name));
        return if matches.get_flag(field.name) {
            secret_from_stdin(field).map(Some)
        } else if prompt || (field.required && may_ask && std::io::stdin().is_terminal()) {
            secret_from_terminal(field, may_ask).map(Some)
        } else {
            Ok(None)
        };
    }
    if matches.value_source(field.name) != Some(ValueSource::CommandLine) {
        return Ok(None);
    }
    let given: Vec<&String> = matches
        .get_many::<String>(field.name)
        .into_iter()
        .flatten()
        .collect();
    Ok(match field.shape {
        Shape::Selection => Some(serde_json::json!({ "ids": given })),
        Shape::List { item, .. } => Some(Value::Array(given.iter().map(|s| scalar(item, s)).collect())),
        _ => given.first().map(|s| scalar(&field.shape, s)),
    })
}

/// A word of the command line as the JSON its shape expects; what does not fit stays a string for the gate to
/// refuse in its own words.
fn scalar(shape: &Shape, word: &str) -> Value {
    match shape {
        // Where the command is run is known here alone; an account is also opened from elsewhere.
        Shape::Path => match std::path::absolute(word)
            .ok()
            .and_then(|p| p.into_os_string().into_string().ok())
        {
            Some(absolute) => Value::String(absolute),
            None => Value::String(word.to_owned()),
        },
        Shape::Boolean => match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => Value::String(word.to_owned()),
        },
        Shape::Integer { .. } => word
            .parse::<i64>()
            .map_or_else(|_| Value::String(word.to_owned()), Value::from),
        _ => Value::String(word.to_owned()),
    }
}

/// Bytes of standard input that are looked at for a secret.
const SECRET: u64 = 64 * 1024;

fn secret_from_stdin(field: &Field) -> Result<Value> {
    only_line(std::io::stdin().lock())
        .map(Value::String)
        .map_err(|text| Error::invalid_field(format!("/{}", field.name), text))
}

/// The first line, which must be the only one as far as is known without waiting: a second one would be part of a
/// secret that is not what its owner takes it for.
fn only_line(input: impl Read) -> std::result::Result<String, &'static str> {
    let mut input = BufReader::new(input.take(SECRET));
    let mut line = String::new();
    let read = input.read_line(&mut line);
    let secret = line.trim_end_matches(['\r', '\n']);
    if read.is_err() || secret.is_empty() {
        return Err("standard input held no first line");
    }
    if input.buffer().iter().any(|b| !b.is_ascii_whitespace()) {
        return Err("standard input held more than one line");
    }
    Ok(secret.to_owned())
}

fn secret_from_terminal(field: &Field, may_ask: bool) -> Result<Value> {
    if !may_ask || !std::io::stdin().is_terminal() {
        return Err(Error::new(
            Code::InvalidInput,
            "There is no terminal to ask on; use the flag that reads standard input.",
        ));
    }
    let (first, rest) = field.name.split_at(field.name.len().min(1));
    eprint!("{}{}: ", first.to_uppercase(), rest.replace('_', " "));
    let _ = std::io::stderr().flush();
    HIDDEN.store(true, Ordering::SeqCst);
    stty("-echo");
    let secret = secret_from_stdin(field);
    echo_again();
    eprintln!();
    secret
}

/// Whether the terminal's echo is off.
static HIDDEN: AtomicBool = AtomicBool::new(false);

/// Turns the echo on again where it was turned off here; also when a question is broken off.
pub fn echo_again() {
    if HIDDEN.swap(false, Ordering::SeqCst) {
        stty("echo");
    }
}

fn stty(argument: &str) {
    let _ = std::process::Command::new("stty")
        .arg(argument)
        .stdin(std::process::Stdio::inherit())
        .status();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: Value, faults: &[&str], expected: Option<&str>) {
        let d = crate::open::descriptors()
            .into_iter()
            .find(|d| d.name == "add_account")
            .unwrap();
        let e = faults.iter().fold(Error::new(Code::InvalidInput, "x"), |e, f| {
            e.fault(oaken_core::Fault::new(*f, "is missing"))
        });
        assert_eq!(lacking(d, &input, &e).map(|f| f.name), expected);
    }

    #[test]
    fn a_secret_is_asked_for_where_nothing_else_is_missing_and_only_once() {
        let given = serde_json::json!({ "password": "x" });
        check(Value::Object(Map::new()), &["/password"], Some("password"));
        check(Value::Object(Map::new()), &["/host", "/password"], None);
        check(Value::Object(Map::new()), &["/host"], None);
        check(given, &["/password"], None);
    }

    #[test]
    fn a_secret_on_standard_input_is_one_line() {
        let none = Err("standard input held no first line");
        let more = Err("standard input held more than one line");
        for (input, expected) in [
            ("hunter2", Ok("hunter2")),
            ("hunter2\r\n", Ok("hunter2")),
            ("hunter2\n\n", Ok("hunter2")),
            (" hunter 2 \n", Ok(" hunter 2 ")),
            ("hunter2\nmore", more),
            ("hunter2\n\nmore\n", more),
            ("", none),
            ("\nhunter2\n", none),
        ] {
            assert_eq!(
                only_line(input.as_bytes()).as_deref().map_err(|e| *e),
                expected,
                "{input:?}"
            );
        }
    }

    #[test]
    fn a_path_is_made_absolute_where_the_command_is_run() {
        let here = std::env::current_dir().unwrap();
        let expected = here.join("Mail/me");
        assert_eq!(
            scalar(&Shape::Path, "Mail/me"),
            Value::String(expected.to_str().unwrap().into())
        );
        assert_eq!(
            scalar(&Shape::Path, "/srv/mail"),
            Value::String("/srv/mail".into())
        );
    }
}
