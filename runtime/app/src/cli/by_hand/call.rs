//! `oaken call OP --input JSON`: reaches every operation by its name.

use clap::{Arg, ArgAction, ArgMatches, Command};
use oaken_core::{Code, Confirmation, Error, Result};
use oaken_gate::{Gate, Input};
use serde_json::Value;

use crate::cli::output::{self, How};
use crate::cli::progress;
use crate::cli::run::{self as operations};
use crate::open::{self, descriptors};

/// Its clap command.
pub fn command() -> Command {
    Command::new("call")
        .about("Call any operation with its input as JSON.")
        .arg(
            Arg::new("operation")
                .required(true)
                .value_name("OPERATION")
                .help("The operation; oaken operations list names them"),
        )
        .arg(
            Arg::new("input")
                .long("input")
                .value_name("JSON")
                .default_value("{}")
                .help("Its input; - reads standard input"),
        )
        .arg(
            Arg::new("yes")
                .long("yes")
                .short('y')
                .action(ArgAction::SetTrue)
                .help("Do it; without this the changes are shown and you are asked"),
        )
}

/// Runs it.
///
/// # Errors
/// What the gate answers.
pub async fn run(matches: &ArgMatches, how: &How) -> Result<()> {
    let name = matches
        .get_one::<String>("operation")
        .map(String::as_str)
        .unwrap_or_default();
    let given = matches
        .get_one::<String>("input")
        .map(String::as_str)
        .unwrap_or("{}");
    let text = if given == "-" {
        std::io::read_to_string(std::io::stdin().lock())
            .map_err(|_| Error::new(Code::InvalidInput, "Standard input held no readable JSON."))?
    } else {
        given.to_owned()
    };
    let mut input: Value = oaken_gate::input::parse(text.as_bytes())?;
    let lifted = Gate::lift(&mut input)?;
    let yes = matches.get_flag("yes") || matches!(lifted, Confirmation::Yes);
    let app = open::open(&operations::paths(matches)?)?;
    progress::show(&app.services, how);
    let caller = app.gate.person_cli()?;
    // What does not exist, and a token, which only an agent has, are the gate's to refuse, in its own words.
    let token = matches!(lifted, Confirmation::Token(_) | Confirmation::Both(_));
    let Some(d) = descriptors().into_iter().find(|d| d.name == name && !token) else {
        return Err(
            match app.gate.call(&caller, name, Input::Value(input), lifted).await {
                Err(e) => e,
                Ok(_) => Error::internal(),
            },
        );
    };
    if let Some(answer) = operations::call(&app.gate, &caller, d, input, yes, how).await? {
        output::answer(how, d, &answer);
    }
    Ok(())
}
