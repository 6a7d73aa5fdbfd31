//! The daemon: serves HTTP and MCP, and keeps the accounts synced until it is told to stop.

mod progress;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command, value_parser};
use oaken_core::Result;
use oaken_mail::Services;
use tokio::sync::watch;

use crate::http::{self, Listening};
use crate::open::{self, App};
use crate::paths::Paths;

/// How often each account is looked at.
const SYNC_EVERY: Duration = Duration::from_secs(60);

/// How long what is under way may take to end.
const GRACE: Duration = Duration::from_secs(5);

/// Its clap command.
pub fn command() -> Command {
    Command::new("daemon")
        .about("Serve the HTTP API and MCP, and keep the accounts synced.")
        .arg(
            Arg::new("listen")
                .long("listen")
                .value_name("ADDRESS:PORT")
                .default_value("127.0.0.1:7624")
                .value_parser(value_parser!(SocketAddr))
                .help("Where to listen; loopback only"),
        )
}

/// Runs until SIGTERM or Ctrl-C.
///
/// # Errors
/// When the installation cannot be opened or the port is taken.
pub async fn run(matches: &ArgMatches, paths: &Paths) -> Result<()> {
    log_to_stderr();
    let app = open::open(paths)?;
    let address = matches
        .get_one::<SocketAddr>("listen")
        .copied()
        .unwrap_or(([127, 0, 0, 1], 7624).into());
    let listening = Listening::on(address).await?;
    eprintln!(
        "Oaken serves http://{} (API under /api/v1, MCP under /mcp)",
        listening.address
    );
    serve(&app, listening).await
}

/// Serves and syncs until told to stop; then lets what is under way end, for at most five seconds.
///
/// # Errors
/// When the server fails.
pub async fn serve(app: &App, listening: Listening) -> Result<()> {
    let (stop, stopped) = watch::channel(false);
    let syncing = tokio::spawn(keep_synced(app.services.clone(), stopped.clone()));
    let on_signal = stop.clone();
    tokio::spawn(async move {
        told_to_stop().await;
        let _ = on_signal.send(true);
    });
    let at_most = async {
        wait(stopped.clone()).await;
        tokio::time::sleep(GRACE).await;
    };
    let served = tokio::select! {
        served = http::serve(app, listening, wait(stopped.clone())) => served,
        () = at_most => Ok(()),
    };
    let _ = stop.send(true);
    let _ = tokio::time::timeout(GRACE, syncing).await;
    served
}

/// Keeps the accounts synced for a process that serves one agent while no daemon runs; of several processes one syncs.
/// Ends when told, with `stop`, and by then has given back what it held.
pub struct Syncing {
    stop: watch::Sender<bool>,
    task: tokio::task::JoinHandle<()>,
}

impl Syncing {
    /// Begins.
    pub fn begin(services: Arc<Services>) -> Self {
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(keep_synced(services, stopped));
        Syncing { stop, task }
    }

    /// Stops after the batch that is under way, and waits for it five seconds at most: what is not given back then is
    /// free for others once this process is gone.
    pub async fn end(self) {
        let _ = self.stop.send(true);
        let _ = tokio::time::timeout(GRACE, self.task).await;
    }
}

async fn keep_synced(services: Arc<Services>, stopped: watch::Receiver<bool>) {
    progress::log(&services);
    loop {
        let all = oaken_mail::sync::all(&services);
        tokio::pin!(all);
        tokio::select! {
            () = wait(stopped.clone()) => {
                services.stop_syncing();
                all.await;
                return;
            }
            () = &mut all => {}
        }
        tokio::select! {
            () = wait(stopped.clone()) => return,
            () = tokio::time::sleep(SYNC_EVERY) => {}
        }
    }
}

async fn wait(mut stopped: watch::Receiver<bool>) {
    let _ = stopped.wait_for(|s| *s).await;
}

/// Resolves at SIGTERM or Ctrl-C.
pub async fn told_to_stop() {
    let Ok(mut term) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) else {
        let _ = tokio::signal::ctrl_c().await;
        return;
    };
    tokio::select! {
        _ = term.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}

/// Logs to standard error: events of Oaken's own crates, never another crate's, which could quote what it handles.
pub fn log_to_stderr() {
    use tracing_subscriber::{EnvFilter, fmt};
    let ours = |level: &str| {
        [
            "app",
            "gate",
            "store",
            "mail",
            "wire_imap",
            "read_state",
            "send",
            "retrieval",
            "operations",
        ]
        .iter()
        .map(|name| format!("oaken_{name}={level}"))
        .chain([format!("oaken={level}")])
        .collect::<Vec<_>>()
        .join(",")
    };
    let level = match std::env::var("OAKEN_LOG").as_deref() {
        Ok(level @ ("error" | "warn" | "info" | "debug" | "trace")) => ours(level),
        _ => ours("info"),
    };
    let _ = fmt()
        .with_env_filter(EnvFilter::new(level))
        .with_writer(std::io::stderr)
        .try_init();
}
