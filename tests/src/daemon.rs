//! A running daemon on an installation, or a running demo. Ended when dropped.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::http::Http;
use crate::installation::Installation;

/// A daemon.
pub struct Daemon {
    child: Child,
    /// Where it listens, as `127.0.0.1:PORT`.
    pub address: String,
    log: Arc<Mutex<Vec<u8>>>,
}

impl Daemon {
    /// Starts `oaken daemon` on a free port.
    ///
    /// # Panics
    /// When it does not say within a minute where it listens.
    #[must_use]
    pub fn start(on: &Installation) -> Self {
        Self::spawn(on, &["daemon", "--listen", "127.0.0.1:0"])
    }

    /// Starts `oaken demo` on a free port: the installation becomes the demo's.
    ///
    /// # Panics
    /// When it does not say within a minute where it listens.
    #[must_use]
    pub fn demo(on: &Installation) -> Self {
        Self::spawn(on, &["demo", "--listen", "127.0.0.1:0"])
    }

    fn spawn(on: &Installation, arguments: &[&str]) -> Self {
        let mut command = on.command();
        command
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("oaken can be started");
        let log = Arc::new(Mutex::new(vec![]));
        let (found, address) = mpsc::channel();
        follow(child.stdout.take().expect("a pipe"), log.clone(), found.clone());
        follow(child.stderr.take().expect("a pipe"), log.clone(), found);
        let Ok(address) = address.recv_timeout(Duration::from_secs(60)) else {
            let _ = child.kill();
            let _ = child.wait();
            panic!("oaken {arguments:?} does not listen: {}", shown(&log));
        };
        Daemon { child, address, log }
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// A connection with a token.
    #[must_use]
    pub fn http(&self, token: &str) -> Http {
        Http::connect(&self.address, token)
    }

    /// Everything it wrote, to standard output and to standard error.
    #[must_use]
    pub fn log(&self) -> Vec<u8> {
        self.log.lock().map(|l| l.clone()).unwrap_or_default()
    }

    /// Tells it to stop and waits; answers its exit code.
    ///
    /// # Panics
    /// When it does not end.
    pub fn stop(mut self) -> i32 {
        let _ = std::process::Command::new("kill")
            .args(["-TERM", &self.child.id().to_string()])
            .status();
        self.child.wait().expect("the daemon ends").code().unwrap_or(-1)
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Keeps what a pipe brings, and tells the first address in it.
fn follow(pipe: impl Read + Send + 'static, log: Arc<Mutex<Vec<u8>>>, found: mpsc::Sender<String>) {
    std::thread::spawn(move || {
        let mut lines = BufReader::new(pipe);
        let mut line = vec![];
        while lines.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
            let text = String::from_utf8_lossy(&line);
            if let Some((_, rest)) = text.split_once("http://127.0.0.1:") {
                let port: String = rest.chars().take_while(char::is_ascii_digit).collect();
                let _ = found.send(format!("127.0.0.1:{port}"));
            }
            if let Ok(mut log) = log.lock() {
                log.extend_from_slice(&line);
            }
            line.clear();
        }
    });
}

fn shown(log: &Mutex<Vec<u8>>) -> String {
    log.lock()
        .map(|l| String::from_utf8_lossy(&l).into_owned())
        .unwrap_or_default()
}
