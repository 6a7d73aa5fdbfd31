//! A copy of the tree with a target directory of its own, kept between runs below `target/`.
//!
//! The first time, what Cargo built of other people's crates is linked over, so that only ours are built again.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use oaken_tests::program::repository;

/// The copy.
pub struct Copy {
    tree: PathBuf,
    target: PathBuf,
}

/// Lays the copy: what git knows or would add, written only where it differs, so that Cargo sees what changed.
pub fn of_the_tree() -> Copy {
    let here = std::env::current_exe().expect("a test knows its own path");
    let profile = here
        .parent()
        .and_then(Path::parent)
        .expect("a test lies in target/<profile>/deps");
    let below = profile
        .parent()
        .expect("a profile lies in a target directory")
        .join("newcomer");
    let copy = Copy {
        tree: below.join("tree"),
        target: below.join("target"),
    };
    let files = files();
    for name in &files {
        let bytes = fs::read(repository().join(name)).expect("a file that git lists");
        copy.write(name, bytes);
    }
    copy.remove_what_is_not_in(&files);
    if !copy.target.exists() {
        link_built(profile, &copy.target.join("debug"));
    }
    copy
}

impl Copy {
    /// Its target directory.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Writes a file unless it is so already.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.tree.join(name);
        if fs::read(&path).is_ok_and(|there| there == bytes.as_ref()) {
            return;
        }
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder of the copy");
        fs::write(path, bytes).expect("a file of the copy");
    }

    /// Runs Cargo in it.
    pub fn cargo(&self, arguments: &[&str]) -> Output {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        // Cargo tells a test about its package in variables that would make the copy's build scripts run again.
        let told = ["CARGO_PKG_", "CARGO_MANIFEST_"];
        for (name, _) in
            std::env::vars_os().filter(|(n, _)| told.iter().any(|t| n.to_string_lossy().starts_with(t)))
        {
            command.env_remove(name);
        }
        command
            .current_dir(&self.tree)
            .env("CARGO_TARGET_DIR", &self.target)
            .args(arguments);
        command.output().expect("cargo can be run")
    }

    fn remove_what_is_not_in(&self, files: &BTreeSet<String>) {
        let mut folders = vec![self.tree.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder of the copy") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if !path
                    .strip_prefix(&self.tree)
                    .is_ok_and(|p| files.contains(&*p.to_string_lossy()))
                {
                    fs::remove_file(path).expect("a file of the copy can be removed");
                }
            }
        }
    }
}

fn files() -> BTreeSet<String> {
    let listed = Command::new("git")
        .current_dir(repository())
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .output()
        .expect("git runs");
    let names = String::from_utf8(listed.stdout).expect("names are UTF-8");
    names
        .split('\0')
        .filter(|n| !n.is_empty() && repository().join(n).is_file())
        .map(str::to_owned)
        .collect()
}

/// Links what was built of crates that are not ours. What cannot be linked Cargo builds itself.
fn link_built(from: &Path, to: &Path) {
    for part in ["deps", ".fingerprint", "build"] {
        link(&from.join(part), &to.join(part));
    }
}

fn link(from: &Path, to: &Path) {
    let Ok(entries) = fs::read_dir(from) else { return };
    let _ = fs::create_dir_all(to);
    for entry in entries.flatten() {
        let name = entry.file_name();
        let shown = name.to_string_lossy();
        if shown.starts_with("oaken") || shown.starts_with("liboaken") {
            continue;
        }
        if entry.path().is_dir() {
            link(&entry.path(), &to.join(&name));
        } else {
            let _ = fs::hard_link(entry.path(), to.join(&name));
        }
    }
}
