//! Reading folders: every file of an extension, in a stable order, links not followed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    diagnostic::Diagnostics,
    ir::{Origin, SourceFile},
};

/// The files below a folder whose names end in `extension`, sorted. A file stands for itself; nothing for nothing.
#[must_use]
pub fn files(path: &Path, extension: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    collect(path, extension, &mut out);
    out.sort();
    out
}

fn collect(path: &Path, extension: &str, out: &mut Vec<PathBuf>) {
    let Ok(kind) = fs::symlink_metadata(path).map(|m| m.file_type()) else {
        return;
    };
    if kind.is_file() && path.extension().is_some_and(|e| e == extension) {
        out.push(path.to_owned());
    } else if kind.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            collect(&entry.path(), extension, out);
        }
    }
}

/// The folders directly in a folder, sorted.
#[must_use]
pub fn folders(path: &Path) -> Vec<String> {
    let mut out: Vec<String> = fs::read_dir(path)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|e| e.file_type().is_ok_and(|t| t.is_dir()))
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    out.sort();
    out
}

/// A path as it is shown: relative to the root where it lies below it, with `/`.
#[must_use]
pub fn shown(path: &Path, root: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.iter()
        .map(|p| p.to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
        .replace("//", "/")
}

/// Reads a file as text. S001 where it cannot be read or is not UTF-8.
pub fn read(path: &Path, root: &Path, found: &mut Diagnostics) -> Option<SourceFile> {
    let shown = shown(path, root);
    match fs::read(path).map(String::from_utf8) {
        Ok(Ok(text)) => {
            let file = SourceFile {
                shown: shown.into(),
                text: text.into(),
            };
            found.source(&file);
            Some(file)
        }
        Ok(Err(e)) => {
            let valid = e.utf8_error().valid_up_to();
            let bytes = e.into_bytes();
            let text = String::from_utf8_lossy(&bytes[..valid]).into_owned();
            let file = SourceFile {
                shown: shown.into(),
                text: text.into(),
            };
            found.source(&file);
            found.spec(
                "S001",
                &Origin::new(&file.shown, valid, valid),
                "the file is not UTF-8 from here on",
                "save it as UTF-8",
            );
            None
        }
        Err(e) => {
            let origin = Origin::file(&shown.into());
            found.spec(
                "S001",
                &origin,
                format!("the file cannot be read: {}", e.kind()),
                "check its permissions",
            );
            None
        }
    }
}
