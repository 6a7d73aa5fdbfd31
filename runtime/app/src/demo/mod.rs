//! `oaken demo`: the main job on made-up mail, with no account, no network and nothing of the person's own.
//!
//! The mailbox is written as three Maildirs, added and synced through the same operations as anybody's, into a data
//! directory of its own that is made anew at each start, so that its dates never age.

mod guide;
mod install;
mod seed;
mod tour;

use std::net::SocketAddr;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use oaken_core::{Code, Result};

pub use install::made;

use crate::cli::line;
use crate::daemon;
use crate::http::Listening;
use crate::paths::Paths;

/// The demo's own port.
const PORT: u16 = 7625;

/// Its clap command.
pub fn command() -> Command {
    Command::new("demo")
        .about("Try Oaken on a made-up mailbox: no account, no network.")
        .arg(
            Arg::new("listen")
                .long("listen")
                .value_name("ADDRESS:PORT")
                .value_parser(value_parser!(SocketAddr))
                .help("Where to listen; 127.0.0.1:7625, or a free port where that is taken"),
        )
        .arg(
            Arg::new("tour")
                .long("tour")
                .action(ArgAction::SetTrue)
                .help("Play an agent and a person through the real doors, print each step, and end"),
        )
}

/// Runs the demo, or the tour.
///
/// # Errors
/// When the demo's directory cannot be made or the port given is taken.
pub async fn run(matches: &ArgMatches) -> Result<ExitCode> {
    if matches.get_flag("tour") {
        return tour::run().await;
    }
    daemon::log_to_stderr();
    let data = matches
        .get_one::<std::path::PathBuf>("data")
        .map(std::path::PathBuf::as_path);
    let paths = Paths::of_demo(data)?;
    let demo = install::fresh(&paths).await?;
    let listening = match matches.get_one::<SocketAddr>("listen") {
        Some(address) => Listening::on(*address).await?,
        None => match Listening::on(([127, 0, 0, 1], PORT).into()).await {
            Err(e) if e.code() == Code::Busy => Listening::on(([127, 0, 0, 1], 0).into()).await?,
            other => other?,
        },
    };
    line(&guide::text(&paths, &demo, listening.address)?);
    daemon::serve(&demo.app, listening).await?;
    Ok(ExitCode::SUCCESS)
}
