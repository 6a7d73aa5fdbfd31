//! One response, read: what kind it is, its status and response code (RFC 3501 §7, RFC 5530).
//!
//! Human-readable text is looked at for what some servers say there only, that they are overloaded (case C11), and goes
//! no further.

use std::ops::RangeInclusive;

use crate::capabilities::Capabilities;
use crate::cursor::Cursor;
use crate::error::Fallible;
use crate::fetch::Fetched;
use crate::folder::{self, Listed, Status};
use crate::guard::Frame;
use crate::namespace::Namespaces;
use crate::{Phase, Protocol, Reason, Refusal, flag, sets};

/// The word of a status response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Ok,
    No,
    Bad,
    Bye,
    Preauth,
}

/// A response code. What is not acted on is `Other`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Hint {
    Capability(Capabilities),
    PermanentFlags(Vec<String>),
    UidNext(u32),
    UidValidity(u32),
    HighestModseq(u64),
    NoModseq,
    ReadOnly,
    ReadWrite,
    Modified(Vec<RangeInclusive<u32>>),
    Named(String),
}

/// A status response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub word: Word,
    pub hint: Option<Hint>,
    /// What the text said of the server's load.
    pub notice: Option<Notice>,
}

/// What some servers say in words only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// Slow down, for so many seconds if it said so.
    Throttled(Option<u64>),
    /// Not now.
    Unavailable,
}

