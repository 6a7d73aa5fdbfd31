//! The command line: one clap table built from descriptors, and a few commands that are not operations.

mod by_hand;
mod columns;
mod confirm;
mod document;
mod input;
mod output;
mod progress;
mod run;
mod table;
mod tree;
mod usage;
mod words;

use std::process::ExitCode;

use oaken_core::{Code, Error};

pub use output::line;

/// Reads the command line, runs it and says how it ended.
pub fn run() -> ExitCode {
    let matches = match tree::command().try_get_matches() {
        Ok(matches) => matches,
        Err(e) => return usage::said(&e),
    };
    let how = output::How::of(&matches);
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(_) => return fail(&how, &matches, &Error::internal()),
    };
    let ended = runtime.block_on(async {
        tokio::select! {
            ended = run::dispatch(&matches, &how) => ended,
            () = interrupted(&matches) => {
                input::echo_again();
                Err(Error::new(Code::Interrupted, "Interrupted."))
            }
        }
    });
    runtime.shutdown_background();
    match ended {
        Ok(code) => code,
        Err(e) => fail(&how, &matches, &e),
    }
}

/// Ctrl-C, but for the commands that serve: those stop in their own order.
async fn interrupted(matches: &clap::ArgMatches) {
    let serves = match matches.subcommand() {
        Some(("mcp", below)) => below.subcommand().is_none(),
        Some((noun, _)) => matches!(noun, "daemon" | "demo"),
        None => false,
    };
    if serves || tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

fn fail(how: &output::How, matches: &clap::ArgMatches, e: &Error) -> ExitCode {
    progress::clear();
    output::error(how, run::operation_of(matches), e);
    ExitCode::from(e.code().exit())
}
