//! Changing flags: each method asks for the gate's leave, and only one of them can add `\Seen` (P2).
//!
//! No COPY, MOVE, APPEND, EXPUNGE, and no flag `\Deleted`.

pub(crate) mod store;

pub use store::{NotChanged, Outcome, Stored};

use oaken_gate::{Changes, Confirmed, MarksRead};

use crate::mailbox::{self, BoxState};
use crate::{Phase, Reason, Session, Settable, WireError};

const SEEN: &str = "\\Seen";

/// The effects that a writer serves.
pub trait Writes: sealed::Sealed {}
impl Writes for Changes {}
impl Writes for MarksRead {}

mod sealed {
    /// Closed: no other effect opens a mailbox for writing.
    pub trait Sealed {}
    impl Sealed for oaken_gate::Changes {}
    impl Sealed for oaken_gate::MarksRead {}
}

/// A session with a mailbox open for writing.
pub struct Writer {
    session: Session,
    state: BoxState,
}

impl Writer {
    /// Opens a mailbox, by its raw name, for writing.
    ///
    /// `uid_validity` is the one the caller's UIDs belong to; the mailbox must still have it.
    ///
    /// # Errors
    /// Those of SELECT, [`Reason::ReadOnly`], [`Reason::UidValidityChanged`].
    pub async fn open<E: Writes>(
        mut session: Session,
        folder: &str,
        uid_validity: u32,
        _leave: &Confirmed<E>,
    ) -> Result<Self, WireError> {
        let condstore = session.capabilities().condstore();
        let state = mailbox::open(&mut session, Phase::Select, folder, condstore).await?;
        if state.uid_validity != uid_validity {
            return Err(session.wire.error(Reason::UidValidityChanged));
        }
        Ok(Writer { session, state })
    }

    /// The mailbox as it was opened.
    #[must_use]
    pub fn state(&self) -> &BoxState {
        &self.state
    }

    /// Gives the session back; the mailbox stays open until another is.
    #[must_use]
    pub fn into_session(self) -> Session {
        self.session
    }

    /// Adds and removes flags. A flag in both lists is removed.
    ///
    /// `unchanged_since` is the mod-sequence up to which a change by others is accepted (RFC 7162 §3.1.3); it needs
    /// CONDSTORE.
    pub async fn store_flags(
        &mut self,
        _leave: &Confirmed<Changes>,
        uids: &[u32],
        add: &[Settable],
        remove: &[Settable],
        unchanged_since: Option<u64>,
    ) -> Stored {
        let words = |flags: &[Settable]| flags.iter().map(|f| f.as_str().to_owned()).collect::<Vec<_>>();
        store::store(
            &mut self.session,
            &self.state,
            uids,
            &words(add),
            &words(remove),
            unchanged_since,
        )
        .await
    }

    /// Marks messages read. The only place where `\Seen` is added.
    pub async fn add_seen(
        &mut self,
        _leave: &Confirmed<MarksRead>,
        uids: &[u32],
        unchanged_since: Option<u64>,
    ) -> Stored {
        store::store(
            &mut self.session,
            &self.state,
            uids,
            &[SEEN.into()],
            &[],
            unchanged_since,
        )
        .await
    }

    /// Marks messages unread.
    pub async fn remove_seen(
        &mut self,
        _leave: &Confirmed<Changes>,
        uids: &[u32],
        unchanged_since: Option<u64>,
    ) -> Stored {
        store::store(
            &mut self.session,
            &self.state,
            uids,
            &[],
            &[SEEN.into()],
            unchanged_since,
        )
        .await
    }
}
