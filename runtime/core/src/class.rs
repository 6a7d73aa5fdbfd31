//! What an operation may do, through which door, and how far it may ever be offered.

use serde::{Deserialize, Serialize};

/// The permission class of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Changes nothing, and never marks mail read.
    Read,
    /// Changes something; needs confirming.
    Mutate,
    /// Sends mail; only ever for a person.
    Send,
}

/// How far an operation can be offered to agents, fixed in code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ceiling {
    /// Cannot be offered, whatever is set.
    Never,
    /// May be offered, and is not until a person turns it on.
    Off,
    /// Offered by default.
    On,
}

/// The door a caller came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Door {
    /// The command line; a person.
    Cli,
    /// The console and the HTTP API with a personal token; a person.
    Ui,
    /// MCP, and HTTP with an agent's token; an agent.
    Mcp,
    /// The daemon itself; it never confirms.
    Internal,
}

/// The least that may confirm an agent's proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Approval {
    /// The agent, with the token of its own proposal.
    Agent,
    /// A person.
    Person,
}

/// What proves that a person is there, for what governs. Declared here, enforced by the approvals of the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Presence {
    /// The operating system's account.
    Os,
    /// A terminal; guards against accidents only.
    Tty,
    /// An unlock password.
    Password,
}

macro_rules! words {
    ($t:ident { $($v:ident => $w:literal),* $(,)? }) => {
        impl $t {
            /// The word that the spec, the settings and every door use for it.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $($t::$v => $w),* }
            }
            /// The value of a word, if it is one.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($w => Some($t::$v),)* _ => None }
            }
        }
    };
}
words!(Class { Read => "read", Mutate => "mutate", Send => "send" });
words!(Ceiling { Never => "never", Off => "off", On => "on" });
words!(Door { Cli => "cli", Ui => "ui", Mcp => "mcp", Internal => "internal" });
words!(Approval { Agent => "agent", Person => "person" });
words!(Presence { Os => "os", Tty => "tty", Password => "password" });
