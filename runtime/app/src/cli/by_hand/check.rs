//! `oaken check`: what is set that cannot be meant. Exit 0 when nothing is wrong, 2 otherwise.

use std::process::ExitCode;

use clap::Command;
use oaken_core::{Answer, Code, Confirmation, Error, Result};
use oaken_gate::{Gate, Input};
use serde_json::{Value, json};

use crate::cli::output::{self, How};
use crate::open;
use crate::paths::Paths;

/// Its clap command.
pub fn command() -> Command {
    Command::new("check")
        .about("Check the settings: unknown workspaces are errors, what is very wide is a warning.")
}

/// Checks and prints one line a finding.
///
/// # Errors
/// When the installation cannot be opened.
pub async fn run(paths: &Paths, how: &How) -> Result<ExitCode> {
    let app = open::open(paths)?;
    let settings = ask(&app.gate, "list_settings").await?;
    let listed = rows(&settings, "settings")
        .find(|r| r["name"] == "mcp.workspaces")
        .and_then(|r| r["value"].as_str().map(str::to_owned))
        .unwrap_or_default();
    let listed: Vec<&str> = listed
        .split(',')
        .map(str::trim)
        .filter(|w| !w.is_empty())
        .collect();
    let workspaces = ask(&app.gate, "list_workspaces").await?;
    let known: Vec<&str> = rows(&workspaces, "workspaces")
        .filter_map(|r| r["name"].as_str())
        .collect();

    let mut findings = vec![];
    if listed.is_empty() {
        findings.push(json!({ "level": "warning", "setting": "mcp.workspaces",
            "message": "is empty: agents reach the mail of every workspace", "next": "oaken settings set mcp workspaces=default" }));
    }
    for (at, _) in listed
        .iter()
        .enumerate()
        .filter(|(_, name)| !known.contains(name))
    {
        findings.push(json!({ "level": "error", "setting": "mcp.workspaces",
            "message": format!("its entry {} is no workspace, so it matches nothing", at + 1), "next": "oaken workspaces list" }));
    }
    let failed = findings.iter().any(|f| f["level"] == "error");
    if how.json {
        output::line(&output::to_inert_json(&json!({ "findings": findings })));
    } else if findings.is_empty() {
        output::line("ok");
    } else {
        for f in &findings {
            let word = |k: &str| f[k].as_str().unwrap_or_default();
            output::line(&format!(
                "{}: {} {} (next: {})",
                word("level"),
                word("setting"),
                word("message"),
                word("next")
            ));
        }
    }
    Ok(ExitCode::from(if failed { Code::InvalidInput.exit() } else { 0 }))
}

async fn ask(gate: &Gate, operation: &str) -> Result<Value> {
    match gate
        .call(
            &gate.person_cli()?,
            operation,
            Input::Value(json!({})),
            Confirmation::None,
        )
        .await?
    {
        Answer::Done { output, .. } => Ok(output),
        Answer::Proposed(_) => Err(Error::internal()),
    }
}

fn rows<'a>(output: &'a Value, list: &str) -> impl Iterator<Item = &'a Value> {
    output[list].as_array().into_iter().flatten()
}
