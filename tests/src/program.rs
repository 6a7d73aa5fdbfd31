//! The `oaken` under test: the one that `OAKEN_BIN` names, else the one beside this test, built first.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The program's path.
///
/// # Panics
/// When it cannot be built.
#[must_use]
pub fn oaken() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| match std::env::var_os("OAKEN_BIN") {
        Some(given) => PathBuf::from(given),
        None => built(),
    })
}

/// The top of the repository.
#[must_use]
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or_else(|| Path::new("."))
}

/// A test binary lies in `target/<profile>/deps`, the program one folder up. Cargo is asked each time, so that a
/// test never runs against a program that is older than its source.
fn built() -> PathBuf {
    let here = std::env::current_exe().expect("a test knows its own path");
    let profile = here
        .parent()
        .and_then(Path::parent)
        .expect("a test lies in target/<profile>/deps");
    let target = profile.parent().expect("a profile lies in a target directory");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .current_dir(repository())
        .args([
            "build",
            "--quiet",
            "--locked",
            "-p",
            "oaken-app",
            "--bin",
            "oaken",
            "--target-dir",
        ])
        .arg(target)
        .status()
        .expect("cargo can be run");
    assert!(built.success(), "oaken does not build");
    target.join("debug").join("oaken")
}
