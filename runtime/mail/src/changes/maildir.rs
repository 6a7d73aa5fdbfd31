//! Flags in a Maildir: the info part of a file's name, changed by one rename within or into `cur`.
//!
//! Links are neither followed nor renamed. A rename happens or does not, so nothing here is ever unconfirmed.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::{Done, PlaceOutcome};
use crate::Flags;
use crate::reader::Place;
use crate::sync::{folder_path, info, locate};

/// Changes one file. Returns what became of it and its path below the folder now.
pub(super) fn change(root: &Path, place: &Place, done: Done) -> (PlaceOutcome, Option<String>) {
    let folder = folder_path(root, place.wire_name());
    let is_dir = |sub: &str| fs::symlink_metadata(folder.join(sub)).is_ok_and(|m| m.is_dir());
    if !is_dir("cur") {
        return (PlaceOutcome::NotThere, None);
    }
    let Some(file) = place.name().and_then(|name| locate(&folder, name, place.file())) else {
        return (PlaceOutcome::NotThere, None);
    };
    let Some((sub, name)) = file.split_once('/') else {
        return (PlaceOutcome::NotThere, None);
    };
    let (unique, letters) = info(name);
    let before = Flags::from_info(letters);
    let after = done.on(before);
    if after == before {
        return (PlaceOutcome::Already, Some(file));
    }
    if sub == "new" && !is_dir("new") {
        return (PlaceOutcome::NotThere, None);
    }
    let target = format!("cur/{unique}:2,{}", after.into_info(letters));
    if fs::symlink_metadata(folder.join(&target)).is_ok() {
        // Another file has that name; a rename would destroy it.
        return (PlaceOutcome::Refused, None);
    }
    match fs::rename(folder.join(&file), folder.join(&target)) {
        Ok(()) => (PlaceOutcome::Done, Some(target)),
        Err(e) if e.kind() == ErrorKind::NotFound => (PlaceOutcome::NotThere, None),
        Err(_) => (PlaceOutcome::Refused, None),
    }
}
