//! The folders of a Maildir, in both layouts: Maildir++ (`.Work.Plans` beside `cur`) and nested (`Work/Plans/cur`).
//!
//! The folder itself may be a link, since a person named it; below it no link is followed.

use std::collections::{HashSet, VecDeque};
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
    match shape(&found.root) {
        Shape::Maildir => found.folders.push(listed("INBOX".into(), INBOX.into(), '/')),
        Shape::No(reason) => found.left_alone.push((reason, INBOX.into())),
        Shape::Plain => {}
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
    let order = |l: &Listed| {
        (
            l.wire_name != INBOX,
            l.name.clone(),
            l.delimiter != Some('/'),
            l.wire_name.clone(),
        )
    };
    found.folders.sort_by_cached_key(order);
    part_names(&mut found.folders);
    Ok(found)
}

/// Two folders that people would read alike (`.Work` and `Work`, the Maildir's own and `.INBOX`): the later is shown as
/// the directory has it, which no other is.
fn part_names(folders: &mut [Listed]) {
    let key = |name: &str| match name.eq_ignore_ascii_case("INBOX") {
        true => "INBOX".to_owned(),
        false => name.to_owned(),
    };
    let mut taken: HashSet<String> = HashSet::new();
    for folder in folders {
        for name in [folder.wire_name.clone(), format!("./{}", folder.wire_name)] {
            if !taken.contains(&key(&folder.name)) {
                break;
            }
            folder.name = name;
        }
        taken.insert(key(&folder.name));
    }
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
    if matches!(name, "cur" | "new" | "tmp") {
        return;
    }
    let wire_name = format!("{below}{name}");
    let shape = shape(&entry.path());
    if is_dotted && level > 0 {
        // Of no layout: whether its dots part levels is not known.
        if !matches!(shape, Shape::Plain) {
            found.left_alone.push(("odd_name", wire_name));
        }
        return;
    }
    if let Shape::No(reason) = shape {
        found.left_alone.push((reason, wire_name.clone()));
    }
    if matches!(shape, Shape::Maildir) {
        let (shown, delimiter) = match name.strip_prefix('.') {
            Some(dotted) => (dotted.split('.').map(decoded).collect::<Vec<_>>().join("/"), '.'),
            None => (
                wire_name.split('/').map(decoded).collect::<Vec<_>>().join("/"),
                '/',
            ),
        };
        if shown.split('/').all(|l| !l.is_empty()) {
            found.folders.push(listed(shown, wire_name.clone(), delimiter));
        } else {
            found.left_alone.push(("odd_name", wire_name.clone()));
        }
    }
    if is_dotted {
        return;
    }
    if level + 1 < MOST.1 {
        to_visit.push_back((format!("{wire_name}/"), level + 1));
    } else {
        found.left_alone.push(("too_deep", wire_name));
    }
}

/// Dovecot writes names in modified UTF-7 unless told otherwise; what is none is shown as it is.
fn decoded(level: &str) -> String {
    oaken_wire_imap::decode_utf7(level).unwrap_or_else(|| level.to_owned())
}

/// What a directory is.
enum Shape {
    /// A folder of mail: there is a `cur` of its own in it.
    Maildir,
    /// It was meant as one and is left alone, for a reason.
    No(&'static str),
    /// Something else; folders may lie below it.
    Plain,
}

fn shape(path: &Path) -> Shape {
    let is_dir = |name: &str| fs::symlink_metadata(path.join(name)).is_ok_and(|m| m.is_dir());
    match fs::symlink_metadata(path.join("cur")) {
        Ok(m) if m.is_dir() => Shape::Maildir,
        Ok(m) if m.is_symlink() && is_dir("new") => Shape::No("link"),
        _ if is_dir("new") => Shape::No("no_cur"),
        Ok(m) if m.is_symlink() => Shape::No("link"),
        _ => Shape::Plain,
    }
}

fn listed(name: String, wire_name: String, delimiter: char) -> Listed {
    Listed {
        name,
        wire_name,
        delimiter: Some(delimiter),
        said: None,
        selectable: true,
        personal: true,
    }
}

fn missing() -> Error {
    Error::new(
        Code::Refused,
        "There is no Maildir at the account's path: no folder with a cur folder in it. If it lies on another disk, mount it.",
    )
}
