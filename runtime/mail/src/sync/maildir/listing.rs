//! The files of one Maildir folder, as their names tell them. No file is opened here.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use oaken_core::clock;

use super::Files;

/// Seconds that must lie between a folder's last change and a look at it: within one tick of the clock a change after
/// the look would leave the same time.
const SETTLED: u64 = 2;

/// A message file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The unique part of its name, which no rename changes.
    pub name: String,
    /// Its path below the folder.
    pub file: String,
    /// The letters of its info part.
    pub letters: String,
    /// When it was delivered.
    pub received: i64,
}

/// Lists `new` and `cur`. Also what was left alone, with the reason.
///
/// # Errors
/// `refused` where `cur` cannot be read.
pub(super) fn list(folder: &Path) -> oaken_core::Result<(Files, Vec<(&'static str, String)>)> {
    let (mut files, mut left_alone) = (Files::new(), Vec::new());
    for sub in ["new", "cur"] {
        let dir = folder.join(sub);
        match fs::symlink_metadata(&dir) {
            Ok(m) if m.is_symlink() => {
                left_alone.push(("link", sub.to_owned()));
                continue;
            }
            Err(_) if sub == "new" => continue,
            _ => {}
        }
        for entry in fs::read_dir(&dir).map_err(|_| unreadable())? {
            let entry = entry.map_err(|_| unreadable())?;
            let name = entry.file_name();
            let lossy = || format!("{sub}/{}", name.to_string_lossy());
            match entry.file_type() {
                Ok(kind) if kind.is_symlink() => left_alone.push(("link", lossy())),
                Ok(kind) if kind.is_file() => match name.to_str() {
                    Some(name) if name.starts_with('.') => {}
                    Some(name) => {
                        let found = found(sub, name, &entry);
                        // The same unique part twice is a rename that was cut short: the file in cur is the later.
                        if let Some(double) = files.insert(found.name.clone(), found)
                            && double.file.starts_with("cur/")
                        {
                            left_alone.push(("same_name_twice", double.file));
                        }
                    }
                    None => left_alone.push(("name_not_utf8", lossy())),
                },
                Ok(kind) if kind.is_dir() => {}
                _ => left_alone.push(("no_regular_file", lossy())),
            }
        }
    }
    Ok((files, left_alone))
}

fn found(sub: &str, name: &str, entry: &fs::DirEntry) -> Found {
    let (unique, letters) = split(name);
    // The seconds that begin the name are when it was delivered; copying a Maildir changes the file's time.
    let named = unique.split('.').next().and_then(|s| s.parse::<i64>().ok());
    let received = named
        .filter(|s| (100_000_000..=clock::wall() + 86_400).contains(s))
        .unwrap_or_else(|| {
            let time = entry.metadata().and_then(|m| m.modified()).ok();
            time.map_or(0, seconds)
        });
    Found {
        name: unique.to_owned(),
        file: format!("{sub}/{name}"),
        letters: letters.to_owned(),
        received,
    }
}

/// The unique part of a file name, and the letters behind `:2,`.
pub(crate) fn split(name: &str) -> (&str, &str) {
    match name.split_once(':') {
        Some((unique, info)) => (unique, info.strip_prefix("2,").unwrap_or("")),
        None => (name, ""),
    }
}

/// A folder's directory times, or nothing where it changed just now and must be looked at again.
pub(super) fn stamp(folder: &Path) -> Option<String> {
    let mut stamp = String::new();
    for sub in ["new", "cur"] {
        match fs::symlink_metadata(folder.join(sub)).and_then(|m| m.modified()) {
            Ok(time) => {
                let age = SystemTime::now().duration_since(time).ok()?;
                if age.as_secs() < SETTLED {
                    return None;
                }
                let since = time.duration_since(UNIX_EPOCH).ok()?;
                stamp.push_str(&format!("{}.{:09} ", since.as_secs(), since.subsec_nanos()));
            }
            Err(_) => stamp.push_str("- "),
        }
    }
    Some(stamp)
}

/// Where a message file is now, below its folder: as last seen, or under another info part.
pub(crate) fn locate(folder: &Path, name: &str, last: Option<&str>) -> Option<String> {
    let is_file = |file: &str| fs::symlink_metadata(folder.join(file)).is_ok_and(|m| m.is_file());
    if let Some(file) = last.filter(|f| is_file(f)) {
        return Some(file.to_owned());
    }
    for sub in ["cur", "new"] {
        for entry in fs::read_dir(folder.join(sub)).into_iter().flatten().flatten() {
            let found = entry.file_name();
            if let Some(found) = found.to_str()
                && split(found).0 == name
            {
                let file = format!("{sub}/{found}");
                if is_file(&file) {
                    return Some(file);
                }
            }
        }
    }
    None
}

fn seconds(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH)
        .map_or(0, |d| i64::try_from(d.as_secs()).unwrap_or(i64::MAX))
}

fn unreadable() -> oaken_core::Error {
    oaken_core::Error::new(
        oaken_core::Code::Refused,
        "A folder of the Maildir cannot be read. Check who owns it and its rights.",
    )
}

#[cfg(test)]
mod tests {
    use super::split;

    #[track_caller]
    fn check(name: &str, unique: &str, letters: &str) {
        assert_eq!(split(name), (unique, letters));
    }

    #[test]
    fn the_unique_part_and_the_letters() {
        check("1700000000.M1P2.host", "1700000000.M1P2.host", "");
        check("1700000000.M1P2.host:2,", "1700000000.M1P2.host", "");
        check(
            "1700000000.M1P2.host,S=12,W=13:2,FSa",
            "1700000000.M1P2.host,S=12,W=13",
            "FSa",
        );
        check("x:1,experimental", "x", "");
        check(":2,S", "", "S");
        check("x:2,S:2,T", "x", "S:2,T");
    }
}
