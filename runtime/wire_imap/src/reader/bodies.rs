//! What is fetched of messages: metadata, flags, and bodies up to a size. Always `BODY.PEEK`, so that no message is
//! marked read by being read.

use super::Reader;
use super::gather::{FetchReport, Gathered, Request, gather};
use crate::command::Command;
use crate::response::Response;
use crate::{Phase, Reason, UidRange, WireError};

/// A message's metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meta {
    /// UID.
    pub uid: u32,
    /// Flags in order, system flags in their usual case.
    pub flags: Vec<String>,
    /// INTERNALDATE in seconds since 1970, where the server wrote a date.
    pub internal_date: Option<i64>,
    /// RFC822.SIZE in bytes.
    pub size: Option<u64>,
    /// MODSEQ, with CONDSTORE.
    pub modseq: Option<u64>,
    /// The header block as it is.
    pub header: Vec<u8>,
    /// Whether that is all of it; a header over [`crate::Limits::header`] is cut.
    pub header_complete: bool,
}

/// A message's flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlagState {
    /// UID.
    pub uid: u32,
    /// Flags in order, system flags in their usual case.
    pub flags: Vec<String>,
    /// MODSEQ, with CONDSTORE.
    pub modseq: Option<u64>,
}

/// Bytes of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// UID.
    pub uid: u32,
    /// The bytes, from the first on.
    pub bytes: Vec<u8>,
    /// Whether that is all. `false` says that there may be more.
    pub complete: bool,
    /// RFC822.SIZE of the whole message, where the server told.
    pub size: Option<u64>,
}

/// Which bytes of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Section {
    /// All of it.
    Whole,
    /// All but the header.
    Text,
    /// A part by its numbers: `[1, 2]` is `1.2` (RFC 3501 §6.4.5), still encoded.
    Part(Vec<u32>),
}

impl Section {
    fn text(&self) -> Result<String, Reason> {
        match self {
            Section::Whole => Ok(String::new()),
            Section::Text => Ok("TEXT".into()),
            Section::Part(path) if (1..=50).contains(&path.len()) && !path.contains(&0) => {
                Ok(path.iter().map(u32::to_string).collect::<Vec<_>>().join("."))
            }
            Section::Part(_) => Err(Reason::Argument("part")),
        }
    }
}

impl Reader {
    /// Flags, date, size, mod-sequence and header of these messages, in the order the server answers.
    ///
    /// # Errors
    /// Those of a command. What one message lacks is in the report, not an error.
    pub async fn fetch_meta(
        &mut self,
        uids: &[u32],
        mut on: impl FnMut(Meta) + Send,
    ) -> Result<FetchReport, WireError> {
        self.selected()?;
        let limits = self.session.wire.limits();
        let (most, at_once) = (limits.header, limits.headers_at_once);
        let modseq = self.modseq;
        let request = Request {
            items: format!(
                "UID FLAGS INTERNALDATE RFC822.SIZE {}BODY.PEEK[HEADER]<0.{most}>",
                if modseq { "MODSEQ " } else { "" }
            ),
            section: Some("HEADER"),
            origin: 0,
            flags: true,
            modseq,
            date: true,
            at_once,
        };
        gather(&mut self.session.wire, &request, uids, |uid, g| {
            let mut header = g.data.unwrap_or_default();
            let header_complete = header.len() < most as usize;
            header.truncate(most as usize);
            on(Meta {
                uid,
                flags: g.flags.unwrap_or_default(),
                internal_date: g.internal_date.flatten(),
                size: g.size,
                modseq: g.modseq,
                header,
                header_complete,
            });
            true
        })
        .await
    }

