//! What is said of a command line that cannot be read, and the help that was asked for.
//!
//! clap's own sentence goes to people. With `--json` it is one line like every other error, without a word of what
//! was typed.

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use oaken_core::{Code, Error, Fault};
use serde_json::json;

use super::output::to_inert_json;
use super::tree::FIRST;

/// Prints it and answers the exit code.
pub fn said(e: &clap::Error) -> ExitCode {
    // `oaken` alone is a question, not a mistake.
    if std::env::args_os().len() == 1 {
        let about = super::tree::command().get_about().cloned().unwrap_or_default();
        super::line(&format!(
            "{about}\n\n{FIRST}\nEvery command:           oaken --help"
        ));
        return ExitCode::SUCCESS;
    }
    if !e.use_stderr() {
        let _ = e.print();
        return ExitCode::SUCCESS;
    }
    let json = std::env::args_os()
        .skip(1)
        .take_while(|a| a != "--")
        .any(|a| a == "--json");
    if json {
        eprintln!("{}", to_inert_json(&json!({ "error": as_error(e) })));
    } else {
        let _ = e.print();
    }
    ExitCode::from(Code::InvalidInput.exit())
}

fn as_error(e: &clap::Error) -> Error {
    let message = match e.kind() {
        ErrorKind::MissingRequiredArgument => "is missing",
        ErrorKind::ArgumentConflict => "cannot stand with another that was given, or twice",
        ErrorKind::UnknownArgument => "an argument is not one that this command takes",
        ErrorKind::InvalidSubcommand => "is no command",
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "lacks a verb",
        _ => "has no value that it can take",
    };
    let faults: Vec<Fault> = declared(e)
        .into_iter()
        .map(|argument| Fault::new(argument, message))
        .collect();
    let e = if faults.is_empty() {
        Error::invalid_field("*", message)
    } else {
        Error::invalid(faults)
    };
    e.next("the same command with --help")
}

/// The arguments that the error is about, as they are declared; never a word that was typed.
fn declared(e: &clap::Error) -> Vec<String> {
    if matches!(
        e.kind(),
        ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand
    ) {
        return vec![];
    }
    match e.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(one)) => vec![one.clone()],
        Some(ContextValue::Strings(many)) => many.clone(),
        _ => vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::tree;

    #[track_caller]
    fn check(words: &[&str], fields: &[&str]) {
        let e = tree::command().try_get_matches_from(words).unwrap_err();
        let error = as_error(&e);
        assert_eq!(error.code(), Code::InvalidInput);
        let named: Vec<&str> = error.faults().iter().map(|f| f.field.as_str()).collect();
        assert_eq!(named, fields);
    }

    #[test]
    fn a_bad_command_line_names_what_is_declared_and_nothing_that_was_typed() {
        check(&["oaken", "accounts", "test"], &["<a_…>"]);
        check(
            &["oaken", "accounts", "add"],
            &["--name <NAME>", "--address <ADDRESS>"],
        );
        check(&["oaken", "accounts", "add", "--password=hunter2"], &["*"]);
        check(&["oaken", "hunter2"], &["*"]);
        check(&["oaken", "accounts"], &["*"]);
        check(
            &["oaken", "daemon", "--listen", "hunter2"],
            &["--listen <ADDRESS:PORT>"],
        );
    }
}
