//! The only crate that speaks IMAP (RFC 3501, and the extensions it names).
//!
//! Bytes come from `connect`, pass the `guard` that cuts them into whole responses under limits, are read by the
//! `cursor`, and end a command in `exec`: one command, one tagged completion, and NO, BAD, BYE and end of file are
//! errors. `Reader` opens mailboxes with EXAMINE and has no word that changes one; `Writer` changes flags and asks
//! for the gate's leave at each call.
//!
//! Absent on purpose: a way to send a command from outside, a connection without TLS, a server's own sentences
//! (they reach neither error nor log), and a log of the wire. async-imap and imap-proto are not used: imap-proto 0.17
//! panics on `INTERNALDATE NIL` and overflows the stack on nested parentheses, a parse error ends async-imap's
//! stream (one odd message would lose all the others), and it hands each command, passwords included, to `log`.

mod capabilities;
mod command;
mod connect;
mod cursor;
mod error;
mod exec;
mod fetch;
mod flag;
mod folder;
mod guard;
mod internal_date;
mod limits;
mod login;
mod mailbox;
mod namespace;
mod reader;
mod response;
mod sentence;
mod sets;
mod starttls;
mod tls;
mod utf7;
mod writer;

#[cfg(test)]
mod scripted;

pub use capabilities::Capabilities;
pub use connect::{Connected, Endpoint, TlsMode, connect};
pub use error::{Peer, Phase, Protocol, Reason, Refusal, Retry, TlsFault, TooLarge, WireError};
pub use flag::{Keyword, Settable};
pub use folder::{Folder, Listing, SpecialUse, Status};
pub use limits::Limits;
pub use login::{Session, login};
pub use mailbox::BoxState;
pub use reader::{Body, FetchReport, FlagState, Meta, Raw, Reader, Section, UidList};
pub use sets::UidRange;
pub use utf7::{decode as decode_utf7, encode as encode_utf7};
pub use writer::{NotChanged, Outcome, Stored, Writer, Writes};