    /// Flags of the messages in a range; with `changed_since` only of those that changed after that mod-sequence
    /// (RFC 7162 §3.1.4).
    ///
    /// # Errors
    /// Those of a command; [`Reason::Unsupported`] for `changed_since` where the mailbox keeps no
    /// mod-sequences.
    pub async fn fetch_flags(
        &mut self,
        range: UidRange,
        changed_since: Option<u64>,
        mut on: impl FnMut(FlagState) + Send,
    ) -> Result<FetchReport, WireError> {
        let mut report = FetchReport::default();
        // Exchange answers BAD to 1:* in an empty mailbox.
        if self.selected()? == 0 {
            return Ok(report);
        }
        let mut text = format!(
            "UID FETCH {range} (UID FLAGS{})",
            if self.modseq { " MODSEQ" } else { "" }
        );
        if let Some(modseq) = changed_since {
            if !self.modseq {
                return Err(self.session.wire.error(Reason::Unsupported("CONDSTORE")));
            }
            text.push_str(&format!(" (CHANGEDSINCE {modseq})"));
        }
        self.session
            .wire
            .exec(Command::new(Phase::Fetch, &text), |response| {
                let Response::Fetch(f) = response else {
                    return Ok(());
                };
                match (f.uid, f.flags) {
                    (Some(uid), Some(flags)) if uid > 0 && range.contains(uid) => {
                        report.delivered += 1;
                        on(FlagState {
                            uid,
                            flags,
                            modseq: f.modseq,
                        });
                    }
                    (Some(uid), None) if f.damaged && range.contains(uid) => report.damaged.push(uid),
                    (None, _) if f.damaged => report.unreadable += 1,
                    _ => {}
                }
                Ok(())
            })
            .await?;
        Ok(report)
    }

    /// The first `max_bytes` of each of these messages.
    ///
    /// # Errors
    /// Those of a command. What one message lacks is in the report.
    pub async fn fetch_full(
        &mut self,
        uids: &[u32],
        max_bytes: u32,
        on: impl FnMut(Body) + Send,
    ) -> Result<FetchReport, WireError> {
        self.fetch_section(uids, &Section::Whole, max_bytes, on).await
    }

    /// The first `max_bytes` behind a message's header; `None` if it is gone.
    ///
    /// # Errors
    /// Those of a command, and an answer without the text.
    pub async fn fetch_text(&mut self, uid: u32, max_bytes: u32) -> Result<Option<Body>, WireError> {
        self.fetch_one(uid, &Section::Text, max_bytes).await
    }

    /// The first `max_bytes` of one part of a message, as encoded; `None` if the message is gone.
    ///
    /// # Errors
    /// Those of a command, an answer without the part, and a path that is none.
    pub async fn fetch_part(
        &mut self,
        uid: u32,
        part: &[u32],
        max_bytes: u32,
    ) -> Result<Option<Body>, WireError> {
        self.fetch_one(uid, &Section::Part(part.to_vec()), max_bytes)
            .await
    }

    async fn fetch_one(
        &mut self,
        uid: u32,
        section: &Section,
        max_bytes: u32,
    ) -> Result<Option<Body>, WireError> {
        let mut found = None;
        let report = self
            .fetch_section(&[uid], section, max_bytes, |b| found = Some(b))
            .await?;
        if found.is_none() && (!report.damaged.is_empty() || report.unreadable > 0) {
            return Err(self.session.wire.error(Reason::Protocol(crate::Protocol::NoData)));
        }
        Ok(found)
    }

    /// The first `max_bytes` of a section of each of these messages.
    ///
    /// # Errors
    /// Those of a command. What one message lacks is in the report.
    pub async fn fetch_section(
        &mut self,
        uids: &[u32],
        section: &Section,
        max_bytes: u32,
        mut on: impl FnMut(Body) + Send,
    ) -> Result<FetchReport, WireError> {
        self.selected()?;
        let text = section.text().map_err(|r| self.session.wire.error(r))?;
        let limits = self.session.wire.limits();
        let most = u64::from(max_bytes.max(1)).min(limits.literal);
        let at_once = limits.bodies_at_once;
        let request = Request {
            items: format!("UID RFC822.SIZE BODY.PEEK[{text}]<0.{most}>"),
            section: Some(&text),
            origin: 0,
            flags: false,
            modseq: false,
            date: false,
            at_once,
        };
        gather(&mut self.session.wire, &request, uids, |uid, g: Gathered| {
            let mut bytes = g.data.unwrap_or_default();
            // A message of some size with a body of none is an answer without data.
            if *section == Section::Whole && bytes.is_empty() && g.size != Some(0) {
                return false;
            }
            let got = bytes.len() as u64;
            let whole = *section == Section::Whole && g.size.is_some_and(|s| s == got);
            let complete = got < most || (whole && got == most);
            bytes.truncate(usize::try_from(most).unwrap_or(usize::MAX));
            on(Body {
                uid,
                bytes,
                complete,
                size: g.size,
            });
            true
        })
        .await
    }
}
