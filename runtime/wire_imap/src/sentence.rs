//! The sentences of the errors: what happened, with whom, and what mends it.

use oaken_core::Param;

use crate::{Phase, Protocol, Reason, Refusal, TlsFault, TooLarge};

impl Reason {
    /// The sentence, with `{host}`, `{port}`, `{mode}`, `{other}` and the reason's own parameter to be filled in.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Reason::Unresolved => "The name {host} does not resolve; check the host of the account.",
            Reason::Unreachable => "Nobody answers at {host}, port {port}; check host, port and network.",
            Reason::Tls(fault) => tls(fault),
            Reason::AuthenticationFailed => "{host} refused the login name or the password.",
            Reason::Expired => "{host} says that the password has expired.",
            Reason::AuthorizationFailed => {
                "{host} does not let this account in; its owner has something to settle with the provider."
            }
            Reason::NoPasswordLogin => "{host} offers no login with a password over IMAP.",
            Reason::Unavailable => "{host} cannot serve the account just now.",
            Reason::Throttled { seconds: Some(_) } => "{host} asks to wait {seconds} seconds.",
            Reason::Throttled { seconds: None } => "{host} asks for fewer requests.",
            Reason::Timeout(_) => "{host}, port {port} ({mode}), took too long to {doing}.",
            Reason::Protocol(fault) => protocol(fault),
            Reason::No(_, refusal) => no(refusal),
            Reason::Bye => "{host} ended the session.",
            Reason::Eof => "The connection to {host} ended before the answer was complete.",
            Reason::TooLarge(what) => too_large(what),
            Reason::Unsupported(_) => "{host} does not have the extension {extension}, which this needs.",
            Reason::ReadOnly => "{host} opened the folder for reading only.",
            Reason::NotSelected => "No folder is open.",
            Reason::UidValidityChanged => "The folder at {host} was replaced since it was last read.",
            Reason::Argument(_) => {
                "{argument} holds what no IMAP command can carry: a line break, NUL, or nothing."
            }
        }
    }

    pub(crate) fn parameter(self) -> Option<(&'static str, Param)> {
        Some(match self {
            Reason::Throttled { seconds: Some(s) } => {
                ("seconds", Param::Int(i64::try_from(s).unwrap_or(i64::MAX)))
            }
            Reason::Timeout(phase) | Reason::No(phase, _) => ("doing", Param::Word(phase.doing())),
            Reason::Unsupported(extension) => ("extension", Param::Word(extension)),
            Reason::Argument(name) => ("argument", Param::Word(name)),
            _ => return None,
        })
    }
}

fn tls(fault: TlsFault) -> &'static str {
    match fault {
        TlsFault::UnknownIssuer => {
            "The certificate of {host} comes from no authority that is trusted here; name it as ca_file if it is yours."
        }
        TlsFault::Expired => "The certificate of {host} is not valid today.",
        TlsFault::WrongHost => "The certificate at {host}, port {port}, is for another host.",
        TlsFault::NotPinned => "The certificate of {host} is not the one that was pinned.",
        TlsFault::Certificate => "The certificate of {host} is not acceptable.",
        TlsFault::Handshake => "{host}, port {port}, and Oaken agreed on no TLS connection ({mode}).",
        TlsFault::CaFile => "The ca_file of the account cannot be read or holds no PEM certificate.",
        TlsFault::StartTlsRefused => {
            "{host}, port {port}, refuses STARTTLS, and nothing is sent without TLS."
        }
        TlsFault::Injected => {
            "Clear text followed the answer to STARTTLS at {host}, port {port}; somebody may have put it there."
        }
        TlsFault::Preauth => {
            "{host}, port {port}, opened a session without a login, and Oaken does not trust whose it is."
        }
        TlsFault::PlainServer => {
            "{host}, port {port}, answered in clear text, so {mode} cannot work there; try {other}."
        }
        TlsFault::TlsServer => {
            "{host}, port {port}, speaks TLS from the first byte, so {mode} cannot work there; try {other}."
        }
    }
}

fn protocol(fault: Protocol) -> &'static str {
    match fault {
        Protocol::Greeting => "What answers at {host}, port {port} ({mode}), is no IMAP server.",
        Protocol::Response => "{host} sent what is no IMAP response.",
        Protocol::NoData => "{host} said OK and left out what was asked for.",
        Protocol::ReadWrite => {
            "{host} opened the folder for writing when asked for reading; it was left at once."
        }
        Protocol::NoUidValidity => {
            "{host} gives no UIDVALIDITY for the folder, so nothing in it can be told apart."
        }
        Protocol::TooManyUids => "{host} named more messages than the folder holds.",
        Protocol::GivenUp => "An earlier command to {host} was given up; a new connection is needed.",
    }
}

fn no(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::NonExistent => "{host} has no such folder (asked to {doing}).",
        Refusal::NoPermission => "{host} does not permit it (asked to {doing}).",
        Refusal::OverQuota => "The account at {host} is over its quota (asked to {doing}).",
        Refusal::ServerBug => "{host} reports a fault of its own (asked to {doing}).",
        Refusal::Bad => "{host} did not understand (asked to {doing}).",
        Refusal::Unsaid | Refusal::Cannot => "{host} refused to {doing}.",
    }
}

fn too_large(what: TooLarge) -> &'static str {
    match what {
        TooLarge::Line => "{host} sent a line that is too long.",
        TooLarge::Literal => "{host} sent a text that is too long.",
        TooLarge::Literals => "{host} sent a response of too many pieces.",
        TooLarge::Answer => "{host} sent too much in answer to one command.",
        TooLarge::Folders => "{host} has more folders than Oaken reads.",
    }
}

impl Phase {
    fn doing(self) -> &'static str {
        match self {
            Phase::Resolve => "be found",
            Phase::Connect => "accept the connection",
            Phase::Tls => "agree on TLS",
            Phase::Greeting => "greet",
            Phase::StartTls => "start TLS",
            Phase::Capability => "name its capabilities",
            Phase::Login => "log in",
            Phase::Identify => "hear who we are",
            Phase::List => "list the folders",
            Phase::Status => "tell the state of a folder",
            Phase::Examine => "open a folder for reading",
            Phase::Select => "open a folder for writing",
            Phase::Search => "list the messages",
            Phase::Fetch => "send messages",
            Phase::Store => "set flags",
            Phase::Logout => "end the session",
        }
    }
}
