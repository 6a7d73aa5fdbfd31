//! The folders of a Maildir, in both layouts: Maildir++ (`.Work.Plans` beside `cur`) and nested (`Work/Plans/cur`).
//!
//! The folder itself may be a link, since a person named it; below it no link is followed.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

use oaken_core::{Code, Error, Result};

use crate::sync::folders::Listed;

/// Folders that are looked for, and levels.
const MOST: (usize, usize) = (10_000, 20);
/// What INBOX, the Maildir's own folder, is called in its row.
const INBOX: &str = ".";

/// What was found.
#[derive(Debug)]
pub(super) struct Discovered {
    /// The folder itself, links resolved.
    pub root: PathBuf,
    pub folders: Vec<Listed>,
    /// Reasons and names.
    pub left_alone: Vec<(&'static str, String)>,
    /// Whether every directory could be read, so that a folder not found is gone.
    pub is_whole: bool,
}

/// Where a folder lies.
pub(crate) fn folder_path(root: &Path, wire_name: &str) -> PathBuf {
    if wire_name == INBOX {
        root.to_owned()
    } else {
        root.join(wire_name)
    }
}

/// Finds the folders.
///
/// # Errors
/// `refused` where there is no Maildir.
pub(super) fn discover(path: &Path) -> Result<Discovered> {
    let root = fs::canonicalize(path).map_err(|_| missing())?;
    let mut found = Discovered {
        folders: Vec::new(),
        left_alone: Vec::new(),
        is_whole: true,
        root,
    };
    if is_maildir(&found.root) {
        found.folders.push(listed("INBOX".into(), INBOX.into(), '/'));
    }
    let mut to_visit = VecDeque::from([(String::new(), 0)]);
    let mut visited = 0;
    while let Some((below, level)) = to_visit.pop_front() {
        visited += 1;
        if visited > MOST.0 || found.folders.len() > MOST.0 {
            found.is_whole = false;
            found.left_alone.push(("too_many_folders", below));
            break;
        }
        let Ok(entries) = fs::read_dir(found.root.join(&below)) else {
            found.is_whole = false;
            found.left_alone.push(("unreadable", below));
            continue;
        };
        for entry in entries {
            let Ok(entry) = entry else {
                found.is_whole = false;
                continue;
            };
            visit(&mut found, &mut to_visit, &below, level, &entry);
        }
    }
    if found.folders.is_empty() {
        return Err(missing());
    }
    found
        .folders
        .sort_by(|a, b| (a.wire_name != INBOX, &a.name).cmp(&(b.wire_name != INBOX, &b.name)));
    Ok(found)
}

fn visit(
    found: &mut Discovered,
    to_visit: &mut VecDeque<(String, usize)>,
    below: &str,
    level: usize,
    entry: &fs::DirEntry,
) {
    let name = entry.file_name();
    let lossy = format!("{below}{}", name.to_string_lossy());
    let Ok(kind) = entry.file_type() else {
        found.is_whole = false;
        return;
    };
    if kind.is_symlink() {
        // A link to a folder of mail is a way out of the Maildir; a link to a file beside the folders is nothing.
        if fs::metadata(entry.path()).is_ok_and(|m| m.is_dir()) {
            found.left_alone.push(("link", lossy));
        }
        return;
    }
    if !kind.is_dir() {
        return;
    }
    let Some(name) = name.to_str() else {
        found.left_alone.push(("name_not_utf8", lossy));
        return;
    };
    let is_dotted = name.starts_with('.');
    if matches!(name, "cur" | "new" | "tmp") || (is_dotted && level > 0) {
        return;
    }
    let wire_name = format!("{below}{name}");
    if is_maildir(&entry.path()) {
        let (shown, delimiter) = match name.strip_prefix('.') {
            Some(dotted) => (dotted.split('.').map(decoded).collect::<Vec<_>>().join("/"), '.'),
            None => (
                wire_name.split('/').map(decoded).collect::<Vec<_>>().join("/"),
                '/',
            ),
        };
        if shown.split('/').all(|l| !l.is_empty()) {
            found.folders.push(listed(shown, wire_name.clone(), delimiter));
        }
    }
    if !is_dotted && level + 1 < MOST.1 {
        to_visit.push_back((format!("{wire_name}/"), level + 1));
    }
}

/// Dovecot writes names in modified UTF-7 unless told otherwise; what is none is shown as it is.
fn decoded(level: &str) -> String {
    oaken_wire_imap::decode_utf7(level).unwrap_or_else(|| level.to_owned())
}

/// Whether there is a `cur` of its own in it.
fn is_maildir(path: &Path) -> bool {
    fs::symlink_metadata(path.join("cur")).is_ok_and(|m| m.is_dir())
}

fn listed(name: String, wire_name: String, delimiter: char) -> Listed {
    Listed {
        name,
        wire_name,
        delimiter: Some(delimiter),
        said: None,
        selectable: true,
    }
}

fn missing() -> Error {
    Error::new(
        Code::Refused,
        "There is no Maildir at the account's path: no folder with a cur folder in it. If it lies on another disk, mount it.",
    )
}
