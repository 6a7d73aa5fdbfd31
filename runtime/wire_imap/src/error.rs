//! What can go wrong on the wire: static sentences and typed parameters, never a server's own words (P5).

use std::sync::Arc;

use oaken_core::{Code, Error, Param};

use crate::TlsMode;

/// Where a connection leads: what a person configured, and so what an error may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// The host.
    pub host: String,
    /// The port.
    pub port: u16,
    /// How it was to be secured.
    pub tls: TlsMode,
}

/// An error of the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireError {
    /// What went wrong.
    pub reason: Reason,
    /// With whom.
    pub peer: Arc<Peer>,
    /// Whether the command could have changed something and its answer was never seen (P8).
    pub unconfirmed: bool,
}

/// What the caller is to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// A person must mend something first: a password, a setting, the server.
    Person,
    /// Again on a new connection, with backoff.
    Later,
    /// Not before so many seconds have passed.
    After(u64),
    /// The connection is good; only this request was refused.
    No,
}

/// What a command was doing when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the words are their own documentation
pub enum Phase {
    Resolve,
    Connect,
    Tls,
    Greeting,
    StartTls,
    Capability,
    Login,
    Identify,
    List,
    Status,
    Examine,
    Select,
    Search,
    Fetch,
    Store,
    Logout,
}

/// What was wrong with TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlsFault {
    /// The chain ends at no authority that is trusted.
    UnknownIssuer,
    /// Past its end date, or before its start.
    Expired,
    /// Made for another host.
    WrongHost,
    /// Not the certificate that was pinned.
    NotPinned,
    /// Another fault of the certificate.
    Certificate,
    /// No common version, cipher or a broken record.
    Handshake,
    /// The CA file cannot be read or holds no certificate.
    CaFile,
    /// The server refused STARTTLS.
    StartTlsRefused,
    /// Bytes in clear text came after the answer to STARTTLS: somebody may have put them there.
    Injected,
    /// The session was in use before TLS was (PREAUTH).
    Preauth,
    /// Implicit TLS was asked for and clear text came back.
    PlainServer,
    /// STARTTLS was asked for and the port speaks TLS at once.
    TlsServer,
}

/// What an answer broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The first line is no greeting.
    Greeting,
    /// A line that is no response, or an answer to a command that was not sent.
    Response,
    /// A completion without the data that was asked for.
    NoData,
    /// EXAMINE was answered with READ-WRITE.
    ReadWrite,
    /// A mailbox without UIDVALIDITY.
    NoUidValidity,
    /// More messages than the mailbox holds.
    TooManyUids,
    /// A command was given up in the middle; the connection cannot be used again.
    GivenUp,
}

/// Which limit an answer passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// A line.
    Line,
    /// A literal.
    Literal,
    /// Literals in one response.
    Literals,
    /// All answers to one command.
    Answer,
    /// Folders.
    Folders,
}

/// Why the server said NO, as far as a response code told (RFC 5530).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No code, or one that does not matter here.
    Unsaid,
    /// NONEXISTENT, TRYCREATE.
    NonExistent,
    /// NOPERM.
    NoPermission,
    /// CANNOT.
    Cannot,
    /// OVERQUOTA.
    OverQuota,
    /// SERVERBUG, CORRUPTION.
    ServerBug,
    /// The server said BAD: it did not understand.
    Bad,
}

