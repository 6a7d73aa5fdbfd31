//! The one error that leaves Oaken: a stable code, static sentences, typed parameters.
//!
//! There is no `From<String>` and no place for a value that somebody sent: an error names the field and what would
//! be accepted. The same object is the CLI's error line, the HTTP problem document and the MCP error result.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::{AccountId, Preview};

/// What went wrong, as a stable word with an exit code and an HTTP status (DESIGN §4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the words are their own documentation; the table is in docs/gate.md
pub enum Code {
    Internal,
    InvalidInput,
    ConfirmRequired,
    Unauthenticated,
    PresenceRequired,
    NotAvailable,
    Refused,
    OverLimit,
    Budget,
    NotFound,
    Stale,
    RemoteUnreachable,
    RemoteRefused,
    Unconfirmed,
    Busy,
    Interrupted,
}

impl Code {
    /// The word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Code::Internal => "internal",
            Code::InvalidInput => "invalid_input",
            Code::ConfirmRequired => "confirm_required",
            Code::Unauthenticated => "unauthenticated",
            Code::PresenceRequired => "presence_required",
            Code::NotAvailable => "not_available",
            Code::Refused => "refused",
            Code::OverLimit => "over_limit",
            Code::Budget => "budget",
            Code::NotFound => "not_found",
            Code::Stale => "stale",
            Code::RemoteUnreachable => "remote_unreachable",
            Code::RemoteRefused => "remote_refused",
            Code::Unconfirmed => "unconfirmed",
            Code::Busy => "busy",
            Code::Interrupted => "interrupted",
        }
    }

    /// The exit code of the command line.
    #[must_use]
    pub const fn exit(self) -> u8 {
        match self {
            Code::Internal => 1,
            Code::InvalidInput => 2,
            Code::ConfirmRequired => 3,
            Code::Unauthenticated | Code::PresenceRequired => 4,
            Code::NotAvailable | Code::Refused | Code::OverLimit | Code::Budget => 5,
            Code::NotFound => 7,
            Code::Stale => 8,
            Code::RemoteUnreachable | Code::RemoteRefused => 9,
            Code::Unconfirmed => 10,
            Code::Busy => 11,
            Code::Interrupted => 130,
        }
    }

    /// The HTTP status.
    #[must_use]
    pub const fn http(self) -> u16 {
        match self {
            Code::Internal => 500,
            Code::InvalidInput => 422,
            Code::ConfirmRequired | Code::Stale => 409,
            Code::Unauthenticated | Code::PresenceRequired => 401,
            Code::NotAvailable | Code::NotFound => 404,
            Code::Refused | Code::OverLimit | Code::Budget => 403,
            Code::RemoteUnreachable | Code::RemoteRefused | Code::Unconfirmed => 424,
            Code::Busy | Code::Interrupted => 503,
        }
    }
}

/// A typed parameter of a sentence. Only what code, settings or a person's own configuration made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Param {
    /// A number.
    Int(i64),
    /// A word of the code: a setting, an operation, a mode.
    Word(&'static str),
    /// Accounts in the caller's reach.
    Accounts(Vec<AccountId>),
    /// A host that a person configured.
    Host(String),
    /// Words that the spec lists.
    Words(&'static [&'static str]),
}

impl std::fmt::Display for Param {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Param::Int(n) => write!(f, "{n}"),
            Param::Word(w) => f.write_str(w),
            Param::Host(h) => write!(f, "{}", crate::Text::new(h.as_str())),
            Param::Words(ws) => f.write_str(&ws.join(", ")),
            Param::Accounts(ids) => {
                for (n, id) in ids.iter().enumerate() {
                    write!(f, "{}{id}", if n == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
        }
    }
}

/// A static sentence with typed parameters: `{max}` is replaced by the parameter of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    text: &'static str,
    params: Vec<(&'static str, Param)>,
}

impl std::fmt::Display for Sentence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut rest = self.text;
        while let Some((before, after)) = rest.split_once('{') {
            f.write_str(before)?;
            let Some((name, tail)) = after.split_once('}') else {
                return f.write_str(after);
            };
            match self.params.iter().find(|(n, _)| *n == name) {
                Some((_, p)) => write!(f, "{p}")?,
                None => write!(f, "{{{name}}}")?,
            }
            rest = tail;
        }
        f.write_str(rest)
    }
}

/// One fault of an input: where, what, and what would be accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The field as a JSON pointer of declared names: `/target/ids/3`; what is not declared is `*`.
    pub field: String,
    /// What is wrong.
    pub message: Sentence,
    /// What would be accepted.
    pub accepted: Option<Sentence>,
}

impl Fault {
    /// A fault at a field.
    #[must_use]
    pub fn new(field: impl Into<String>, text: &'static str) -> Self {
        Fault {
            field: field.into(),
            message: Sentence { text, params: vec![] },
            accepted: None,
        }
    }

    /// Adds a parameter to the sentence.
    #[must_use]
    pub fn with(mut self, name: &'static str, param: Param) -> Self {
        self.message.params.push((name, param));
        self
    }

