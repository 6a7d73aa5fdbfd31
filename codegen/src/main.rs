//! `cargo codegen`: writes what is generated and checked in, or checks that it is current; explains rules; scaffolds
//! operations.

mod command;

use std::process::ExitCode;

const USAGE: &str = "\
cargo codegen [--check] [--spec DIR] [--root DIR]   write docs/reference, or check that it is current
cargo codegen explain CODE                          the page of a rule; without CODE the list of them
cargo codegen new AREA/NAME                         a declaration and its handler, with a failing test
cargo codegen released                              what a release promises, for docs/reference/released.json
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (place, words) = match command::Place::take(&words) {
        Ok(taken) => taken,
        Err(wrong) => return usage(&wrong),
    };
    match words.as_slice() {
        [] => command::generate::write(&place),
        ["--check"] => command::generate::check(&place),
        ["explain"] => command::explain::list(),
        ["explain", code] => command::explain::page(code),
        ["new", path] => command::scaffold::run(&place, path),
        ["released"] => command::generate::released(&place),
        ["--help" | "-h" | "help"] => {
            print!("{USAGE}");
            ExitCode::SUCCESS
        }
        [word, ..] => usage(&format!("`{word}` is not understood here")),
    }
}

fn usage(wrong: &str) -> ExitCode {
    eprintln!("error: {wrong}\n\n{USAGE}");
    ExitCode::from(2)
}
