//! From a matched command to a call of the gate.

use std::process::ExitCode;

use clap::ArgMatches;
use oaken_core::{Answer, Code, Confirmation, Descriptor, Error, Result};
use oaken_gate::{Caller, Gate, Input};
use serde_json::Value;

use super::confirm::Said;
use super::output::{self, How};
use super::{by_hand, confirm, input, progress, tree};
use crate::open::{self, descriptors};
use crate::paths::Paths;

/// Runs what was matched.
///
/// # Errors
/// What the operation or the command ended with.
pub async fn dispatch(matches: &ArgMatches, how: &How) -> Result<ExitCode> {
    let (path, leaf) = matched(matches).ok_or_else(Error::internal)?;
    match operation_of(matches) {
        Some(d) => operation(d, leaf, how).await.map(|()| ExitCode::SUCCESS),
        None => by_hand::run(&path, leaf, how).await,
    }
}

/// The operation that was matched, if it is one.
pub fn operation_of(matches: &ArgMatches) -> Option<&'static Descriptor> {
    let (path, _) = matched(matches)?;
    descriptors().into_iter().find(|d| d.cli.path == path)
}

fn matched(matches: &ArgMatches) -> Option<(Vec<&str>, &ArgMatches)> {
    let (noun, below) = matches.subcommand()?;
    Some(match below.subcommand() {
        Some((verb, leaf)) => (vec![noun, verb], leaf),
        None => (vec![noun], below),
    })
}

/// The directories that the global flags name.
///
/// # Errors
/// When there is no home to put them in, or the demo that is asked for was never started.
pub fn paths(matches: &ArgMatches) -> Result<Paths> {
    let data = matches
        .get_one::<std::path::PathBuf>("data")
        .map(std::path::PathBuf::as_path);
    if matches.get_flag("demo") {
        let paths = Paths::of_demo(data)?;
        if crate::demo::made(&paths.data) {
            return Ok(paths);
        }
        // An empty installation in its place would not be what was asked for, and would stand in the demo's way.
        Err(Error::new(Code::NotFound, "There is no demo mailbox here yet.").next("oaken demo"))
    } else {
        Paths::of_person(data)
    }
}

async fn operation(d: &'static Descriptor, matches: &ArgMatches, how: &How) -> Result<()> {
    let input = input::of(d, matches, how.may_ask).await?;
    let app = open::open(&paths(matches)?)?;
    progress::show(&app.services, how);
    let caller = app.gate.person_cli()?;
    if tree::pages(d) && matches.get_flag("all") {
        return every_page(&app.gate, &caller, d, input, how).await;
    }
    let yes = matches
        .try_get_one::<bool>("yes")
        .ok()
        .flatten()
        .copied()
        .unwrap_or(false);
    if let Some(answer) = call(&app.gate, &caller, d, input, yes, how).await? {
        output::answer(how, d, &answer);
    }
    Ok(())
}

/// Calls an operation as a person. Where a yes or a secret is missing and somebody can be asked, asks. No answer:
/// there was nothing to do.
///
/// # Errors
/// What the gate answers, `confirm_required` with the preview where nobody could be asked.
pub async fn call(
    gate: &Gate,
    caller: &Caller,
    d: &'static Descriptor,
    mut input: Value,
    mut yes: bool,
    how: &How,
) -> Result<Option<Answer>> {
    loop {
        let confirmation = if yes {
            Confirmation::Yes
        } else {
            Confirmation::None
        };
        let answer = gate
            .call(caller, d.name, Input::Value(input.clone()), confirmation)
            .await;
        progress::clear();
        let e = match answer {
            Ok(answer) => return Ok(Some(answer)),
            Err(e) => e,
        };
        if let Some(secret) = input::lacking(d, &input, &e).filter(|_| how.may_ask) {
            input[secret.name] = input::ask(secret, how.may_ask).await?;
            continue;
        }
        let Some(preview) = e.changes().filter(|_| e.code() == Code::ConfirmRequired && !yes) else {
            return Err(e);
        };
        match confirm::ask(how, d, preview).await? {
            Said::Yes => yes = true,
            Said::No => return Err(Error::new(Code::ConfirmRequired, "Nothing was changed.")),
            Said::Nothing => return Ok(None),
            Said::Nobody => return Err(e.next("the same command with --yes")),
        }
    }
}

/// Follows `next_cursor` to the end: one JSON line a row, or a table a page.
async fn every_page(
    gate: &Gate,
    caller: &Caller,
    d: &'static Descriptor,
    mut input: Value,
    how: &How,
) -> Result<()> {
    loop {
        let Answer::Done {
            mut output,
            cut,
            entry,
        } = gate
            .call(caller, d.name, Input::Value(input.clone()), Confirmation::None)
            .await?
        else {
            return Err(Error::internal());
        };
        let next = output.as_object_mut().and_then(|o| o.remove("next_cursor"));
        if how.json {
            let rows = output
                .as_object()
                .into_iter()
                .flat_map(|o| o.values())
                .find_map(Value::as_array);
            for row in rows.into_iter().flatten() {
                output::line(&output::to_inert_json(row));
            }
        } else {
            output::answer(how, d, &Answer::Done { output, cut, entry });
        }
        let Some(next) = next else {
            return Ok(());
        };
        input["cursor"] = next;
    }
}
