//! Cursors: where a page ended, as an opaque word. Keyset, never an offset: what arrives or goes meanwhile neither
//! repeats nor skips a row.
//!
//! It holds the time and the id of the last row, which the caller was shown; no row number, which would tell how
//! much other mail there is. Deliberately absent: binding to a caller. A cursor opens nothing, it only begins later.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use oaken_core::{Error, Fault, Result};
use serde::{Deserialize, Serialize};

const VERSION: u8 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    v: u8,
    l: String,
    t: i64,
    i: String,
}

/// The end of a page: the time and the id of its last row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    pub time: i64,
    pub id: String,
}

impl Cursor {
    /// As it is given out, for one kind of list.
    pub(super) fn write(list: &str, time: i64, id: &str) -> String {
        let written = Written {
            v: VERSION,
            l: list.to_owned(),
            t: time,
            i: id.to_owned(),
        };
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(&written).unwrap_or_default())
    }

    /// From what a caller gave; strictly what [`Cursor::write`] made for the same kind of list.
    pub(super) fn read(list: &str, given: Option<&str>) -> Result<Option<Cursor>> {
        let Some(given) = given else { return Ok(None) };
        let written: Option<Written> = URL_SAFE_NO_PAD
            .decode(given)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        match written {
            Some(w) if w.v == VERSION && w.l == list => Ok(Some(Cursor { time: w.t, id: w.i })),
            _ => Err(refused()),
        }
    }
}

/// A cursor that is none, of another list, or whose row is gone for good.
pub(super) fn refused() -> Error {
    Error::invalid(vec![Fault::new("/cursor", "is no cursor of this list").accepts(
        "the next_cursor of an answer to the same query; leave it out to begin again",
        vec![],
    )])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(given: &str, accepted: bool) {
        assert_eq!(Cursor::read("messages", Some(given)).is_ok(), accepted, "{given}");
    }

    #[test]
    fn only_what_was_given_out_is_taken_back() {
        let given = Cursor::write("messages", -5, "m_7f3k9q2t0b");
        assert!(given.len() <= 200);
        let read = Cursor::read("messages", Some(&given))
            .expect("a cursor")
            .expect("given");
        assert_eq!((read.time, read.id.as_str()), (-5, "m_7f3k9q2t0b"));
        check(&given, true);
        check(&format!("{given}="), false);
        check(&Cursor::write("mailbox", 1, "t_7f3k9q2t0b"), false);
        check("", false);
        check("not a cursor", false);
        check(
            &URL_SAFE_NO_PAD.encode(r#"{"v":2,"l":"messages","t":1,"i":"x"}"#),
            false,
        );
        check(
            &URL_SAFE_NO_PAD.encode(r#"{"v":1,"l":"messages","t":1,"i":"x","more":1}"#),
            false,
        );
        check(
            &URL_SAFE_NO_PAD.encode(r#"{"v":1,"l":"messages","t":"1","i":"x"}"#),
            false,
        );
        assert_eq!(Cursor::read("messages", None).expect("none"), None);
        assert_eq!(refused().code(), oaken_core::Code::InvalidInput);
    }
}
