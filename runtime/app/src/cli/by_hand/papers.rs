//! What describes Oaken to other programs: completions, man pages, the OpenAPI document.

use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;
use oaken_core::{Code, Error, Result};

use crate::cli::{output, tree};

/// Their clap commands.
pub fn commands() -> Vec<Command> {
    vec![
        Command::new("completions").about("Print shell completions.").arg(
            Arg::new("shell")
                .required(true)
                .value_parser(value_parser!(Shell))
                .help("The shell."),
        ),
        Command::new("man")
            .about("Write the man pages into a folder.")
            .arg(
                Arg::new("out")
                    .long("out")
                    .required(true)
                    .value_name("DIR")
                    .value_parser(value_parser!(std::path::PathBuf))
                    .help("The folder; it must exist."),
            ),
        Command::new("openapi").about("Print the OpenAPI 3.1 document."),
    ]
}

/// Prints or writes one of them.
///
/// # Errors
/// When the folder for man pages cannot be written.
pub fn run(which: &str, matches: &ArgMatches) -> Result<()> {
    match which {
        "completions" => {
            if let Some(shell) = matches.get_one::<Shell>("shell") {
                let mut bytes = vec![];
                clap_complete::generate(*shell, &mut tree::command(), "oaken", &mut bytes);
                output::line(String::from_utf8_lossy(&bytes).trim_end());
            }
        }
        "man" => {
            if let Some(out) = matches.get_one::<std::path::PathBuf>("out") {
                clap_mangen::generate_to(tree::command(), out).map_err(|_| {
                    Error::new(
                        Code::InvalidInput,
                        "The folder for the man pages cannot be written; name one that exists with --out.",
                    )
                })?;
            }
        }
        _ => output::line(crate::http::OPENAPI.trim_end()),
    }
    Ok(())
}
