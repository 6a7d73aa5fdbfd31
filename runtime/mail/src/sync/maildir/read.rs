//! Reading a message file: a regular one only, never through a link, never one that blocks.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Bytes of a file that are read; a parser reads no more.
const MOST: u64 = oaken_mime::MAX_MESSAGE_BYTES as u64 + 1;

/// The bytes of a file and its whole size; nothing where it is gone.
///
/// # Errors
/// Why it was left alone, as a stable word.
pub(super) fn file(path: &Path) -> Result<Option<(Vec<u8>, u64)>, &'static str> {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    // Between the listing and now it may have been replaced: by a link (refused), by a pipe (which must not block).
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let file = match options.open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        #[cfg(unix)]
        Err(e) if e.raw_os_error() == Some(libc::ELOOP) => return Err("link"),
        Err(_) => return Err("unreadable"),
    };
    let found = file.metadata().map_err(|_| "unreadable")?;
    if !found.is_file() {
        return Err("no_regular_file");
    }
    let mut bytes = Vec::with_capacity(usize::try_from(found.len().min(MOST)).unwrap_or(0));
    file.take(MOST)
        .read_to_end(&mut bytes)
        .map_err(|_| "unreadable")?;
    let size = found.len().max(bytes.len() as u64);
    Ok(Some((bytes, size)))
}
