//! Reading: EXAMINE and `BODY.PEEK`, nothing else. There is no method here that names STORE, COPY, MOVE, APPEND or
//! EXPUNGE, no way to send a command as text, and the session stays private (P2).

mod bodies;
mod gather;
mod list;
mod raw;
mod uids;

pub use bodies::{Body, FlagState, Meta, Section};
pub use gather::FetchReport;
pub use raw::Raw;
pub use uids::UidList;

use crate::mailbox::{self, BoxState};
use crate::{Capabilities, Phase, Protocol, Reason, Session, WireError};

/// A session that can only read.
pub struct Reader {
    session: Session,
    /// Whether a mailbox is open.
    open: bool,
    /// Whether it keeps mod-sequences. Where not, a server answers BAD to MODSEQ (RFC 7162 §3.1.2.2).
    modseq: bool,
}

impl Reader {
    /// Takes a session.
    #[must_use]
    pub fn new(session: Session) -> Self {
        Reader {
            session,
            open: false,
            modseq: false,
        }
    }

    /// Gives the session back.
    #[must_use]
    pub fn into_session(self) -> Session {
        self.session
    }

    /// What the server can do.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        self.session.capabilities()
    }

    /// Asks whether the connection still lives.
    ///
    /// # Errors
    /// Whatever ended it.
    pub async fn noop(&mut self) -> Result<(), WireError> {
        self.session.noop().await
    }

    /// Opens a mailbox, by its raw name, for reading.
    ///
    /// `condstore` asks for mod-sequences; without the extension it is left out and `highest_modseq` is `None`.
    ///
    /// # Errors
    /// NO (no such folder, no right), a mailbox without UIDVALIDITY, and an answer of READ-WRITE, after which the
    /// session cannot be used again.
    pub async fn examine(&mut self, folder: &str, condstore: bool) -> Result<BoxState, WireError> {
        self.open = false;
        let opened = mailbox::open(&mut self.session, Phase::Examine, folder, condstore).await;
        if let Err(WireError {
            reason: reason @ Reason::Protocol(Protocol::ReadWrite),
            ..
        }) = &opened
        {
            self.session.wire.break_off(*reason);
        }
        let state = opened?;
        (self.open, self.modseq) = (true, state.keeps_modseq(&self.session));
        Ok(state)
    }

    /// How many messages are there, or an error where no mailbox is open.
    fn selected(&self) -> Result<u32, WireError> {
        if self.open {
            Ok(self.session.wire.exists())
        } else {
            Err(self.session.wire.error(Reason::NotSelected))
        }
    }
}
