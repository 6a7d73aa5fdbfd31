//! The commands of `cargo codegen`, one a file, and the place they work in.

pub mod explain;
pub mod generate;
pub mod scaffold;

use std::{
    io::IsTerminal as _,
    path::{Path, PathBuf},
};

use oaken_codegen::{Diagnostics, Spec, build, compile, rules};

/// The folders a command works on.
pub struct Place {
    /// The repository.
    pub root: PathBuf,
    /// The spec.
    pub spec: PathBuf,
}

impl Place {
    /// Takes `--spec DIR` and `--root DIR` out of the arguments. The root is the nearest folder that holds `spec`.
    pub fn take<'w>(words: &[&'w str]) -> Result<(Self, Vec<&'w str>), String> {
        let (mut root, mut spec, mut rest) = (None, None, Vec::new());
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let slot = match *word {
                "--root" => &mut root,
                "--spec" => &mut spec,
                _ => {
                    rest.push(*word);
                    continue;
                }
            };
            let dir = words.next().map(PathBuf::from).filter(|d| d.is_dir());
            *slot = Some(dir.ok_or_else(|| format!("`{word}` takes a folder"))?);
        }
        let here = std::env::current_dir().unwrap_or_default();
        let above = || {
            here.ancestors()
                .find(|d| d.join("spec").is_dir())
                .map(Path::to_owned)
        };
        let root = root.or_else(above).unwrap_or(here.clone());
        let spec = spec.unwrap_or_else(|| root.join("spec"));
        if !spec.is_dir() {
            return Err(format!(
                "there is no folder `spec` in {} or above",
                root.display()
            ));
        }
        Ok((Self { root, spec }, rest))
    }

    /// Compiles, with the check of the handlers.
    pub fn compile(&self) -> (Spec, Diagnostics) {
        let (spec, mut found) = compile(&self.spec, &build::attribute_sources(&self.root));
        let handlers = self.handlers();
        if handlers.is_dir() {
            rules::check_handlers(&spec, &handlers, &self.root, &mut found);
        }
        (spec, found)
    }

    /// The folder of the handlers.
    pub fn handlers(&self) -> PathBuf {
        self.root.join("runtime/operations/src/handlers")
    }
}

/// Prints findings to stderr, in colour on a terminal.
pub fn show(found: &Diagnostics) {
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    for diagnostic in found.iter() {
        let block = found.block(diagnostic);
        match block.split_once(':').filter(|_| colour) {
            Some((head, rest)) => eprintln!("\x1b[1;31m{head}\x1b[0m:{rest}"),
            None => eprintln!("{block}"),
        }
    }
    if !found.is_empty() {
        eprintln!(
            "{} found",
            if found.len() == 1 {
                "1 fault".into()
            } else {
                format!("{} faults", found.len())
            }
        );
    }
}
