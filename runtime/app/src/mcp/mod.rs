//! The MCP door: a hand-written handler on the descriptor table, over stdio and Streamable HTTP.
//!
//! Absent on purpose: prompts, resources, sampling, elicitation. What a client answers by itself proves nothing.

mod fence;
mod frame;
mod handler;
mod http;
pub mod install;
mod lines;
pub mod stdio;
mod tools;

use clap::Command;

pub use http::over_http;

/// The clap command: `mcp` serves on stdio, `mcp install` prints client entries.
pub fn command() -> Command {
    stdio::command().subcommand(install::command())
}
