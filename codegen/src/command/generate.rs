//! Writing what is generated and checked in, and checking that it is current.

use std::{fs, process::ExitCode};

use oaken_codegen::{
    Diagnostics, Spec,
    emit::{ARTEFACTS, Artefact, Dest},
    rules,
};

use super::{Place, show};

/// Writes every artefact of the repository. Nothing is written while the spec is faulty; a handler still missing does
/// not hold it up, since it is written next.
pub fn write(place: &Place) -> ExitCode {
    let (spec, found) = place.compile();
    show(&found);
    if found.iter().any(|d| d.code != "R501") {
        eprintln!("nothing was written");
        return ExitCode::FAILURE;
    }
    for (artefact, path) in in_repository() {
        let file = place.root.join(path);
        let text = (artefact.emit)(&spec);
        if fs::read_to_string(&file).is_ok_and(|old| old == text) {
            continue;
        }
        let done = file
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&file, text));
        match done {
            Ok(()) => println!("wrote {path}"),
            Err(e) => {
                eprintln!("error: {path} cannot be written: {}", e.kind());
                return ExitCode::FAILURE;
            }
        }
    }
    if found.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Prints every finding of every stage, and each artefact that is not what the spec says.
pub fn check(place: &Place) -> ExitCode {
    let (spec, mut found) = place.compile();
    released_rules(place, &spec, &mut found);
    found.sort();
    show(&found);
    let mut stale = Vec::new();
    for (artefact, path) in in_repository() {
        let file = place.root.join(path);
        if !fs::read_to_string(&file).is_ok_and(|old| old == (artefact.emit)(&spec)) {
            stale.push(path);
        }
    }
    for path in &stale {
        eprintln!("error: {path} is not what the spec says; run `cargo codegen`");
    }
    if found.is_empty() && stale.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Prints what a release promises.
pub fn released(place: &Place) -> ExitCode {
    let (spec, found) = place.compile();
    show(&found);
    if !found.is_empty() {
        return ExitCode::FAILURE;
    }
    println!("{:#}", rules::released(&spec));
    ExitCode::SUCCESS
}

fn released_rules(place: &Place, spec: &Spec, found: &mut Diagnostics) {
    let path = "docs/reference/released.json";
    let Ok(text) = fs::read_to_string(place.root.join(path)) else {
        return;
    };
    match serde_json::from_str(&text) {
        Ok(released) => rules::check_released(spec, &released, found),
        Err(_) => {
            let at = oaken_codegen::ir::Origin::file(&path.into());
            found.spec(
                "S001",
                &at,
                "the file is not JSON",
                "`cargo codegen released` prints it",
            );
        }
    }
}

fn in_repository() -> impl Iterator<Item = (&'static Artefact, &'static str)> {
    ARTEFACTS.iter().filter_map(|a| match a.dest {
        Dest::Repo(path) => Some((a, path)),
        Dest::OutDir(_) => None,
    })
}
