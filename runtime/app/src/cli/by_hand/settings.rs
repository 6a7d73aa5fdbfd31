//! `oaken settings set SECTION NAME=VALUE…`: the short form of the operation `set_setting`.

use clap::{Arg, ArgAction, ArgMatches, Command};
use oaken_core::{Descriptor, Error, Result};
use serde_json::json;

use crate::cli::output::{self, How};
use crate::cli::run;
use crate::open::{self, descriptors};

/// Its clap command.
pub fn set_command() -> Command {
    Command::new("set")
        .about(operation().map_or("", |d| d.summary))
        .after_help(format!(
            "Example: oaken settings set mcp workspaces=default,work\n\n{}",
            operation().map_or("", |d| d.description)
        ))
        .arg(
            Arg::new("section")
                .required(true)
                .value_name("SECTION")
                .help("The section: mcp, operations, …; oaken settings list names them"),
        )
        .arg(
            Arg::new("assignments")
                .required(true)
                .num_args(1..)
                .action(ArgAction::Append)
                .value_name("NAME=VALUE")
                .help("What to set; NAME= alone returns it to its default"),
        )
}

/// Sets each in turn.
///
/// # Errors
/// What the gate answers for the first that is refused; those before it are set.
pub async fn set(matches: &ArgMatches, how: &How) -> Result<()> {
    let section = matches
        .get_one::<String>("section")
        .map(String::as_str)
        .unwrap_or_default();
    let mut inputs = vec![];
    for assignment in matches.get_many::<String>("assignments").into_iter().flatten() {
        let Some((name, value)) = assignment.split_once('=') else {
            return Err(Error::invalid_field("NAME=VALUE", "lacks the equals sign"));
        };
        let name = format!("{section}.{name}");
        inputs.push(if value.is_empty() {
            json!({ "name": name })
        } else {
            json!({ "name": name, "value": value })
        });
    }
    let app = open::open(&run::paths(matches)?)?;
    let caller = app.gate.person_cli()?;
    let d = operation().ok_or_else(Error::internal)?;
    // Typing the new value is the person's yes: it names exactly this change.
    for input in inputs {
        if let Some(answer) = run::call(&app.gate, &caller, d, input, true, how).await? {
            output::answer(how, d, &answer);
        }
    }
    Ok(())
}

fn operation() -> Option<&'static Descriptor> {
    descriptors().into_iter().find(|d| d.name == "set_setting")
}