/// Any response.
#[derive(Debug)]
pub(crate) enum Response<'a> {
    Continue,
    Tagged(&'a [u8], Outcome),
    Status(Outcome),
    Capability(Capabilities),
    Exists(u32),
    Expunge,
    Fetch(Fetched<'a>),
    Flags,
    List(Option<Listed>),
    FolderStatus(Option<(Vec<u8>, Status)>),
    Namespaces(Option<Namespaces>),
    Search(Cursor<'a>),
    Esearch(Cursor<'a>),
    Other,
}

impl<'a> Response<'a> {
    /// Reads a frame. A data response that cannot be read is `Other` or says so in its own type: one odd message
    /// must not cost the others. What is no response at all is an error, since the framing is then lost.
    pub fn read(frame: &'a Frame) -> Fallible<Self> {
        let mut c = Cursor::new(frame);
        if c.eat(b'+') {
            return Ok(Response::Continue);
        }
        if c.eat(b'*') && c.eat(b' ') {
            return Ok(data(&mut c));
        }
        let mut c = Cursor::new(frame);
        let tag = c.atom();
        c.spaces();
        match (tag, word(&mut c)) {
            (Some(tag), Some(word)) => Ok(Response::Tagged(tag, outcome(&mut c, word))),
            _ => Err(Reason::Protocol(Protocol::Response)),
        }
    }
}

fn word(c: &mut Cursor<'_>) -> Option<Word> {
    [
        ("OK", Word::Ok),
        ("NO", Word::No),
        ("BAD", Word::Bad),
        ("BYE", Word::Bye),
        ("PREAUTH", Word::Preauth),
    ]
    .into_iter()
    .find_map(|(text, word)| c.eat_word(text).then_some(word))
}

fn data<'a>(c: &mut Cursor<'a>) -> Response<'a> {
    c.spaces();
    if let Some(word) = word(c) {
        return Response::Status(outcome(c, word));
    }
    if let Some(n) = c.number::<u32>() {
        c.spaces();
        return match c.atom().map(<[u8]>::to_ascii_uppercase).as_deref() {
            Some(b"EXISTS") => Response::Exists(n),
            Some(b"EXPUNGE") => Response::Expunge,
            Some(b"FETCH") => Response::Fetch(Fetched::read(c)),
            _ => Response::Other,
        };
    }
    match c.atom().map(<[u8]>::to_ascii_uppercase).as_deref() {
        Some(b"CAPABILITY") => Response::Capability(Capabilities::read(c)),
        Some(b"FLAGS") => Response::Flags,
        Some(b"LIST") => Response::List(folder::read_list(c)),
        Some(b"STATUS") => Response::FolderStatus(folder::read_status(c)),
        Some(b"NAMESPACE") => Response::Namespaces(Namespaces::read(c)),
        Some(b"SEARCH") => Response::Search(c.clone()),
        Some(b"ESEARCH") => Response::Esearch(c.clone()),
        _ => Response::Other,
    }
}

fn outcome(c: &mut Cursor<'_>, word: Word) -> Outcome {
    c.spaces();
    let hint = if c.eat(b'[') { hint(c) } else { None };
    let text = String::from_utf8_lossy(&c.rest()[..c.rest().len().min(400)]).to_ascii_lowercase();
    let notice = match &hint {
        Some(Hint::Named(name)) if name == "THROTTLED" => Some(Notice::Throttled(seconds(&text))),
        _ => notice(&text),
    };
    Outcome { word, hint, notice }
}

fn hint(c: &mut Cursor<'_>) -> Option<Hint> {
    let name = String::from_utf8_lossy(c.atom()?).to_ascii_uppercase();
    c.spaces();
    match name.as_str() {
        "CAPABILITY" => Some(Hint::Capability(Capabilities::read(c))),
        "PERMANENTFLAGS" => flag::read_list(c).map(Hint::PermanentFlags),
        "UIDNEXT" => c.number().map(Hint::UidNext),
        "UIDVALIDITY" => c.number().map(Hint::UidValidity),
        "HIGHESTMODSEQ" => c.number().map(Hint::HighestModseq),
        "NOMODSEQ" => Some(Hint::NoModseq),
        "READ-ONLY" => Some(Hint::ReadOnly),
        "READ-WRITE" => Some(Hint::ReadWrite),
        "MODIFIED" => c.atom().and_then(sets::parse).map(Hint::Modified),
        _ => Some(Hint::Named(name)),
    }
}

/// Exchange: `Request is throttled. Suggested Backoff Time: 299597 milliseconds`, and, when its own back end is lost,
/// `User is authenticated but not connected`. Gmail: `[ALERT] Too many simultaneous connections`.
fn notice(text: &str) -> Option<Notice> {
    if text.contains("request is throttled") || text.contains("backoff time") {
        return Some(Notice::Throttled(seconds(text)));
    }
    [
        "too many simultaneous connections",
        "authenticated but not connected",
    ]
    .iter()
    .any(|phrase| text.contains(phrase))
    .then_some(Notice::Unavailable)
}

/// The first number behind `backoff time:`, in milliseconds as Exchange means it; at most a day.
fn seconds(text: &str) -> Option<u64> {
    let (_, after) = text.split_once("backoff time:")?;
    let digits: String = after
        .trim_start()
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits
        .parse::<u64>()
        .ok()
        .map(|ms| ms.div_ceil(1000).clamp(1, 86_400))
}

impl Outcome {
    /// The reason that a NO, BAD or BYE stands for.
    pub fn reason(&self, phase: Phase) -> Reason {
        match self.notice {
            Some(Notice::Throttled(seconds)) => return Reason::Throttled { seconds },
            Some(Notice::Unavailable) => return Reason::Unavailable,
            None => {}
        }
        let name = match &self.hint {
            Some(Hint::Named(name)) => name.as_str(),
            _ => "",
        };
        match name {
            "UNAVAILABLE" | "INUSE" | "LIMIT" => return Reason::Unavailable,
            "AUTHENTICATIONFAILED" => return Reason::AuthenticationFailed,
            "EXPIRED" => return Reason::Expired,
            "AUTHORIZATIONFAILED" | "CONTACTADMIN" | "WEBALERT" => return Reason::AuthorizationFailed,
            "PRIVACYREQUIRED" => return Reason::NoPasswordLogin,
            _ => {}
        }
        match (self.word, phase, name) {
            (Word::Bye, _, _) => Reason::Bye,
            // A temporary fault of the server must not look like a wrong password, which only a person can mend.
            (Word::No, Phase::Login, "SERVERBUG" | "CORRUPTION" | "OVERQUOTA") => Reason::Unavailable,
            (Word::No, Phase::Login, _) => Reason::AuthenticationFailed,
            (Word::Bad, _, _) => Reason::No(phase, Refusal::Bad),
            (_, _, "NONEXISTENT" | "TRYCREATE") => Reason::No(phase, Refusal::NonExistent),
            (_, _, "NOPERM") => Reason::No(phase, Refusal::NoPermission),
            (_, _, "CANNOT") => Reason::No(phase, Refusal::Cannot),
            (_, _, "OVERQUOTA") => Reason::No(phase, Refusal::OverQuota),
            (_, _, "SERVERBUG" | "CORRUPTION") => Reason::No(phase, Refusal::ServerBug),
            _ => Reason::No(phase, Refusal::Unsaid),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, phase: Phase, expected: Reason) {
        let frame = Frame {
            bytes: line.as_bytes().to_vec(),
            literals: vec![],
        };
        let outcome = match Response::read(&frame) {
            Ok(Response::Tagged(_, o) | Response::Status(o)) => o,
            other => panic!("{other:?}"),
        };
        assert_eq!(outcome.reason(phase), expected);
    }

    #[test]
    fn refusals_become_reasons() {
        use Phase::{Fetch, Login, Select};
        check(
            "a1 NO [AUTHENTICATIONFAILED] sorry",
            Login,
            Reason::AuthenticationFailed,
        );
        check("a1 NO sorry", Login, Reason::AuthenticationFailed);
        check("a1 NO [UNAVAILABLE] later", Login, Reason::Unavailable);
        check("a1 NO [INUSE] later", Login, Reason::Unavailable);
        check("a1 NO [EXPIRED] old", Login, Reason::Expired);
        check("a1 NO [CONTACTADMIN] x", Login, Reason::AuthorizationFailed);
        check("a1 NO [SERVERBUG] x", Login, Reason::Unavailable);
        check(
            "a1 NO [ALERT] Too many simultaneous connections. (Failure)",
            Login,
            Reason::Unavailable,
        );
        check(
            "a1 BAD User is authenticated but not connected.",
            Select,
            Reason::Unavailable,
        );
        check("a1 BAD what", Login, Reason::No(Login, Refusal::Bad));
        check(
            "a1 NO [NONEXISTENT] no",
            Select,
            Reason::No(Select, Refusal::NonExistent),
        );
        check("a1 no", Fetch, Reason::No(Fetch, Refusal::Unsaid));
        check("* BYE over", Fetch, Reason::Bye);
    }

    #[test]
    fn throttles_are_heard_wherever_they_come() {
        let wait = |seconds| Reason::Throttled { seconds };
        check("a1 NO [THROTTLED] slow down", Phase::Login, wait(None));
        check(
            "a1 BAD Request is throttled. Suggested Backoff Time: 299597 milliseconds",
            Phase::Fetch,
            wait(Some(300)),
        );
        check(
            "* BYE Request is throttled. Suggested Backoff Time: 5",
            Phase::Fetch,
            wait(Some(1)),
        );
        check("a1 NO Request is throttled", Phase::Fetch, wait(None));
        check(
            "a1 NO backoff time: 999999999999999",
            Phase::Fetch,
            wait(Some(86_400)),
        );
        check(
            "a1 NO [THROTTLED] Backoff Time: 99999999999999999999999",
            Phase::Fetch,
            wait(None),
        );
    }

    #[test]
    fn what_is_no_response_is_said() {
        for line in [
            "",
            "garbage",
            "<html>",
            "a1",
            "a1 MAYBE",
            "\u{16}\u{3}\u{1}",
            "(",
            "*",
        ] {
            let frame = Frame {
                bytes: line.as_bytes().to_vec(),
                literals: vec![],
            };
            assert!(
                matches!(Response::read(&frame), Err(Reason::Protocol(Protocol::Response))),
                "{line}"
            );
        }
    }

    #[test]
    fn hints_are_read() {
        let hint = |line: &str| {
            let frame = Frame {
                bytes: line.as_bytes().to_vec(),
                literals: vec![],
            };
            match Response::read(&frame) {
                Ok(Response::Tagged(_, o) | Response::Status(o)) => o.hint,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(hint("* OK [UIDVALIDITY 12] x"), Some(Hint::UidValidity(12)));
        assert_eq!(hint("* OK [uidnext 4294967296] x"), None);
        assert_eq!(
            hint("* OK [HIGHESTMODSEQ 18446744073709551615]"),
            Some(Hint::HighestModseq(u64::MAX))
        );
        assert_eq!(
            hint("a1 OK [MODIFIED 7,9:8] x"),
            Some(Hint::Modified(vec![7..=7, 8..=9]))
        );
        assert_eq!(hint("a1 OK [READ-WRITE] x"), Some(Hint::ReadWrite));
        assert_eq!(
            hint("* OK [PERMANENTFLAGS (\\seen $Foo \\*)] x"),
            Some(Hint::PermanentFlags(vec![
                "$Foo".into(),
                "\\*".into(),
                "\\Seen".into()
            ]))
        );
        match hint("* OK [CAPABILITY IMAP4rev1  SASL-IR auth=plain ] ready") {
            Some(Hint::Capability(c)) => {
                assert_eq!(
                    c.iter().collect::<Vec<_>>(),
                    ["AUTH=PLAIN", "IMAP4REV1", "SASL-IR"]
                );
            }
            other => panic!("{other:?}"),
        }
    }
}