/// The reason of a [`WireError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The host's name does not resolve.
    Unresolved,
    /// Nobody answers there.
    Unreachable,
    /// TLS, see the fault.
    Tls(TlsFault),
    /// The login name or the password was refused.
    AuthenticationFailed,
    /// The password is right and has expired.
    Expired,
    /// The account may not log in this way, or not now: the provider wants its owner to act.
    AuthorizationFailed,
    /// The server offers no way to log in with a password.
    NoPasswordLogin,
    /// The server cannot just now (UNAVAILABLE, INUSE, LIMIT).
    Unavailable,
    /// The server asks to be left alone, for so many seconds if it said so.
    Throttled {
        /// As the server said.
        seconds: Option<u64>,
    },
    /// Too long.
    Timeout(Phase),
    /// The server broke the protocol.
    Protocol(Protocol),
    /// The server said NO.
    No(Phase, Refusal),
    /// The server ended the session.
    Bye,
    /// The connection ended.
    Eof,
    /// A limit of this client was passed.
    TooLarge(TooLarge),
    /// The server does not have an extension that the request needs.
    Unsupported(&'static str),
    /// The mailbox cannot be written.
    ReadOnly,
    /// No mailbox is open.
    NotSelected,
    /// The mailbox is not the one that was meant: its UIDVALIDITY is another.
    UidValidityChanged,
    /// An argument that no command can carry.
    Argument(&'static str),
}

/// What every function within this crate fails with, before the peer is put beside it.
pub(crate) type Fallible<T> = Result<T, Reason>;

impl Reason {
    /// What to do next.
    #[must_use]
    pub fn retry(self) -> Retry {
        match self {
            Reason::Throttled { seconds: Some(s) } => Retry::After(s),
            Reason::Unresolved
            | Reason::Unreachable
            | Reason::Unavailable
            | Reason::Throttled { seconds: None }
            | Reason::Timeout(_)
            | Reason::Protocol(_)
            | Reason::Bye
            | Reason::Eof
            | Reason::Tls(TlsFault::Handshake | TlsFault::Injected) => Retry::Later,
            Reason::Tls(_)
            | Reason::AuthenticationFailed
            | Reason::Expired
            | Reason::AuthorizationFailed
            | Reason::NoPasswordLogin => Retry::Person,
            Reason::No(..)
            | Reason::TooLarge(_)
            | Reason::Unsupported(_)
            | Reason::ReadOnly
            | Reason::NotSelected
            | Reason::UidValidityChanged
            | Reason::Argument(_) => Retry::No,
        }
    }

    /// The connection may be used again: the server completed the command, or none was sent.
    pub(crate) fn leaves_connection(self) -> bool {
        matches!(
            self,
            Reason::No(..)
                | Reason::Unsupported(_)
                | Reason::NotSelected
                | Reason::Argument(_)
                | Reason::ReadOnly
                | Reason::UidValidityChanged
        )
    }
}

impl WireError {
    /// What to do next.
    #[must_use]
    pub fn retry(&self) -> Retry {
        self.reason.retry()
    }
}

impl std::fmt::Display for WireError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&Error::from(self.clone()).message())
    }
}
impl std::error::Error for WireError {}

/// The same sentence at every door. Retry advice and codes follow DESIGN §4.
impl From<WireError> for Error {
    fn from(e: WireError) -> Error {
        let code = match (e.unconfirmed, e.reason) {
            (true, _) => Code::Unconfirmed,
            (_, Reason::Argument(_)) => Code::InvalidInput,
            (_, Reason::UidValidityChanged) => Code::Stale,
            (
                _,
                Reason::Unresolved | Reason::Unreachable | Reason::Timeout(_) | Reason::Bye | Reason::Eof,
            ) => Code::RemoteUnreachable,
            (_, Reason::Unavailable | Reason::Throttled { .. }) => Code::RemoteUnreachable,
            _ => Code::RemoteRefused,
        };
        let mut error = Error::new(code, e.reason.sentence())
            .with("host", Param::Host(e.peer.host.clone()))
            .with("port", Param::Int(i64::from(e.peer.port)))
            .with("mode", Param::Word(e.peer.tls.word()))
            .with("other", Param::Word(e.peer.tls.other().word()))
            .retry(matches!(e.retry(), Retry::Later | Retry::After(_)) && !e.unconfirmed);
        if let Some((name, param)) = e.reason.parameter() {
            error = error.with(name, param);
        }
        error
    }
}
