//! The commands that are not operations. Where they write, they write through the gate.

mod call;
mod check;
mod papers;
mod settings;

use std::process::ExitCode;

use clap::{ArgMatches, Command};
use oaken_core::{Error, Result};

use super::output::How;
use super::run::paths;

/// Their clap commands.
pub fn commands() -> Vec<Command> {
    let mut all = vec![
        call::command(),
        check::command(),
        crate::daemon::command(),
        crate::demo::command(),
        crate::mcp::command(),
    ];
    all.extend(papers::commands());
    all
}

/// Adds the verbs that stand beside operations under one noun.
pub fn extend(noun: &str, command: Command) -> Command {
    match noun {
        "settings" => command.subcommand(settings::set_command()),
        _ => command,
    }
}

/// Runs one of them.
///
/// # Errors
/// What it ended with.
pub async fn run(path: &[&str], matches: &ArgMatches, how: &How) -> Result<ExitCode> {
    match path {
        ["call"] => call::run(matches, how).await?,
        ["check"] => return check::run(&paths(matches)?, how).await,
        ["settings", "set"] => settings::set(matches, how).await?,
        ["completions"] | ["man"] | ["openapi"] => papers::run(path[0], matches)?,
        ["daemon"] => crate::daemon::run(matches, &paths(matches)?).await?,
        ["demo"] => return crate::demo::run(matches).await,
        ["mcp"] => crate::mcp::stdio::run(matches, &paths(matches)?).await?,
        ["mcp", "install"] => crate::mcp::install::run(matches, &paths(matches)?)?,
        _ => return Err(Error::internal()),
    }
    Ok(ExitCode::SUCCESS)
}
