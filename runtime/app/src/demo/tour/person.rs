//! What the person does at the command line: look at the log, undo, and be refused what is reserved.

use std::process::{Command, Stdio};

use oaken_core::{Error, Result};
use serde_json::Value;

use super::Script;
use crate::paths::Paths;

/// Plays the person.
///
/// # Errors
/// When a command cannot be started.
pub fn plays(script: &mut Script, paths: &Paths, entry: &str) -> Result<()> {
    let (exit, log, _) = oaken(paths, &["audit", "list", "--operation", "mark_read"])?;
    let whole = exit == 0 && log["chain"] == "whole" && log["rows"].as_array().is_some_and(|r| r.len() >= 2);
    script.step(
        "person",
        "oaken audit list --operation mark_read: intent and outcome, the chain is whole",
        whole,
        &format!("{} rows", log["total"]),
    );

    let (exit, _, error) = oaken(paths, &["undo", entry])?;
    let fits = exit == 3 && error["error"]["code"] == "confirm_required" && error["error"]["count"] == 3;
    script.step(
        "person",
        "oaken undo ENTRY: shows three changes and, with nobody to ask, changes nothing",
        fits,
        &format!("exit {exit}"),
    );

    let (exit, undone, _) = oaken(paths, &["undo", entry, "--yes"])?;
    let fits = exit == 0 && undone["marked"].as_array().is_some_and(|m| m.len() == 3);
    script.step(
        "person",
        "oaken undo ENTRY --yes: the three are unread again",
        fits,
        &format!("exit {exit}"),
    );

    let (exit, _, error) = oaken(paths, &["call", "send_message", "--yes", "--input", SEND])?;
    let fits = exit == 5 && error["error"]["code"] == "refused";
    script.step(
        "person",
        "oaken call send_message: composed, and refused; sending is reserved",
        fits,
        &format!("exit {exit}"),
    );

    let (exit, _, error) = oaken(paths, &["messages", "raw", "m_0000000000"])?;
    let fits = exit == 7 && error["error"]["code"] == "not_found";
    script.step(
        "person",
        "oaken messages raw of an id that names nothing",
        fits,
        &format!("exit {exit}"),
    );
    Ok(())
}

const SEND: &str =
    r#"{"to":["dana@harbour.example"],"subject":"By Friday","text":"It will be there by Friday."}"#;

/// Runs a command of this program: its exit code, the JSON it printed, the JSON error it printed.
fn oaken(paths: &Paths, arguments: &[&str]) -> Result<(i32, Value, Value)> {
    let program = std::env::current_exe().map_err(|_| Error::internal())?;
    let output = Command::new(program)
        .args(paths.flags())
        .arg("--json")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|_| Error::internal())?;
    let json = |bytes: &[u8]| serde_json::from_slice(bytes).unwrap_or(Value::Null);
    Ok((
        output.status.code().unwrap_or(-1),
        json(&output.stdout),
        json(&output.stderr),
    ))
}
