//! Ids: random, 50 bits in lowercase base32hex, with a prefix that says what they name.
//!
//! An id carries no meaning and no order; whether it exists, and for whom, only a reader with a grant can say.

use std::fmt;

use serde::{Deserialize, Serialize};

const ALPHABET: &[u8; 32] = b"0123456789abcdefghijklmnopqrstuv";
const LEN: usize = 10;

/// What an id names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdKind {
    /// A message within one account.
    Message,
    /// A thread within one account.
    Thread,
    /// An account.
    Account,
    /// A folder of an account.
    Folder,
    /// A label of an account.
    Label,
    /// A draft.
    Draft,
    /// A part of a message: message id and part number.
    Attachment,
    /// A journal entry: what one change did.
    Entry,
    /// An agent.
    Agent,
    /// A proposal.
    Proposal,
    /// A personal token.
    Token,
}

impl IdKind {
    /// The prefix without its underscore.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            IdKind::Message => "m",
            IdKind::Thread => "t",
            IdKind::Account => "a",
            IdKind::Folder => "f",
            IdKind::Label => "l",
            IdKind::Draft => "d",
            IdKind::Attachment => "at",
            IdKind::Entry => "e",
            IdKind::Agent => "ag",
            IdKind::Proposal => "p",
            IdKind::Token => "tk",
        }
    }

    /// Whether a string has the form of an id of this kind. Says nothing about whether it exists.
    #[must_use]
    pub fn is_well_formed(self, id: &str) -> bool {
        let Some(rest) = id.strip_prefix(self.prefix()).and_then(|r| r.strip_prefix('_')) else {
            return false;
        };
        let random = match self {
            IdKind::Attachment => match rest.split_once('-') {
                Some((m, part)) if is_part(part) => m,
                _ => return false,
            },
            _ => rest,
        };
        random.len() == LEN && random.bytes().all(|b| ALPHABET.contains(&b))
    }

    /// The pattern of a published schema (ECMA 262).
    #[must_use]
    pub fn pattern(self) -> String {
        match self {
            IdKind::Attachment => "^at_[0-9a-v]{10}-[0-9]{1,4}([.][0-9]{1,4}){0,20}$".into(),
            _ => format!("^{}_[0-9a-v]{{10}}$", self.prefix()),
        }
    }

    /// A new random id of this kind.
    ///
    /// # Panics
    /// When the operating system has no randomness to give: nothing sound can be done then.
    #[must_use]
    pub fn random(self) -> String {
        let mut bytes = [0u8; LEN];
        getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
        let mut id = String::with_capacity(self.prefix().len() + 1 + LEN);
        id.push_str(self.prefix());
        id.push('_');
        id.extend(bytes.iter().map(|b| char::from(ALPHABET[usize::from(b & 31)])));
        id
    }
}

fn is_part(part: &str) -> bool {
    part.split('.').count() <= 21
        && part
            .split('.')
            .all(|n| !n.is_empty() && n.len() <= 4 && n.bytes().all(|b| b.is_ascii_digit()))
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident => $kind:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);
        impl $name {
            /// What it names.
            pub const KIND: IdKind = IdKind::$kind;
            /// A new random id.
            #[must_use]
            pub fn random() -> Self { Self(IdKind::$kind.random()) }
            /// The id of a string of the right form.
            #[must_use]
            pub fn parse(id: &str) -> Option<Self> {
                IdKind::$kind.is_well_formed(id).then(|| Self(id.to_owned()))
            }
            /// The id as it is written.
            #[must_use]
            pub fn as_str(&self) -> &str { &self.0 }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(&self.0) }
        }
        impl From<$name> for String { fn from(id: $name) -> String { id.0 } }
        impl TryFrom<String> for $name {
            type Error = &'static str;
            fn try_from(id: String) -> Result<Self, Self::Error> {
                if IdKind::$kind.is_well_formed(&id) { Ok(Self(id)) } else { Err("an id of another form") }
            }
        }
    )*};
}

ids! {
    /// A message within one account.
    MessageId => Message;
    /// A thread within one account.
    ThreadId => Thread;
    /// An account.
    AccountId => Account;
    /// A folder of an account.
    FolderId => Folder;
    /// A label of an account.
    LabelId => Label;
    /// A draft.
    DraftId => Draft;
    /// A part of a message: `at_<message>-<part>`, the part as IMAP numbers it.
    AttachmentId => Attachment;
    /// A journal entry.
    EntryId => Entry;
    /// An agent.
    AgentId => Agent;
    /// A proposal.
    ProposalId => Proposal;
    /// A personal token.
    TokenId => Token;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: IdKind, id: &str, expected: bool) {
        assert_eq!(kind.is_well_formed(id), expected, "{id}");
    }

    #[test]
    fn forms() {
        check(IdKind::Message, "m_7f3k9q2t0b", true);
        check(IdKind::Message, "m_7F3k9q2t0b", false);
        check(IdKind::Message, "m_7f3k9q2t0", false);
        check(IdKind::Message, "t_7f3k9q2t0b", false);
        check(IdKind::Message, "m_7f3k9q2t0w", false);
        check(IdKind::Attachment, "at_7f3k9q2t0b-2.1", true);
        check(IdKind::Attachment, "at_7f3k9q2t0b-", false);
        check(IdKind::Attachment, "at_7f3k9q2t0b", false);
    }

    #[test]
    fn random_ids_are_well_formed_and_differ() {
        let ids: std::collections::HashSet<_> = (0..1000).map(|_| MessageId::random()).collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| IdKind::Message.is_well_formed(id.as_str())));
    }
}
