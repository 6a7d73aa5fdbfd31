//! What a change would do, in ids, states and counts: never mail text.

use serde::{Serialize, Serializer};

/// A value that may stand in a proposal or an audit row. Sealed by what implements it: ids, numbers, words that the
/// code knows. Deliberately no `String`, `Text` or `Address`, and no `Deserialize`: none can be read from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Auditable {
    /// `true` or `false`.
    Bool(bool),
    /// A number, or a setting's number.
    Int(i64),
    /// An id or a word.
    Word(Word),
}

/// Always a string, so that a published schema needs no union: clients break on those.
impl Serialize for Auditable {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Auditable::Bool(b) => s.collect_str(b),
            Auditable::Int(n) => s.collect_str(n),
            Auditable::Word(Word(word)) => s.serialize_str(word),
        }
    }
}

/// A word that code made: a state, an operation's name, an id. Cannot be made from mail text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Word(String);

impl From<&'static str> for Auditable {
    fn from(word: &'static str) -> Self {
        Auditable::Word(Word(word.to_owned()))
    }
}
impl From<bool> for Auditable {
    fn from(b: bool) -> Self {
        Auditable::Bool(b)
    }
}
impl From<i64> for Auditable {
    fn from(n: i64) -> Self {
        Auditable::Int(n)
    }
}
macro_rules! ids {
    ($($t:ident),*) => {$(
        impl From<&crate::$t> for Auditable {
            fn from(id: &crate::$t) -> Self { Auditable::Word(Word(id.as_str().to_owned())) }
        }
    )*};
}
ids!(
    MessageId,
    ThreadId,
    AccountId,
    FolderId,
    LabelId,
    DraftId,
    AttachmentId,
    EntryId,
    AgentId,
    ProposalId,
    TokenId
);

impl Auditable {
    /// A name that a person gave to something that governs (an agent, a workspace): 1 to 64 of letters, digits,
    /// space, `.`, `_`, `-`. Anything else is not auditable, so that mail text cannot pass as a name.
    #[must_use]
    pub fn name(name: &str) -> Option<Self> {
        let fits = !name.is_empty()
            && name.chars().count() <= 64
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '.' | '_' | '-'));
        fits.then(|| Auditable::Word(Word(name.to_owned())))
    }
}

/// One change: of what, from which state, to which.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Change {
    /// What changes: an id, or a word for what governs.
    pub of: Auditable,
    /// What about it changes: `read`, `flagged`, `exposure`.
    pub what: Auditable,
    /// The state before; absent when it comes into being.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Auditable>,
    /// The state after; absent when it goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Auditable>,
}

impl Change {
    /// A change from one state to another.
    pub fn new(
        of: impl Into<Auditable>,
        what: &'static str,
        before: impl Into<Auditable>,
        after: impl Into<Auditable>,
    ) -> Self {
        Change {
            of: of.into(),
            what: what.into(),
            before: Some(before.into()),
            after: Some(after.into()),
        }
    }

    /// Something that comes into being.
    pub fn made(of: impl Into<Auditable>, what: &'static str) -> Self {
        Change {
            of: of.into(),
            what: what.into(),
            before: None,
            after: Some("made".into()),
        }
    }

    /// Something that goes.
    pub fn gone(of: impl Into<Auditable>, what: &'static str) -> Self {
        Change {
            of: of.into(),
            what: what.into(),
            before: Some("there".into()),
            after: None,
        }
    }
}

/// Everything a change would do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Preview {
    /// Each change, in a stable order.
    pub changes: Vec<Change>,
}
