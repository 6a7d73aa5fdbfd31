//! The two front ends: YAML files and `#[operation]` modules. Both give raw declarations in which every part is
//! optional and knows where it was written; what is missing or wrong in meaning is lowering's and the rules' to say.

pub mod attribute;
mod keys;
pub mod raw;
pub mod read;
pub mod value;
pub mod walk;
pub mod yaml;

use std::path::{Path, PathBuf};

pub use keys::WHOLE;
pub use raw::{
    Raw, RawExample, RawField, RawMcp, RawModel, RawOperation, RawSection, RawSetting, RawThen, Spanned,
};
pub use value::Value;

use crate::diagnostic::Diagnostics;
use crate::ir::Origin;

/// Reads both front ends. Files are shown relative to the parent of `dir`.
pub fn load(dir: &Path, attribute_sources: &[PathBuf], found: &mut Diagnostics) -> Raw {
    let root = root(dir);
    let mut raw = load_shapes(dir, found);
    let operations = dir.join("operations");
    raw.areas = walk::folders(&operations).into_iter().collect();
    for path in walk::files(&operations, "yml") {
        other_ending(&path, root, found);
    }
    for path in walk::files(&operations, "yaml") {
        let stem = stem(&path);
        let before = found.len();
        if path
            .strip_prefix(&operations)
            .is_ok_and(|p| p.iter().count() != 2)
        {
            let at = Origin::file(&walk::shown(&path, root).into());
            let help = "the place of an operation is spec/operations/AREA/NAME.yaml";
            found.spec("R101", &at, "the file lies in no area", help);
        }
        let document = walk::read(&path, root, found).and_then(|f| yaml::parse(&f, found));
        let Some(document) = document else {
            raw.broken.insert(stem);
            continue;
        };
        let area = path
            .parent()
            .and_then(Path::file_name)
            .map(|n| n.to_string_lossy().into_owned());
        let area = Spanned::new(area.unwrap_or_default(), document.origin.clone());
        let mut operation = read::operation(&document, area, found);
        if found.len() > before {
            // Whatever was refused, even a scalar deep in an example: no rule judges what is left.
            operation.spoiled.insert(String::new());
            raw.broken.insert(stem);
        }
        raw.operations.push(operation);
    }
    for source in attribute_sources {
        for path in walk::files(source, "rs") {
            if let Some(file) = walk::read(&path, root, found) {
                raw.operations.extend(attribute::read(&file, found));
            }
        }
    }
    raw
}

/// Reads models and settings alone.
pub fn load_shapes(dir: &Path, found: &mut Diagnostics) -> Raw {
    let root = root(dir);
    for path in ["models", "settings"]
        .map(|f| walk::files(&dir.join(f), "yml"))
        .concat()
    {
        other_ending(&path, root, found);
    }
    let mut raw = Raw::default();
    for path in walk::files(&dir.join("models"), "yaml") {
        match walk::read(&path, root, found).and_then(|f| yaml::parse(&f, found)) {
            Some(document) => raw.models.push(read::model(&document, found)),
            None => {
                raw.broken_shapes.insert(crate::naming::model_name(&stem(&path)));
            }
        }
    }
    for path in walk::files(&dir.join("settings"), "yaml") {
        match walk::read(&path, root, found).and_then(|f| yaml::parse(&f, found)) {
            Some(document) => raw.sections.push(read::section(&document, found)),
            None => {
                raw.broken.insert(format!("settings/{}", stem(&path)));
            }
        }
    }
    raw
}

/// A file that would otherwise be passed over in silence.
fn other_ending(path: &Path, root: &Path, found: &mut Diagnostics) {
    let at = Origin::file(&walk::shown(path, root).into());
    found.spec(
        "S001",
        &at,
        "the file is not read: its name ends in .yml",
        "rename it to end in .yaml",
    );
}

fn root(dir: &Path) -> &Path {
    dir.parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new(""))
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|s| s.to_string_lossy().into_owned())
        .unwrap_or_default()
}
