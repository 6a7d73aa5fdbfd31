//! The command line: one clap table built from descriptors, and a few commands that are not operations.

mod by_hand;
mod confirm;
mod input;
mod output;
mod run;
mod table;
mod tree;

use std::process::ExitCode;

use oaken_core::{Code, Error};

pub use output::line;

/// Reads the command line, runs it and says how it ended.
pub fn run() -> ExitCode {
    let matches = match tree::command().try_get_matches() {
        Ok(matches) => matches,
        Err(e) => {
            let _ = e.print();
            return ExitCode::from(if e.use_stderr() {
                Code::InvalidInput.exit()
            } else {
                0
            });
        }
    };
    let how = output::How::of(&matches);
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(_) => return fail(&how, &Error::internal()),
    };
    let ended = runtime.block_on(async {
        tokio::select! {
            ended = run::dispatch(&matches, &how) => ended,
            () = interrupted(&matches) => Err(Error::new(Code::Interrupted, "Interrupted.")),
        }
    });
    runtime.shutdown_background();
    match ended {
        Ok(code) => code,
        Err(e) => fail(&how, &e),
    }
}

/// Ctrl-C, but for the commands that serve: those stop in their own order.
async fn interrupted(matches: &clap::ArgMatches) {
    let serves = matches!(matches.subcommand_name(), Some("daemon" | "demo" | "mcp"));
    if serves || tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

fn fail(how: &output::How, e: &Error) -> ExitCode {
    output::error(how, e);
    ExitCode::from(e.code().exit())
}
