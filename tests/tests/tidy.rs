//! What every file of ours keeps to: it says what it is, is short, and leaves nothing unfinished behind.

use std::fs;
use std::path::Path;
use std::process::Command;

use oaken_tests::program::repository;

/// The longest a file may be.
const MAX_LINES: usize = 400;

/// Files whose text is an input of a test, laid out for it: the inputs of compile-fail tests.
const INPUTS: [&str; 2] = ["tests/tests/ui/", "tests/fixtures/"];

/// What no file may hold, taken apart here so that this one does not.
fn unfinished() -> Vec<String> {
    let parts = [
        ("to", "do!("),
        ("unimple", "mented!("),
        ("db", "g!("),
        ("#[ign", "ore"),
        ("unsafe", " {"),
    ];
    parts.map(|(a, b)| format!("{a}{b}")).to_vec()
}

/// What names a machine, a person's home, or a registry's host.
fn places() -> Vec<String> {
    let parts = [
        ("/ro", "ot/"),
        ("/ho", "me/"),
        ("/Us", "ers/"),
        ("/tm", "p/bash"),
        ("regi", "stry."),
        ("static", ".crates"),
    ];
    parts.map(|(a, b)| format!("{a}{b}")).to_vec()
}

/// The faults of one file, one line each.
fn faults(path: &str, text: &str) -> Vec<String> {
    let mut faults = vec![];
    for place in places() {
        if let Some(at) = text.lines().position(|l| l.contains(&place)) {
            faults.push(format!("{path}:{}: names {place}", at + 1));
        }
    }
    if !path.ends_with(".rs") || INPUTS.iter().any(|i| path.starts_with(i)) {
        return faults;
    }
    if !text.starts_with("//!") {
        faults.push(format!("{path}:1: does not begin with //! and what it is"));
    }
    let lines = text.lines().count();
    if lines > MAX_LINES {
        faults.push(format!(
            "{path}: has {lines} lines, more than {MAX_LINES}; split it"
        ));
    }
    for word in unfinished() {
        if let Some(at) = text
            .lines()
            .position(|l| l.contains(&word) && !l.trim_start().starts_with("//"))
        {
            faults.push(format!("{path}:{}: holds {word}", at + 1));
        }
    }
    if let Some(at) = text.lines().position(|l| l.ends_with([' ', '\t'])) {
        faults.push(format!("{path}:{}: ends in a blank", at + 1));
    }
    faults
}

/// The files that git knows or would add.
fn files() -> Vec<String> {
    let listed = Command::new("git")
        .current_dir(repository())
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .output()
        .expect("git runs");
    assert!(
        listed.status.success(),
        "git ls-files: {}",
        String::from_utf8_lossy(&listed.stderr)
    );
    let names = String::from_utf8(listed.stdout).expect("names are UTF-8");
    names
        .split('\0')
        .filter(|n| !n.is_empty() && Path::new(repository()).join(n).is_file())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_file_of_ours_is_tidy() {
    let files = files();
    assert!(files.len() > 100, "git lists only {} files", files.len());
    let mut all = vec![];
    for file in &files {
        let bytes = fs::read(repository().join(file)).expect("a file that git lists");
        let text = String::from_utf8_lossy(&bytes);
        // The lock file names the registry by Cargo's own doing.
        if file != "Cargo.lock" {
            all.extend(faults(file, &text));
        }
    }
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}

#[track_caller]
fn check(path: &str, text: &str, expected: &[&str]) {
    let found = faults(path, text);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.contains(expected), "{found} does not say {expected}");
    }
}

#[test]
fn each_fault_is_found() {
    check("a.rs", "//! What it is.\nfn f() {}\n", &[]);
    check("a.rs", "fn f() {}\n", &["does not begin"]);
    check(
        "a.rs",
        &format!("//! x\n{}", "//\n".repeat(MAX_LINES)),
        &["401 lines"],
    );
    check(
        "a.rs",
        &format!("//! x\n{}\n", unfinished()[0]),
        &["a.rs:2: holds"],
    );
    check("a.rs", &format!("//! x\n    {}]\n", unfinished()[3]), &["holds"]);
    check("a.rs", &format!("//! x\n// {}\n", unfinished()[0]), &[]);
    check("a.rs", "//! x\nfn f() {} \n", &["blank"]);
    check(
        "notes.md",
        &format!("see {}/x\n", places()[0]),
        &["notes.md:1: names"],
    );
    check("tests/tests/ui/a.rs", "fn f() {}\n", &[]);
}
