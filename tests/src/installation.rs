//! One installation of Oaken in a temporary directory, and the command line on it. Everything it prints is kept, so
//! that a test can look for what must never be printed.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use serde_json::Value;
use tempfile::TempDir;

use crate::program;

/// The environment variable that brings an agent's token to `oaken mcp`.
pub const TOKEN_VARIABLE: &str = "OAKEN_AGENT_TOKEN";

/// An installation.
pub struct Installation {
    home: TempDir,
    /// Its data directory; its keys lie beside it, in `data.keys`.
    pub data: PathBuf,
    program: PathBuf,
    printed: Mutex<Vec<u8>>,
}

/// What a command did.
#[derive(Debug)]
pub struct Outcome {
    /// Its exit code; -1 when a signal ended it.
    pub exit: i32,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
}

impl Installation {
    /// An empty one, of the `oaken` under test.
    ///
    /// # Panics
    /// When there is no temporary directory.
    #[must_use]
    pub fn new() -> Self {
        Self::of(program::oaken())
    }

    /// An empty one, of this program.
    ///
    /// # Panics
    /// When there is no temporary directory.
    #[must_use]
    pub fn of(program: &Path) -> Self {
        let home = tempfile::Builder::new()
            .prefix("oakhome")
            .tempdir()
            .expect("a temporary directory");
        let data = home.path().join("data");
        Installation {
            home,
            data,
            program: program.to_owned(),
            printed: Mutex::default(),
        }
    }

    /// A folder of this test's own.
    #[must_use]
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// `oaken` on this installation, in an environment that holds nothing of whoever runs the tests.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .env_clear()
            .env("HOME", self.home.path())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
            .env("OAKEN_LOG", "trace")
            .arg("--data")
            .arg(&self.data)
            .stdin(Stdio::null());
        command
    }

    /// Runs a command with `--json`.
    ///
    /// # Panics
    /// When the program cannot be started.
    pub fn oaken(&self, arguments: &[&str]) -> Outcome {
        self.oaken_given(arguments, "")
    }

    /// Runs a command with `--json`, with this on its standard input.
    ///
    /// # Panics
    /// When the program cannot be started.
    pub fn oaken_given(&self, arguments: &[&str], input: &str) -> Outcome {
        let mut command = self.command();
        command.arg("--json").args(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("oaken can be started");
        let mut stdin = child.stdin.take().expect("a pipe");
        // A command that does not read its input may be gone already.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("oaken ends");
        self.keep(&output.stdout);
        self.keep(&output.stderr);
        Outcome {
            exit: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Calls an operation by its name at the command line, with a person's yes.
    ///
    /// # Panics
    /// When it does not end well.
    #[track_caller]
    pub fn call(&self, operation: &str, input: &Value) -> Value {
        self.oaken(&["call", operation, "--yes", "--input", &input.to_string()])
            .done()
    }

    /// Keeps what was printed or answered, for [`Installation::printed`].
    ///
    /// # Panics
    /// When another thread of the test panicked meanwhile.
    pub fn keep(&self, bytes: &[u8]) {
        let mut printed = self.printed.lock().expect("no other thread failed");
        printed.extend_from_slice(bytes);
        printed.push(b'\n');
    }

    /// Everything that was kept.
    ///
    /// # Panics
    /// When another thread of the test panicked meanwhile.
    #[must_use]
    pub fn printed(&self) -> Vec<u8> {
        self.printed.lock().expect("no other thread failed").clone()
    }

    /// Adds an agent; answers its token. What this command prints is not kept: it prints the token, once.
    ///
    /// # Panics
    /// When it does not end well.
    #[track_caller]
    pub fn add_agent(&self, name: &str) -> String {
        self.issued(&["agents", "add", name, "--yes"])
    }

    /// Creates a personal token of a class; answers it. What this command prints is not kept.
    ///
    /// # Panics
    /// When it does not end well.
    #[track_caller]
    pub fn create_token(&self, name: &str, class: &str) -> String {
        self.issued(&["tokens", "create", name, "--class", class, "--yes"])
    }

    #[track_caller]
    fn issued(&self, arguments: &[&str]) -> String {
        let output = self
            .command()
            .arg("--json")
            .args(arguments)
            .output()
            .expect("oaken can be started");
        let shown = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {shown}");
        self.keep(&output.stderr);
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        answer["token"].as_str().expect("a token").to_owned()
    }
}

impl Default for Installation {
    fn default() -> Self {
        Self::new()
    }
}

impl Outcome {
    /// The JSON it answered; it has to have ended well.
    ///
    /// # Panics
    /// When it did not.
    #[track_caller]
    pub fn done(&self) -> Value {
        assert_eq!(self.exit, 0, "exit {}: {}", self.exit, self.stderr);
        serde_json::from_str(&self.stdout).unwrap_or_else(|_| panic!("no JSON: {}", self.stdout))
    }

    /// The error it ended with: the last line of standard error, a JSON object.
    ///
    /// # Panics
    /// When it ended well, or its last line is none.
    #[track_caller]
    pub fn error(&self) -> Value {
        assert_ne!(self.exit, 0, "it ended well: {}", self.stdout);
        let last = self.stderr.lines().last().unwrap_or_default();
        let line: Value =
            serde_json::from_str(last).unwrap_or_else(|_| panic!("no JSON error: {}", self.stderr));
        line["error"].clone()
    }
}
