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

/// Reads both front ends. Files are shown relative to the parent of `dir`.
pub fn load(dir: &Path, attribute_sources: &[PathBuf], found: &mut Diagnostics) -> Raw {
    let root = root(dir);
    let mut raw = load_shapes(dir, found);
    let operations = dir.join("operations");
    raw.areas = walk::folders(&operations).into_iter().collect();
    for path in walk::files(&operations, "yaml") {
        let stem = stem(&path);
        let before = found.len();
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
