//! A whole message, piece by piece: memory holds one piece, whatever the message's size.

use super::Reader;
use super::gather::{Request, gather};
use crate::{Protocol, Reason, WireError};

/// How the streaming of a message ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw {
    /// Bytes handed over.
    pub bytes: u64,
    /// Whether that is all; `false` when the message is larger than was allowed.
    pub complete: bool,
}

impl Reader {
    /// Streams a message to `on`, at most `max_bytes` of it; `None` if it is gone.
    ///
    /// # Errors
    /// Those of a command; an answer without the data. What `on` got before an error is not the message.
    pub async fn fetch_raw(
        &mut self,
        uid: u32,
        max_bytes: u64,
        mut on: impl FnMut(&[u8]) + Send,
    ) -> Result<Option<Raw>, WireError> {
        self.selected()?;
        let piece = self.session.wire.limits().piece.max(1);
        let mut done = 0u64;
        loop {
            let no_data = Reason::Protocol(Protocol::NoData);
            let origin = u32::try_from(done).map_err(|_| self.session.wire.error(no_data))?;
            let request = Request {
                items: format!("UID RFC822.SIZE BODY.PEEK[]<{origin}.{piece}>"),
                section: Some(""),
                origin,
                flags: false,
                modseq: false,
                date: false,
                at_once: 1,
            };
            let mut got = None;
            let report = gather(&mut self.session.wire, &request, &[uid], |_, g| {
                got = g.data.map(|data| (data, g.size.unwrap_or(0)));
                true
            })
            .await?;
            let Some((data, size)) = got else {
                // Past the end some servers say NIL; at the start that is no answer.
                return match (done, report.damaged.is_empty() && report.unreadable == 0) {
                    (0, true) => Ok(None),
                    (0, false) => Err(self.session.wire.error(no_data)),
                    (_, true) => Err(self.session.wire.error(no_data)),
                    (_, false) => Ok(Some(Raw {
                        bytes: done,
                        complete: true,
                    })),
                };
            };
            if done == 0 && data.is_empty() && size > 0 {
                return Err(self.session.wire.error(no_data));
            }
            let room = max_bytes - done;
            let n = data.len() as u64;
            on(&data[..usize::try_from(n.min(room)).unwrap_or(data.len()).min(data.len())]);
            if n > room {
                return Ok(Some(Raw {
                    bytes: max_bytes,
                    complete: false,
                }));
            }
            done += n;
            // A server that knows no partial fetch sends all at once. A short piece is the last one, unless the
            // size says otherwise; the size alone proves nothing, some servers guess it.
            let all_at_once = origin == 0 && n > u64::from(piece);
            if all_at_once || n == 0 || (n < u64::from(piece) && done >= size) {
                return Ok(Some(Raw {
                    bytes: done,
                    complete: true,
                }));
            }
        }
    }
}
