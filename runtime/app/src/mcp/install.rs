//! `oaken mcp install --print`: the entry that each client takes. None pre-approves a tool.

use clap::{Arg, ArgAction, ArgMatches, Command};
use oaken_core::{Code, Error, Result};
use serde_json::json;

use super::stdio::{TOKEN_VARIABLE, token};
use crate::cli::line;
use crate::paths::Paths;

/// A client and the form of its entry.
struct Client {
    name: &'static str,
    title: &'static str,
    place: &'static str,
    entry: fn(&Server) -> String,
}

/// How a client starts this Oaken.
pub struct Server {
    command: String,
    arguments: Vec<String>,
    token: String,
}

impl Server {
    /// This program as a shell takes it.
    pub fn program(&self) -> String {
        shell_word(&self.command)
    }

    /// This program on these directories, as a shell takes it.
    pub fn words(&self) -> String {
        let flags = self.arguments.iter().take_while(|a| *a != "mcp");
        std::iter::once(&self.command)
            .chain(flags)
            .map(|w| shell_word(w))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

const CLIENTS: &[Client] = &[
    Client {
        name: "claude-code",
        title: "Claude Code",
        place: "run; other projects use it too",
        entry: claude_code,
    },
    Client {
        name: "claude-desktop",
        title: "Claude Desktop",
        place: "claude_desktop_config.json: Settings, Developer, Edit Config",
        entry: mcp_servers,
    },
    Client {
        name: "codex",
        title: "Codex",
        place: "~/.codex/config.toml",
        entry: codex,
    },
    Client {
        name: "cursor",
        title: "Cursor",
        place: "~/.cursor/mcp.json",
        entry: mcp_servers,
    },
    Client {
        name: "vscode",
        title: "VS Code",
        place: "your mcp.json, not a project's: MCP: Open User Configuration",
        entry: vscode,
    },
    Client {
        name: "gemini",
        title: "Gemini CLI",
        place: "~/.gemini/settings.json",
        entry: mcp_servers,
    },
];

/// Its clap command.
pub fn command() -> Command {
    Command::new("install")
        .about("Print the entry that an MCP client takes for this Oaken.")
        .after_help("The token is taken from OAKEN_AGENT_TOKEN or --token-file where one is given; else the entry has a place for it.")
        .arg(Arg::new("client").long("client").value_name("CLIENT").value_parser(CLIENTS.iter().map(|c| c.name).collect::<Vec<_>>()).help("Only this client"))
        .arg(Arg::new("print").long("print").action(ArgAction::SetTrue).required(true).help("Print the entry; Oaken writes into no client's files"))
        .arg(Arg::new("token-file").long("token-file").value_name("FILE").value_parser(clap::value_parser!(std::path::PathBuf)).help("A file whose first line is the agent's token"))
}

/// Prints the entries.
///
/// # Errors
/// When this program's own path cannot be told.
pub fn run(matches: &ArgMatches, paths: &Paths) -> Result<()> {
    let given = token(matches).map(|t| t.reveal().to_owned());
    let server = server(
        paths,
        given.unwrap_or_else(|_| "THE-TOKEN-THAT-oaken-agents-add-PRINTED".into()),
    )?;
    let only = matches.get_one::<String>("client").map(String::as_str);
    for client in CLIENTS.iter().filter(|c| only.is_none_or(|name| name == c.name)) {
        if only.is_none() {
            line(&format!("# {} ({})", client.title, client.place));
        }
        line(&(client.entry)(&server));
    }
    Ok(())
}

/// How clients start this program on these directories.
///
/// # Errors
/// When this program's own path cannot be told.
pub fn server(paths: &Paths, token: String) -> Result<Server> {
    let command = std::env::current_exe()
        .ok()
        .and_then(|p| p.to_str().map(str::to_owned))
        .ok_or_else(|| {
            Error::new(
                Code::Internal,
                "The path of this program is not known or not UTF-8.",
            )
        })?;
    let absolute = Paths {
        data: std::path::absolute(&paths.data).unwrap_or_else(|_| paths.data.clone()),
        keys: std::path::absolute(&paths.keys).unwrap_or_else(|_| paths.keys.clone()),
    };
    let mut arguments = vec![];
    for flag in absolute.flags() {
        arguments.push(
            flag.into_string()
                .map_err(|_| Error::invalid_field("/data", "is not UTF-8"))?,
        );
    }
    arguments.push("mcp".into());
    Ok(Server {
        command,
        arguments,
        token,
    })
}

/// The one line for Claude Code, which the demo's guide shows.
pub fn claude_code(server: &Server) -> String {
    let words: Vec<String> = std::iter::once(&server.command)
        .chain(&server.arguments)
        .map(|w| shell_word(w))
        .collect();
    format!(
        "claude mcp add --scope user oaken --env {TOKEN_VARIABLE}={} -- {}",
        server.token,
        words.join(" ")
    )
}

/// The `mcpServers` entry of Claude Desktop, Cursor and Gemini CLI.
fn mcp_servers(server: &Server) -> String {
    pretty(&json!({ "mcpServers": { "oaken": stdio_entry(server) } }))
}

fn vscode(server: &Server) -> String {
    let mut entry = stdio_entry(server);
    entry["type"] = json!("stdio");
    pretty(&json!({ "servers": { "oaken": entry } }))
}

fn codex(server: &Server) -> String {
    let quoted = |s: &str| json!(s).to_string();
    let arguments: Vec<String> = server.arguments.iter().map(|a| quoted(a)).collect();
    format!(
        "[mcp_servers.oaken]\ncommand = {}\nargs = [{}]\nenv = {{ {TOKEN_VARIABLE} = {} }}",
        quoted(&server.command),
        arguments.join(", "),
        quoted(&server.token)
    )
}

fn stdio_entry(server: &Server) -> serde_json::Value {
    json!({ "command": server.command, "args": server.arguments, "env": { TOKEN_VARIABLE: server.token } })
}

fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_entry_pre_approves_a_tool_and_each_names_token_and_program() {
        let server = Server {
            command: "/opt/oak en/oaken".into(),
            arguments: vec!["mcp".into()],
            token: "t0ken".into(),
        };
        for client in CLIENTS {
            let entry = (client.entry)(&server);
            for word in [
                "autoApprove",
                "alwaysAllow",
                "trust",
                "allowedTools",
                "auto_approve",
                "includeTools",
            ] {
                assert!(!entry.contains(word), "{}: {word}", client.name);
            }
            assert!(
                entry.contains("t0ken") && entry.contains("/opt/oak en/oaken"),
                "{}",
                client.name
            );
        }
    }
}
