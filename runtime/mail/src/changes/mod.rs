//! Changing flags in a mailbox, for a confirmed change: the journal first, then the server or the files, and the rows in
//! the gate's transaction with the outcome.
//!
//! `\Seen` is added here for a `Confirmed<MarksRead>` only: [`Leave`] has no word for it beside that value, and neither
//! has what writes the rows. Deliberately absent: moving, deleting, labels, and any retry of what may have happened.

mod apply;
pub mod flags;
mod imap;
mod local;
mod maildir;
mod same;
pub mod seen;
#[cfg(test)]
pub(crate) mod tests;

use oaken_core::model::{NotChanged, NotChangedReason};
use oaken_core::{Change, MessageId, Preview};
use oaken_gate::{Commit, Confirmed, MarksRead};

use crate::Flags;
use crate::reader::Target;

/// A flag that people and agents change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Read, or unread.
    Seen,
    /// Flagged, or not.
    Flagged,
}

impl Mark {
    /// As the journal has it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Mark::Seen => "seen",
            Mark::Flagged => "flagged",
        }
    }

    /// The mark of a word of the journal.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Mark::Seen, Mark::Flagged].into_iter().find(|m| m.word() == word)
    }

    /// The flag of a location.
    #[must_use]
    pub const fn flag(self) -> Flags {
        match self {
            Mark::Seen => Flags::SEEN,
            Mark::Flagged => Flags::FLAGGED,
        }
    }

    /// The state, as a preview names it.
    const fn state(self, set: bool) -> &'static str {
        match (self, set) {
            (Mark::Seen, true) => "read",
            (Mark::Seen, false) => "unread",
            (Mark::Flagged, true) => "flagged",
            (Mark::Flagged, false) => "not_flagged",
        }
    }
}

/// A change of flags that any confirmed change may make. Adding `\Seen` is not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Marks unread.
    RemoveSeen,
    /// Flags.
    AddFlagged,
    /// Takes the flag away.
    RemoveFlagged,
}

impl Edit {
    const fn parts(self) -> (Mark, bool) {
        match self {
            Edit::RemoveSeen => (Mark::Seen, false),
            Edit::AddFlagged => (Mark::Flagged, true),
            Edit::RemoveFlagged => (Mark::Flagged, false),
        }
    }
}

/// What is to be done, with the leave that allows it. Kept by the commit closure, which outlives the borrowed
/// `Confirmed`: hence the proof.
#[derive(Clone, Copy, Debug)]
enum Done {
    Edit(Edit),
    AddSeen(SeenProof),
}

impl Done {
    const fn parts(self) -> (Mark, bool) {
        match self {
            Done::Edit(edit) => edit.parts(),
            Done::AddSeen(_) => (Mark::Seen, true),
        }
    }

    /// Flags as they are after it.
    const fn on(self, flags: Flags) -> Flags {
        match self.parts() {
            (mark, true) => flags.with(mark.flag()),
            (mark, false) => flags.without(mark.flag()),
        }
    }
}

/// That leave to mark read was there. Made of it alone.
#[derive(Clone, Copy, Debug)]
struct SeenProof(());

impl SeenProof {
    fn of(_: &Confirmed<MarksRead>) -> Self {
        SeenProof(())
    }
}

/// What became of one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlaceOutcome {
    Done,
    Already,
    NotThere,
    Refused,
    Stale,
    Unconfirmed,
}

impl PlaceOutcome {
    /// As the journal has it.
    pub const fn word(self) -> &'static str {
        match self {
            PlaceOutcome::Done => "done",
            PlaceOutcome::Already => "already",
            PlaceOutcome::NotThere => "not_there",
            PlaceOutcome::Refused | PlaceOutcome::Stale => "refused",
            PlaceOutcome::Unconfirmed => "unconfirmed",
        }
    }

    const fn reason(self) -> Option<NotChangedReason> {
        match self {
            PlaceOutcome::Done => None,
            PlaceOutcome::Already => Some(NotChangedReason::AlreadySo),
            PlaceOutcome::NotThere => Some(NotChangedReason::NotThere),
            PlaceOutcome::Stale => Some(NotChangedReason::Stale),
            PlaceOutcome::Refused | PlaceOutcome::Unconfirmed => Some(NotChangedReason::RefusedByServer),
        }
    }
}

/// What a change did, and its local part.
pub struct Changed {
    /// Messages that changed.
    pub changed: Vec<MessageId>,
    /// The others, and why.
    pub not_changed: Vec<NotChanged>,
    /// The rows and the journal's outcome, for the transaction of the gate's outcome.
    pub commit: Commit,
}

/// Whether a message is so already: set everywhere, or nowhere. One that lies nowhere is neither.
fn is_so(target: &Target, mark: Mark, set: bool) -> bool {
    match set {
        true => target.has_everywhere(mark.flag()),
        false => !target.places().is_empty() && !target.has_somewhere(mark.flag()),
    }
}

/// One change for each message that is not so already and lies somewhere.
fn preview(targets: &[Target], mark: Mark, set: bool) -> Preview {
    let changes = targets
        .iter()
        .filter(|t| !t.places().is_empty() && !is_so(t, mark, set))
        .map(|t| Change::new(t.id(), mark.word(), mark.state(!set), mark.state(set)))
        .collect();
    Preview { changes }
}
