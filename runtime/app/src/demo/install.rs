//! Makes the demo's installation: Maildirs from the seed, accounts, an agent, and what the agent may propose.

use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use oaken_core::{Answer, Code, Confirmation, Error, Result, clock};
use oaken_gate::{Caller, Gate, Input};
use serde_json::{Value, json};

use super::seed;
use crate::open::{self, App};
use crate::paths::Paths;

/// Stands in a directory that the demo made, and may therefore remove.
const MARK: &str = "made-by-oaken-demo";

/// What the demo's agent may propose besides what is on by default.
const RAISED: [&str; 4] = ["mark_read", "mark_unread", "flag_messages", "undo"];

/// A demo, ready to serve.
pub struct Demo {
    /// The opened installation.
    pub app: App,
    /// The token of its agent, in clear: it opens nothing but made-up mail.
    pub agent_token: String,
    /// A personal token that may read.
    pub person_token: String,
    /// Messages in it.
    pub messages: usize,
    /// Held while it runs: another start would take its mailbox away.
    _running: fs::File,
}

/// Whether the demo made this data directory.
pub fn made(data: &Path) -> bool {
    data.join(MARK).is_file()
}

/// Makes the demo anew.
///
/// # Errors
/// When the directory holds something that the demo did not make, or cannot be written.
pub async fn fresh(paths: &Paths) -> Result<Demo> {
    let before = lock(&paths.data)?;
    for directory in [&paths.data, &paths.keys] {
        clear(directory)?;
    }
    drop(before);
    let running = lock(&paths.data)?.ok_or_else(Error::internal)?;
    let mail = paths.data.join("mail");
    let messages = write_maildirs(&mail)?;
    let app = open::open(paths)?;
    let person = app.gate.person_cli()?;
    let call = async |operation: &str, input: Value| ask(&app.gate, &person, operation, input).await;

    let mut workspaces: Vec<&str> = seed::ACCOUNTS
        .iter()
        .map(|a| a.workspace)
        .filter(|w| *w != "default")
        .collect();
    workspaces.dedup();
    for name in workspaces {
        call("create_workspace", json!({ "name": name })).await?;
    }
    for account in seed::ACCOUNTS {
        let added = call(
            "add_account",
            json!({ "name": account.key, "address": account.address, "kind": "maildir",
                    "workspace": account.workspace, "path": mail.join(account.key) }),
        )
        .await?;
        call("sync_account", json!({ "account_id": added["account_id"] })).await?;
    }
    for operation in RAISED {
        call(
            "set_operation_exposure",
            json!({ "operation": operation, "exposure": "on" }),
        )
        .await?;
    }
    let agent_token = secret(&call("add_agent", json!({ "name": "demo-agent" })).await?)?;
    let person_token = secret(
        &call(
            "create_token",
            json!({ "name": "demo", "class": "read", "days": 1 }),
        )
        .await?,
    )?;
    Ok(Demo {
        app,
        agent_token,
        person_token,
        messages,
        _running: running,
    })
}

/// Calls an operation as a person who says yes.
///
/// # Errors
/// What the gate answers.
pub async fn ask(gate: &Gate, person: &Caller, operation: &str, input: Value) -> Result<Value> {
    match gate
        .call(person, operation, Input::Value(input), Confirmation::Yes)
        .await?
    {
        Answer::Done { output, .. } => Ok(output),
        Answer::Proposed(_) => Err(Error::internal()),
    }
}

fn secret(output: &Value) -> Result<String> {
    output["token"]
        .as_str()
        .map(str::to_owned)
        .ok_or_else(Error::internal)
}

/// Takes the mark of a demo's directory; none where there is no mark yet.
fn lock(directory: &Path) -> Result<Option<fs::File>> {
    let Ok(mark) = fs::File::open(directory.join(MARK)) else {
        return Ok(None);
    };
    match mark.try_lock() {
        Err(fs::TryLockError::WouldBlock) => Err(Error::new(
            Code::Busy,
            "A demo runs in this directory already; use or stop that one, or name another with --data.",
        )),
        // A file system without locks: nobody can be told apart, and nobody is stopped.
        Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(Some(mark)),
    }
}

fn clear(directory: &Path) -> Result<()> {
    let unusable = || {
        Error::new(
            Code::Refused,
            "The demo's directory cannot be made; name another with --data.",
        )
    };
    if directory.exists() {
        let empty = fs::read_dir(directory).map_err(|_| unusable())?.next().is_none();
        if !empty && !directory.join(MARK).is_file() {
            return Err(Error::new(
                Code::Refused,
                "The demo was given a directory that it did not make; name another with --data.",
            ));
        }
        fs::remove_dir_all(directory).map_err(|_| unusable())?;
    }
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .map_err(|_| unusable())?;
    fs::write(
        directory.join(MARK),
        "Oaken's demo made this directory and makes it anew at each start.\n",
    )
    .map_err(|_| unusable())
}

/// Writes the seed as Maildirs, INBOX at the root and other folders as `.Name` (Maildir++). Answers how many messages.
fn write_maildirs(mail: &Path) -> Result<usize> {
    let failed = |_| {
        Error::new(
            Code::Refused,
            "The demo's mail cannot be written; is the disk full?",
        )
    };
    for account in seed::ACCOUNTS {
        for folder in account.folders {
            make(&place(mail, account.key, folder)).map_err(failed)?;
        }
    }
    let messages = seed::messages(clock::wall());
    for (n, message) in messages.iter().enumerate() {
        let folder = place(mail, message.account, message.folder);
        make(&folder).map_err(failed)?;
        let name = format!("{}.{n}.demo:2,{}", message.delivered, message.flags);
        let file = folder.join("cur").join(name);
        fs::write(&file, &message.bytes).map_err(failed)?;
        let delivered =
            std::time::UNIX_EPOCH + std::time::Duration::from_secs(message.delivered.unsigned_abs());
        fs::File::options()
            .write(true)
            .open(&file)
            .and_then(|f| f.set_modified(delivered))
            .map_err(failed)?;
    }
    Ok(messages.len())
}

/// Where a folder lies: INBOX is the root of its Maildir, others are `.Name` below it.
fn place(mail: &Path, account: &str, folder: &str) -> PathBuf {
    let root = mail.join(account);
    if folder == "INBOX" {
        root
    } else {
        root.join(format!(".{folder}"))
    }
}

fn make(maildir: &Path) -> std::io::Result<()> {
    ["cur", "new", "tmp"]
        .iter()
        .try_for_each(|sub| fs::create_dir_all(maildir.join(sub)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_second_start_leaves_a_running_demo_alone() {
        let root = std::env::temp_dir().join(format!("oaken-demo-twice-{}", std::process::id()));
        let paths = Paths {
            data: root.join("data"),
            keys: root.join("data.keys"),
        };
        let first = fresh(&paths).await.unwrap();
        assert_eq!(fresh(&paths).await.err().map(|e| e.code()), Some(Code::Busy));
        let workspace = json!({ "name": "still here" });
        let person = first.app.gate.person_cli().unwrap();
        assert!(
            ask(&first.app.gate, &person, "create_workspace", workspace)
                .await
                .is_ok()
        );
        drop(first);
        assert!(fresh(&paths).await.is_ok());
        fs::remove_dir_all(root).unwrap();
    }
}
