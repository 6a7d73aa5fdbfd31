//! The closed set of shapes a value may have: what emitters must handle, all of it. Mirrors `oaken_core::Shape`.
//!
//! No `optional`: whether a field may be absent is the field's, not the type's.

/// What a value may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `true` or `false`.
    Boolean,
    /// A whole number, bounds inclusive.
    Integer {
        /// The least.
        min: i64,
        /// The most.
        max: i64,
    },
    /// A string that is no mail text.
    String {
        /// The least characters.
        min_chars: u32,
        /// The most characters; never 0.
        max_chars: u32,
    },
    /// Mail text, untrusted. `max_chars` 0: what the setting for the answer leaves.
    Text {
        /// The most characters.
        max_chars: u32,
    },
    /// A mail address.
    Address,
    /// A secret that comes in.
    Secret,
    /// A secret that goes out once.
    IssuedSecret,
    /// An id.
    Id(IdKind),
    /// RFC 3339 in UTC.
    Timestamp,
    /// A file path; command line only.
    Path,
    /// A command line to run; command line only.
    Command,
    /// One of these words, in the order of the spec.
    Enum(Vec<String>),
    /// A list.
    List {
        /// What its items are; never a list.
        item: Box<Type>,
        /// How many there may be.
        bound: Bound,
    },
    /// A shared shape, by its name; it is in the spec.
    Model(String),
    /// Messages by their ids.
    Selection,
}

impl Type {
    /// The least and the most of an integer that nobody bounded: what every JSON reader keeps exact (RFC 8259 §6).
    pub const SAFE: (i64, i64) = (-9_007_199_254_740_991, 9_007_199_254_740_991);

    /// The type, or the type of its items.
    #[must_use]
    pub fn item(&self) -> &Type {
        match self {
            Type::List { item, .. } => item,
            other => other,
        }
    }
}

/// The bound of a list: a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Its section; `operations` unless the spec says otherwise.
    pub section: String,
    /// Its name.
    pub setting: String,
    /// The most it can be set to, over the setting and the one that holds for agents.
    pub ceiling: u32,
}

macro_rules! id_kinds {
    ($($v:ident => $name:literal, $prefix:literal);* $(;)?) => {
        /// What an id names. Mirrors `oaken_core::IdKind`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        pub enum IdKind { $($v),* }
        impl IdKind {
            /// Every kind.
            pub const ALL: &'static [IdKind] = &[$(IdKind::$v),*];
            /// The name of the type in the spec and in `oaken_core`.
            #[must_use]
            pub const fn type_name(self) -> &'static str {
                match self { $(IdKind::$v => $name),* }
            }
            /// The variant of `oaken_core::IdKind`.
            #[must_use]
            pub const fn variant(self) -> &'static str {
                match self { $(IdKind::$v => stringify!($v)),* }
            }
            /// The prefix of such an id, without the underscore.
            #[must_use]
            pub const fn prefix(self) -> &'static str {
                match self { $(IdKind::$v => $prefix),* }
            }
        }
    };
}

id_kinds! {
    Message => "MessageId", "m";
    Thread => "ThreadId", "t";
    Account => "AccountId", "a";
    Folder => "FolderId", "f";
    Label => "LabelId", "l";
    Draft => "DraftId", "d";
    Attachment => "AttachmentId", "at";
    Entry => "EntryId", "e";
    Agent => "AgentId", "ag";
    Proposal => "ProposalId", "p";
    Token => "TokenId", "tk";
}

impl IdKind {
    /// The kind of a type name.
    #[must_use]
    pub fn from_type_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|k| k.type_name() == name)
    }

    /// The pattern of a published schema (ECMA 262).
    #[must_use]
    pub fn pattern(self) -> String {
        match self {
            IdKind::Attachment => "^at_[0-9a-v]{10}-[0-9]{1,4}([.][0-9]{1,4}){0,20}$".into(),
            _ => format!("^{}_[0-9a-v]{{10}}$", self.prefix()),
        }
    }

    /// Whether a string has the form of such an id.
    #[must_use]
    pub fn is_well_formed(self, id: &str) -> bool {
        let Some(rest) = id.strip_prefix(self.prefix()).and_then(|r| r.strip_prefix('_')) else {
            return false;
        };
        let random = match (self, rest.split_once('-')) {
            (IdKind::Attachment, Some((random, part))) if is_part(part) => random,
            (IdKind::Attachment, _) => return false,
            (_, _) => rest,
        };
        random.len() == 10
            && random
                .bytes()
                .all(|b| b.is_ascii_digit() || (b'a'..=b'v').contains(&b))
    }
}

fn is_part(part: &str) -> bool {
    part.split('.').count() <= 21
        && part
            .split('.')
            .all(|n| (1..=4).contains(&n.len()) && n.bytes().all(|b| b.is_ascii_digit()))
}