    /// Says what would be accepted.
    #[must_use]
    pub fn accepts(mut self, text: &'static str, params: Vec<(&'static str, Param)>) -> Self {
        self.accepted = Some(Sentence { text, params });
        self
    }
}

/// The error of every door.
#[derive(Clone, Debug, PartialEq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    code: Code,
    message: Sentence,
    faults: Vec<Fault>,
    retry: bool,
    next: Option<&'static str>,
    preview: Option<Preview>,
    place: Option<&'static std::panic::Location<'static>>,
}

/// The result of everything that can fail towards a caller.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error with its sentence.
    #[must_use]
    pub fn new(code: Code, text: &'static str) -> Self {
        Error(Box::new(Inner {
            code,
            message: Sentence { text, params: vec![] },
            faults: vec![],
            retry: matches!(code, Code::Busy | Code::RemoteUnreachable | Code::Stale),
            next: None,
            preview: None,
            place: None,
        }))
    }

    /// Something that should not happen. Keeps the place in the code, never a cause's words.
    #[track_caller]
    #[must_use]
    pub fn internal() -> Self {
        let mut e = Error::new(
            Code::Internal,
            "Something went wrong inside Oaken; the service log names the place.",
        );
        e.0.place = Some(std::panic::Location::caller());
        e
    }

    /// The one answer for what is not offered, can never be, or does not exist.
    #[must_use]
    pub fn not_available() -> Self {
        Error::new(Code::NotAvailable, "This operation is not available.")
    }

    /// The one answer for what is missing, hidden or nonsense.
    #[must_use]
    pub fn not_found(field: impl Into<String>) -> Self {
        Error::new(Code::NotFound, "No such thing in reach.")
            .fault(Fault::new(field, "names nothing in reach"))
    }

    /// An input with faults.
    #[must_use]
    pub fn invalid(faults: Vec<Fault>) -> Self {
        let mut e = Error::new(Code::InvalidInput, "The input is not what the operation takes.");
        e.0.faults = faults;
        e
    }

    /// An input with one fault.
    #[must_use]
    pub fn invalid_field(field: impl Into<String>, text: &'static str) -> Self {
        Error::invalid(vec![Fault::new(field, text)])
    }

    /// Adds a parameter to the sentence.
    #[must_use]
    pub fn with(mut self, name: &'static str, param: Param) -> Self {
        self.0.message.params.push((name, param));
        self
    }

    /// Adds a fault.
    #[must_use]
    pub fn fault(mut self, fault: Fault) -> Self {
        self.0.faults.push(fault);
        self
    }

    /// Names the next call or command.
    #[must_use]
    pub fn next(mut self, next: &'static str) -> Self {
        self.0.next = Some(next);
        self
    }

    /// Says whether trying again can help.
    #[must_use]
    pub fn retry(mut self, retry: bool) -> Self {
        self.0.retry = retry;
        self
    }

    /// Shows what would change, to a person who has not said yes.
    #[must_use]
    pub fn preview(mut self, preview: Preview) -> Self {
        self.0.preview = Some(preview);
        self
    }

    /// Its code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// Its sentence.
    #[must_use]
    pub fn message(&self) -> String {
        self.0.message.to_string()
    }

    /// The faults of the input.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.0.faults
    }

    /// What would change, where a yes is missing.
    #[must_use]
    pub fn changes(&self) -> Option<&Preview> {
        self.0.preview.as_ref()
    }

    /// Where in the code an internal error arose.
    #[must_use]
    pub fn place(&self) -> Option<String> {
        self.0.place.map(|p| format!("{}:{}", p.file(), p.line()))
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.message)?;
        for fault in &self.0.faults {
            match fault.field.as_str() {
                "" => write!(f, " The whole {}", fault.message)?,
                field => write!(f, " {field}: {}", fault.message)?,
            }
            if let Some(a) = &fault.accepted {
                write!(f, " ({a})")?;
            }
            f.write_str(".")?;
        }
        Ok(())
    }
}
impl std::error::Error for Error {}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, s: S) -> std::result::Result<S::Ok, S::Error> {
        let mut m = s.serialize_map(None)?;
        m.serialize_entry("field", &self.field)?;
        m.serialize_entry("message", &self.message.to_string())?;
        if let Some(a) = &self.accepted {
            m.serialize_entry("accepted", &a.to_string())?;
        }
        m.end()
    }
}

/// `{code, message, retry, fields?, next?, changes?}`: the same object at every door.
impl Serialize for Error {
    fn serialize<S: Serializer>(&self, s: S) -> std::result::Result<S::Ok, S::Error> {
        let mut m = s.serialize_map(None)?;
        m.serialize_entry("code", self.0.code.word())?;
        m.serialize_entry("message", &self.0.message.to_string())?;
        m.serialize_entry("retry", &self.0.retry)?;
        if !self.0.faults.is_empty() {
            m.serialize_entry("fields", &self.0.faults)?;
        }
        if let Some(next) = self.0.next {
            m.serialize_entry("next", next)?;
        }
        if let Some(p) = &self.0.preview {
            m.serialize_entry("count", &p.changes.len())?;
            m.serialize_entry("changes", &p.changes)?;
        }
        m.end()
    }
}
