//! The bytes of a message as they came: of a Maildir from its file, of a server by EXAMINE and `BODY.PEEK`.
//!
//! Nothing is kept of them here. No link is followed; a server that was seen to mark by itself is asked nothing.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use oaken_core::{Code, Error, MessageId, Param, Result};

use crate::Services;
use crate::accounts::{self, ImapPlace};
use crate::sync;

use super::Reader;
use super::target::{Place, Target, target};

/// A whole message.
#[derive(Clone, PartialEq, Eq)]
pub struct Raw {
    bytes: Vec<u8>,
}

impl Raw {
    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many there are.
    #[must_use]
    pub fn size_bytes(&self) -> i64 {
        i64::try_from(self.bytes.len()).unwrap_or(i64::MAX)
    }

    /// Its bytes in base64 (RFC 4648 §4).
    #[must_use]
    pub fn base64(&self) -> String {
        STANDARD.encode(&self.bytes)
    }
}

impl Reader {
    /// The bytes of a message, fetched now; whole, or not at all.
    ///
    /// # Errors
    /// `not_found` where it is not in reach or lies nowhere any more; `over_limit` where it is larger than
    /// `max_bytes`; `stale` where its place means another message now; what the server, the disk or the credential
    /// met.
    pub async fn raw(&self, services: &Arc<Services>, id: &MessageId, max_bytes: i64) -> Result<Raw> {
        let max = u64::try_from(max_bytes).unwrap_or(0);
        let target = self.with(|c| target(c, id))?.ok_or_else(gone)?;
        let account = services.store.read(|c| accounts::load(c, target.account()))?;
        let bytes = match &account.place {
            accounts::Place::Maildir(root) => {
                let root = root.clone();
                tokio::task::spawn_blocking(move || of_maildir(&root, &target, max))
                    .await
                    .map_err(|_| Error::internal())??
            }
            accounts::Place::Imap(place) => of_server(services, &account, place, &target, max).await?,
        };
        Ok(Raw { bytes })
    }
}

/// From the first of its files that is there.
fn of_maildir(root: &Path, target: &Target, max: u64) -> Result<Vec<u8>> {
    for place in target.places() {
        let Some(name) = place.name() else { continue };
        let folder = sync::folder_path(root, place.wire_name());
        let Some(file) = sync::locate(&folder, name, place.file()) else {
            continue;
        };
        return file_below(root, &folder.join(file), max);
    }
    Err(gone())
}

/// Reads a regular file below a folder, through no link on the way.
fn file_below(root: &Path, path: &Path, max: u64) -> Result<Vec<u8>> {
    let below = path.strip_prefix(root).map_err(|_| Error::internal())?;
    let mut at = root.to_owned();
    for part in below.components() {
        at.push(part);
        if !fs::symlink_metadata(&at).is_ok_and(|m| m.is_dir() || m.is_file()) {
            return Err(left_alone());
        }
    }
    let mut options = fs::OpenOptions::new();
    options.read(true);
    // Between the look and the opening it may have become a link, or a pipe, which would block.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let file = options.open(path).map_err(|_| left_alone())?;
    let found = file.metadata().map_err(|_| left_alone())?;
    if !found.is_file() {
        return Err(left_alone());
    }
    if found.len() > max {
        return Err(too_large(max));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(found.len()).unwrap_or(0));
    file.take(max.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|_| left_alone())?;
    if bytes.len() as u64 > max {
        return Err(too_large(max));
    }
    Ok(bytes)
}

async fn of_server(
    services: &Arc<Services>,
    account: &accounts::Account,
    place: &ImapPlace,
    target: &Target,
    max: u64,
) -> Result<Vec<u8>> {
    if account.marks_on_read {
        return Err(Error::new(
            Code::Refused,
            "The account's server marks mail read by itself; no more of its mail is fetched until a person says so.",
        ));
    }
    if target.places().is_empty() {
        return Err(gone());
    }
    let session = sync::connect(services, account, place).await?;
    let mut reader = oaken_wire_imap::Reader::new(session);
    for at in target.places() {
        if let Some(bytes) = at_place(&mut reader, at, max).await? {
            reader.into_session().logout().await;
            return Ok(bytes);
        }
    }
    Err(gone())
}

async fn at_place(reader: &mut oaken_wire_imap::Reader, at: &Place, max: u64) -> Result<Option<Vec<u8>>> {
    let Ok(uid) = u32::try_from(at.uid()) else {
        return Ok(None);
    };
    let opened = reader.examine(at.wire_name(), false).await?;
    if at.uid_validity() != Some(i64::from(opened.uid_validity)) {
        return Err(Error::new(
            Code::Stale,
            "The folder was made anew on the server since it was synced; sync the account and try again.",
        ));
    }
    let mut bytes = Vec::new();
    match reader
        .fetch_raw(uid, max, |piece| bytes.extend_from_slice(piece))
        .await?
    {
        Some(raw) if raw.complete => Ok(Some(bytes)),
        Some(_) => Err(too_large(max)),
        None => Ok(None),
    }
}

fn gone() -> Error {
    Error::not_found("/message_id")
}

fn left_alone() -> Error {
    Error::new(
        Code::Refused,
        "The message's file was left alone: it is a link, no regular file, or cannot be read.",
    )
}

fn too_large(max: u64) -> Error {
    Error::new(
        Code::OverLimit,
        "The message is larger than {max} bytes, the most that one answer holds (operations.max_raw_bytes).",
    )
    .with("max", Param::Int(i64::try_from(max).unwrap_or(i64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_whole_or_not_at_all_and_through_no_link() {
        let dir = tempfile::tempdir().expect("a folder");
        let root = dir.path().join("mail");
        fs::create_dir_all(root.join("cur")).expect("made");
        fs::write(root.join("cur/one"), b"12345").expect("written");
        fs::write(dir.path().join("secret"), b"key").expect("written");
        assert_eq!(
            file_below(&root, &root.join("cur/one"), 5).expect("read"),
            b"12345"
        );
        assert_eq!(
            file_below(&root, &root.join("cur/one"), 4)
                .expect_err("large")
                .code(),
            Code::OverLimit
        );
        assert_eq!(
            file_below(&root, &root.join("cur/none"), 4)
                .expect_err("missing")
                .code(),
            Code::Refused
        );
        assert_eq!(
            file_below(&root, &root.join("cur"), 4)
                .expect_err("a folder")
                .code(),
            Code::Refused
        );
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(dir.path().join("secret"), root.join("cur/link")).expect("linked");
            std::os::unix::fs::symlink(dir.path(), root.join(".Out")).expect("linked");
            for path in ["cur/link", ".Out/secret"] {
                assert_eq!(
                    file_below(&root, &root.join(path), 9).expect_err("a link").code(),
                    Code::Refused
                );
            }
        }
    }

    #[test]
    fn base64_is_the_standard_one() {
        let raw = Raw {
            bytes: b"\xff\xfe?".to_vec(),
        };
        assert_eq!((raw.size_bytes(), raw.base64().as_str()), (3, "//4/"));
    }
}
