//! Why a sync stopped, and what is to happen next: the error a caller sees, a stable word for `status`, when to try.

use oaken_core::{Code, Error};
use oaken_wire_imap::{Reason, Retry, WireError};

/// When a sync is worth trying again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// Not before a person did something.
    Person,
    /// With backoff.
    Backoff,
    /// Not before so many seconds passed.
    Seconds(i64),
}

/// Why a sync stopped.
#[derive(Debug)]
pub(crate) struct Failure {
    pub error: Error,
    pub reason: &'static str,
    pub wait: Wait,
}

impl Failure {
    /// This process is about to end; nothing failed.
    pub const INTERRUPTED: &str = "interrupted";

    pub fn person(error: Error, reason: &'static str) -> Self {
        Failure {
            error,
            reason,
            wait: Wait::Person,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        // A password that cannot be had is for a person; a busy or full disk mends itself or shows in the next try.
        let (reason, wait) = match error.code() {
            Code::Refused if error.message() == oaken_store::DISK_FULL => ("disk_full", Wait::Backoff),
            Code::Interrupted => (Failure::INTERRUPTED, Wait::Backoff),
            Code::Busy => ("busy", Wait::Backoff),
            Code::Refused => ("refused", Wait::Backoff),
            _ => ("internal", Wait::Backoff),
        };
        Failure { error, reason, wait }
    }
}

impl From<WireError> for Failure {
    fn from(e: WireError) -> Self {
        let reason = match e.reason {
            Reason::Unresolved => "host_unknown",
            Reason::Unreachable | Reason::Timeout(_) | Reason::Bye | Reason::Eof => "unreachable",
            Reason::Tls(_) => "tls",
            Reason::AuthenticationFailed => "login_refused",
            Reason::Expired => "password_expired",
            Reason::AuthorizationFailed => "not_authorized",
            Reason::NoPasswordLogin => "no_password_login",
            Reason::Unavailable => "unavailable",
            Reason::Throttled { .. } => "throttled",
            Reason::No(..) => "refused_by_server",
            _ => "protocol",
        };
        let wait = match e.retry() {
            Retry::Person => Wait::Person,
            Retry::After(seconds) => Wait::Seconds(i64::try_from(seconds).unwrap_or(3_600).clamp(1, 86_400)),
            Retry::Later | Retry::No => Wait::Backoff,
        };
        Failure {
            error: e.into(),
            reason,
            wait,
        }
    }
}

/// A caller hears the error alone; the reason is for `status`.
impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        failure.error
    }
}
