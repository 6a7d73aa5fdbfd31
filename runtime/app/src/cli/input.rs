//! From clap's matches to the JSON that the gate takes. What was not given is left to the gate's defaults.

use std::io::{BufRead, IsTerminal, Write};

use clap::ArgMatches;
use clap::parser::ValueSource;
use oaken_core::{Code, Descriptor, Error, Field, Result, Shape};
use serde_json::{Map, Value};

/// The input object of an operation.
///
/// # Errors
/// When standard input or the terminal, where a secret was to come from, gave none.
pub fn of(d: &'static Descriptor, matches: &ArgMatches, may_ask: bool) -> Result<Value> {
    let mut input = Map::new();
    for field in d.input {
        if let Some(value) = value(field, matches, may_ask)? {
            input.insert(field.name.to_owned(), value);
        }
    }
    Ok(Value::Object(input))
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

fn secret_from_stdin(field: &Field) -> Result<Value> {
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    let secret = line.trim_end_matches(['\r', '\n']);
    if read.is_err() || secret.is_empty() {
        return Err(Error::invalid_field(
            format!("/{}", field.name),
            "standard input held no first line",
        ));
    }
    Ok(Value::String(secret.to_owned()))
}

fn secret_from_terminal(field: &Field, may_ask: bool) -> Result<Value> {
    if !may_ask || !std::io::stdin().is_terminal() {
        return Err(Error::new(
            Code::InvalidInput,
            "There is no terminal to ask on; use the flag that reads standard input.",
        ));
    }
    eprint!("{}: ", field.doc.trim_end_matches('.'));
    let _ = std::io::stderr().flush();
    let hidden = EchoOff::new();
    let secret = secret_from_stdin(field);
    drop(hidden);
    eprintln!();
    secret
}

/// Turns the terminal's echo off through `stty`, and on again when dropped.
struct EchoOff;

impl EchoOff {
    fn new() -> Self {
        stty("-echo");
        EchoOff
    }
}

impl Drop for EchoOff {
    fn drop(&mut self) {
        stty("echo");
    }
}

fn stty(argument: &str) {
    let _ = std::process::Command::new("stty")
        .arg(argument)
        .stdin(std::process::Stdio::inherit())
        .status();
}
