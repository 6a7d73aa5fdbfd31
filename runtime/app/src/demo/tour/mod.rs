//! `oaken demo --tour`: an agent and a person at the real doors, each step printed and checked.
//!
//! The agent speaks MCP to a real `oaken mcp` process on standard input and output; the person runs real commands.
//! No step is simulated: the tour ends with a failure if any answer differs from what Oaken promises.

mod agent;
mod client;
mod person;

use std::process::ExitCode;

use oaken_core::{Error, Result};

use super::install;
use crate::cli::line;
use crate::paths::Paths;

/// The script, and how many of its steps went otherwise.
pub struct Script {
    step: usize,
    failed: usize,
}

impl Script {
    /// Prints a step; one that went otherwise is marked and counted.
    pub fn step(&mut self, who: &str, what: &str, went_as_promised: bool, saw: &str) {
        self.step += 1;
        let mark = if went_as_promised { "ok  " } else { "FAIL" };
        line(&format!(
            "{mark} {:>2}. {who}: {what}\n          {}",
            self.step,
            oaken_core::Text::new(saw)
        ));
        if !went_as_promised {
            self.failed += 1;
        }
    }
}

/// Plays the tour in a directory of its own, which is removed at the end.
///
/// # Errors
/// When the demo cannot be made or a process of it cannot be started.
pub async fn run() -> Result<ExitCode> {
    let root = std::env::temp_dir().join(format!("oaken-tour-{}", std::process::id()));
    let paths = Paths {
        data: root.join("data"),
        keys: root.join("data.keys"),
    };
    let demo = install::fresh(&paths).await?;
    line(&format!(
        "A made-up mailbox of {} messages in three accounts; the agent's workspace holds two of them.\n",
        demo.messages
    ));
    let token = demo.agent_token.clone();
    let played = tokio::task::spawn_blocking({
        let paths = paths.clone();
        move || play(&paths, &token)
    })
    .await
    .unwrap_or_else(|_| Err(Error::internal()));
    drop(demo);
    let _ = std::fs::remove_dir_all(&root);
    let script = played?;
    line(&format!(
        "\n{} passed, {} failed",
        script.step - script.failed,
        script.failed
    ));
    Ok(if script.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn play(paths: &Paths, token: &str) -> Result<Script> {
    let mut script = Script { step: 0, failed: 0 };
    let mut agent = client::Client::start(paths, token)?;
    let (entry, unread) = agent::plays(&mut script, &mut agent)?;
    person::plays(&mut script, paths, &entry)?;
    agent::sees_that_it_was_undone(&mut script, &mut agent, &unread)?;
    agent.stop();
    Ok(script)
}
