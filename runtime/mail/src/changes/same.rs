//! Before a write: whether the message at a UID is still the one that was meant. A server may keep its UIDVALIDITY and
//! give the UIDs to other messages; so the headers are looked at once more, without marking anything.

use std::collections::{HashMap, HashSet};

use oaken_core::Result;
use oaken_store::rusqlite::Connection;
use oaken_store::{OrFault, Store};
use oaken_wire_imap::{Reader, Session, WireError};

use crate::reader::{Place, Target};

/// What the headers of a message said when it was synced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Headers {
    message_id: Option<String>,
    sent: Option<i64>,
}

/// A place, and what the headers of the message that lies there should say; nothing where the server never gave them.
#[derive(Clone, Copy)]
pub(super) struct Expected<'a> {
    pub place: &'a Place,
    pub headers: Option<&'a Headers>,
}

/// The headers of these messages, by their rows.
pub(super) fn headers(store: &Store, targets: &[Target]) -> Result<HashMap<i64, Headers>> {
    store.read(|c| {
        let mut found = HashMap::new();
        for target in targets {
            if let Some(headers) = of(c, target.row())? {
                found.insert(target.row(), headers);
            }
        }
        Ok(found)
    })
}

fn of(c: &Connection, message: i64) -> Result<Option<Headers>> {
    c.prepare_cached(
        "SELECT message_id, sent FROM message_row
         WHERE row = ?1 AND (message_id IS NOT NULL OR sent IS NOT NULL)",
    )
    .or_fault()?
    .query_map([message], |r| {
        Ok(Headers {
            message_id: r.get(0)?,
            sent: r.get(1)?,
        })
    })
    .or_fault()?
    .next()
    .transpose()
    .or_fault()
}

/// The UIDs at which what is expected lies, or nothing does: that one is for the write to tell.
///
/// # Errors
/// Those of the wire; another UIDVALIDITY is left to the writer, which refuses it.
pub(super) async fn check(
    session: Session,
    folder: &str,
    uid_validity: u32,
    places: &[Expected<'_>],
) -> std::result::Result<(Session, HashSet<i64>), WireError> {
    let mut same: HashSet<i64> = places.iter().map(|p| p.place.uid()).collect();
    let expected: HashMap<u32, &Headers> = places
        .iter()
        .filter_map(|p| Some((u32::try_from(p.place.uid()).ok()?, p.headers?)))
        .collect();
    let mut reader = Reader::new(session);
    if reader.examine(folder, false).await?.uid_validity == uid_validity && !expected.is_empty() {
        let uids: Vec<u32> = expected.keys().copied().collect();
        reader
            .fetch_meta(&uids, |meta| {
                let is_same = expected
                    .get(&meta.uid)
                    .is_some_and(|headers| is_same(headers, &meta.header));
                if !is_same {
                    same.remove(&i64::from(meta.uid));
                }
            })
            .await?;
    }
    Ok((reader.into_session(), same))
}

fn is_same(expected: &Headers, header: &[u8]) -> bool {
    let view = oaken_mime::parse_headers(header);
    view.message_id == expected.message_id && view.date == expected.sent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message_id: Option<&str>, sent: Option<i64>, header: &str, expected: bool) {
        let headers = Headers {
            message_id: message_id.map(str::to_owned),
            sent,
        };
        assert_eq!(is_same(&headers, header.as_bytes()), expected, "{header}");
    }

    #[test]
    fn another_message_is_told_by_its_id_or_its_date() {
        let header = "Message-ID: <a@x>\r\nDate: Mon, 30 Nov 2026 09:00:00 +0000\r\n\r\n";
        check(Some("a@x"), Some(1_796_029_200), header, true);
        check(Some("b@x"), Some(1_796_029_200), header, false);
        check(Some("a@x"), Some(1_796_029_201), header, false);
        check(Some("a@x"), None, "Message-ID: <a@x>\r\n\r\n", true);
        check(Some("a@x"), None, "", false);
    }
}
