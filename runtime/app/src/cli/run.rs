//! From a matched command to a call of the gate.

use std::process::ExitCode;

use clap::ArgMatches;
use oaken_core::{Answer, Code, Confirmation, Descriptor, Error, Result};
use oaken_gate::{Caller, Gate, Input};
use serde_json::Value;

use super::output::{self, How};
use super::{by_hand, confirm, input, tree};
use crate::open::{self, descriptors};
use crate::paths::Paths;

/// Runs what was matched.
///
/// # Errors
/// What the operation or the command ended with.
pub async fn dispatch(matches: &ArgMatches, how: &How) -> Result<ExitCode> {
    let Some((noun, below)) = matches.subcommand() else {
        return Err(Error::internal());
    };
    let (path, leaf): (Vec<&str>, &ArgMatches) = match below.subcommand() {
        Some((verb, leaf)) => (vec![noun, verb], leaf),
        None => (vec![noun], below),
    };
    match descriptors().into_iter().find(|d| d.cli.path == path) {
        Some(d) => operation(d, leaf, how).await.map(|()| ExitCode::SUCCESS),
        None => by_hand::run(&path, leaf, how).await,
    }
}

/// The directories that the global flags name.
///
/// # Errors
/// When there is no home to put them in.
pub fn paths(matches: &ArgMatches) -> Result<Paths> {
    let data = matches
        .get_one::<std::path::PathBuf>("data")
        .map(std::path::PathBuf::as_path);
    if matches.get_flag("demo") {
        Paths::of_demo(data)
    } else {
        Paths::of_person(data)
    }
}

async fn operation(d: &'static Descriptor, matches: &ArgMatches, how: &How) -> Result<()> {
    let input = input::of(d, matches, how.may_ask)?;
    let app = open::open(&paths(matches)?)?;
    let caller = app.gate.person_cli()?;
    if tree::pages(d) && matches.get_flag("all") {
        return every_page(&app.gate, &caller, d, input).await;
    }
    let yes = matches
        .try_get_one::<bool>("yes")
        .ok()
        .flatten()
        .copied()
        .unwrap_or(false);
    let answer = call(&app.gate, &caller, d.name, input, yes, how).await?;
    output::answer(how, d, &answer);
    Ok(())
}

/// Calls an operation as a person; where a yes is missing and somebody can be asked, asks.
///
/// # Errors
/// What the gate answers, `confirm_required` with the preview where nobody could be asked.
pub async fn call(
    gate: &Gate,
    caller: &Caller,
    name: &str,
    input: Value,
    yes: bool,
    how: &How,
) -> Result<Answer> {
    let confirmation = if yes {
        Confirmation::Yes
    } else {
        Confirmation::None
    };
    match gate
        .call(caller, name, Input::Value(input.clone()), confirmation)
        .await
    {
        Err(e) if e.code() == Code::ConfirmRequired && !yes => {
            match e.changes().and_then(|preview| confirm::ask(how, preview)) {
                Some(true) => {
                    gate.call(caller, name, Input::Value(input), Confirmation::Yes)
                        .await
                }
                Some(false) => Err(Error::new(Code::ConfirmRequired, "Nothing was changed.")),
                None => Err(e.next("the same command with --yes")),
            }
        }
        other => other,
    }
}

/// Follows `next_cursor` to the end, one JSON line a row.
async fn every_page(gate: &Gate, caller: &Caller, d: &'static Descriptor, mut input: Value) -> Result<()> {
    loop {
        let Answer::Done { output, .. } = gate
            .call(caller, d.name, Input::Value(input.clone()), Confirmation::None)
            .await?
        else {
            return Err(Error::internal());
        };
        let rows = output
            .as_object()
            .into_iter()
            .flat_map(|o| o.values())
            .find_map(Value::as_array);
        for row in rows.into_iter().flatten() {
            output::line(&output::to_inert_json(row));
        }
        let Some(next) = output.get("next_cursor").cloned() else {
            return Ok(());
        };
        input["cursor"] = next;
    }
}
