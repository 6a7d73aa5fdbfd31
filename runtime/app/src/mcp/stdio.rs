//! MCP on standard input and output, for a client that starts Oaken itself. Standard output carries frames only.

use std::sync::Arc;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command, value_parser};
use oaken_core::{Code, Door, Error, Result, Secret};
use rmcp::ServiceExt;

use super::handler::Oaken;
use super::lines;
use crate::daemon::log_to_stderr;
use crate::open;
use crate::paths::Paths;

/// Where a client's entry puts the agent's token.
pub const TOKEN_VARIABLE: &str = "OAKEN_AGENT_TOKEN";

/// How long a client may take to read the last answers.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Its clap command.
pub fn command() -> Command {
    Command::new("mcp")
        .about("Serve MCP on standard input and output, for one agent.")
        .after_help("The agent's token is read from OAKEN_AGENT_TOKEN or from --token-file; without it nothing is served.")
        .arg(
            Arg::new("token-file")
                .long("token-file")
                .value_name("FILE")
                .value_parser(value_parser!(std::path::PathBuf))
                .help("A file whose first line is the agent's token"),
        )
}

/// Serves until standard input ends.
///
/// # Errors
/// `unauthenticated` where no valid token of an agent is given.
pub async fn run(matches: &ArgMatches, paths: &Paths) -> Result<()> {
    log_to_stderr();
    let token = token(matches)?;
    let app = open::open(paths)?;
    if !app.gate.authenticate(token.reveal(), Door::Mcp)?.is_agent() {
        return Err(unauthenticated());
    }
    let syncing = crate::daemon::Syncing::begin(app.services.clone());
    let handler = Oaken {
        gate: app.gate.clone(),
        stdio_token: Some(Arc::new(token)),
    };
    let lines = lines::between(tokio::io::stdin(), tokio::io::stdout());
    let ended = match handler.serve((lines.input, lines.output)).await {
        Ok(service) => service.waiting().await.map(|_| ()).map_err(|_| Error::internal()),
        Err(_) => Err(Error::new(Code::InvalidInput, "The client did not open MCP.")),
    };
    let _ = tokio::time::timeout(LAST_WORDS, lines.written).await;
    syncing.end().await;
    ended
}

/// The agent's token: from a file, or from the environment. An environment can only name an agent, never widen it.
///
/// # Errors
/// `unauthenticated` where neither holds one.
pub fn token(matches: &ArgMatches) -> Result<Secret> {
    let given = match matches.get_one::<std::path::PathBuf>("token-file") {
        Some(file) => std::fs::read_to_string(file)
            .ok()
            .and_then(|s| s.lines().next().map(str::to_owned)),
        None => std::env::var(TOKEN_VARIABLE).ok(),
    };
    given
        .map(|t| t.trim().to_owned())
        .filter(|t| !t.is_empty())
        .map(Secret::new)
        .ok_or_else(unauthenticated)
}

fn unauthenticated() -> Error {
    Error::new(
        Code::Unauthenticated,
        "MCP on standard input needs an agent's token in OAKEN_AGENT_TOKEN or --token-file.",
    )
    .next("oaken agents add NAME, then oaken mcp install --print")
}
