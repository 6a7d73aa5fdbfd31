//! What describes Oaken to other programs: completions, man pages, the OpenAPI document.

use std::path::Path;

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
                .value_name("SHELL")
                .value_parser(value_parser!(Shell))
                .help("The shell"),
        ),
        Command::new("man")
            .about("Write the man pages into a folder.")
            .arg(
                Arg::new("out")
                    .long("out")
                    .required(true)
                    .value_name("DIR")
                    .value_parser(value_parser!(std::path::PathBuf))
                    .help("The folder; made where it is missing"),
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
                let mut command = tree::command();
                command.build();
                std::fs::create_dir_all(out)
                    .and_then(|()| man_pages(&command, "oaken", out))
                    .map_err(|_| {
                        Error::new(
                            Code::InvalidInput,
                            "The folder for the man pages cannot be written; name another with --out.",
                        )
                    })?;
            }
        }
        _ => output::line(crate::http::OPENAPI.trim_end()),
    }
    Ok(())
}

/// The page of a command and those of its commands, each under its full name: `oaken-mailbox-list.1`.
fn man_pages(command: &Command, name: &str, out: &Path) -> std::io::Result<()> {
    let mut page = vec![];
    clap_mangen::Man::new(command.clone())
        .title(name.to_uppercase())
        .source(concat!("oaken ", env!("CARGO_PKG_VERSION")))
        .manual("Oaken")
        .render(&mut page)?;
    std::fs::write(out.join(format!("{name}.1")), page)?;
    command
        .get_subcommands()
        .try_for_each(|c| man_pages(c, &format!("{name}-{}", c.get_name()), out))
}
