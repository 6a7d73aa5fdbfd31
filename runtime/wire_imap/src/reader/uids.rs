//! Which messages are there: UID SEARCH ALL, held against the number the mailbox was opened with (case C01).

use super::Reader;
use crate::command::Command;
use crate::cursor::Cursor;
use crate::error::Fallible;
use crate::response::Response;
use crate::{Phase, Protocol, Reason, WireError, sets};

/// The messages of a mailbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UidList {
    /// In order, each once.
    pub uids: Vec<u32>,
    /// Whether there are as many as the server says the mailbox holds. If not, the list must not be taken as proof
    /// that a message is gone.
    pub confirmed: bool,
}

impl Reader {
    /// All UIDs of the open mailbox. Where the search and the count differ, the messages are asked one by one.
    ///
    /// # Errors
    /// Those of a command; no open mailbox; more UIDs than the mailbox can hold.
    pub async fn uids(&mut self) -> Result<UidList, WireError> {
        if self.selected()? == 0 {
            return Ok(UidList {
                uids: vec![],
                confirmed: true,
            });
        }
        let found = match self.search().await {
            Ok(found) if found.len() == self.session.wire.exists() as usize => {
                return Ok(UidList {
                    uids: found,
                    confirmed: true,
                });
            }
            Ok(found) => found,
            Err(e) if matches!(e.reason, Reason::No(..)) => vec![],
            Err(e) => return Err(e),
        };
        let fetched = self.enumerate().await?;
        let mut uids = found;
        uids.extend(fetched);
        uids.sort_unstable();
        uids.dedup();
        let confirmed = uids.len() == self.session.wire.exists() as usize;
        Ok(UidList { uids, confirmed })
    }

    /// ESEARCH where it is offered (RFC 4731): ranges instead of a number for each message.
    async fn search(&mut self) -> Result<Vec<u32>, WireError> {
        let text = if self.session.capabilities.has("ESEARCH") {
            "UID SEARCH RETURN (ALL) ALL"
        } else {
            "UID SEARCH ALL"
        };
        let mut exists = self.session.wire.exists();
        let mut uids = vec![];
        self.session
            .wire
            .exec(Command::new(Phase::Search, text), |response| {
                match response {
                    Response::Search(c) => numbers(c, exists, &mut uids)?,
                    Response::Esearch(c) => extended(c, exists, &mut uids)?,
                    Response::Exists(n) => exists = exists.max(n),
                    _ => {}
                }
                Ok(())
            })
            .await?;
        uids.sort_unstable();
        uids.dedup();
        Ok(uids)
    }

    async fn enumerate(&mut self) -> Result<Vec<u32>, WireError> {
        let mut exists = self.session.wire.exists();
        let mut uids = vec![];
        self.session
            .wire
            .exec(Command::new(Phase::Fetch, "UID FETCH 1:* (UID)"), |response| {
                match response {
                    Response::Fetch(f) => uids.extend(f.uid.filter(|u| *u > 0)),
                    Response::Exists(n) => exists = exists.max(n),
                    _ => {}
                }
                bounded(uids.len() as u64, exists)
            })
            .await?;
        Ok(uids)
    }
}

/// A mailbox may shrink or grow while it is listed, but not without end.
fn bounded(found: u64, exists: u32) -> Fallible<()> {
    if found > u64::from(exists) * 2 + 1_000 {
        Err(Reason::Protocol(Protocol::TooManyUids))
    } else {
        Ok(())
    }
}

fn numbers(mut c: Cursor<'_>, exists: u32, uids: &mut Vec<u32>) -> Fallible<()> {
    loop {
        c.spaces();
        let Some(uid) = c.number::<u32>() else {
            return Ok(());
        };
        uids.extend(Some(uid).filter(|u| *u > 0));
        bounded(uids.len() as u64, exists)?;
    }
}

/// `(TAG "o3") UID ALL 1:5,9`. The set is counted before it is unfolded: `1:4294967295` is a short text.
fn extended(mut c: Cursor<'_>, exists: u32, uids: &mut Vec<u32>) -> Fallible<()> {
    loop {
        c.spaces();
        if c.peek() == Some(b'(') {
            if !c.skip_value() {
                return Ok(());
            }
            continue;
        }
        let Some(word) = c.atom() else { return Ok(()) };
        if !word.eq_ignore_ascii_case(b"ALL") {
            continue;
        }
        c.spaces();
        let Some(set) = c.atom().and_then(sets::parse) else {
            return Ok(());
        };
        let count: u64 = set.iter().map(|r| u64::from(r.end() - r.start()) + 1).sum();
        bounded(uids.len() as u64 + count, exists)?;
        uids.extend(set.into_iter().flatten());
    }
}
