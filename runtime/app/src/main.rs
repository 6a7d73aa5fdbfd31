//! The binary `oaken`: it reads which door is asked for and opens it.
//!
//! Absent on purpose: anything about mail. Doors turn their protocol into a call of the gate and back.

mod calls;
mod cli;
mod daemon;
mod demo;
mod http;
mod mcp;
mod open;
mod panics;
mod paths;

use std::process::ExitCode;

fn main() -> ExitCode {
    // Answered before anything is built, opened or allocated: scripts ask for it often.
    let mut args = std::env::args_os().skip(1);
    if let (Some(first), None) = (args.next(), args.next())
        && (first == "--version" || first == "-V")
    {
        println!("oaken {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    panics::print_places_only();
    cli::run()
}
