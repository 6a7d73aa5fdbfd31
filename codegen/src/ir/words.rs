//! The closed sets of words of the spec language. They mirror `runtime/core`, which codegen does not depend on.

macro_rules! words {
    ($(#[$doc:meta])* $t:ident { $($(#[$vdoc:meta])* $v:ident => $w:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $t { $($(#[$vdoc])* $v),* }
        impl $t {
            /// Every word, in order.
            pub const WORDS: &'static [&'static str] = &[$($w),*];
            /// The word of the spec.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $($t::$v => $w),* }
            }
            /// The name of the variant in Rust.
            #[must_use]
            pub const fn variant(self) -> &'static str {
                match self { $($t::$v => stringify!($v)),* }
            }
            /// The value of a word, if it is one.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($w => Some($t::$v),)* _ => None }
            }
        }
    };
}

words! {
    /// What an operation may do.
    Class {
        /// Changes nothing.
        Read => "read",
        /// Changes something.
        Mutate => "mutate",
        /// Sends mail.
        Send => "send",
    }
}
words! {
    /// How far it may be offered to agents.
    Ceiling {
        /// Cannot be offered.
        Never => "never",
        /// May be offered, and is not until a person turns it on.
        Off => "off",
        /// Offered by default.
        On => "on",
    }
}
words! {
    /// The least that may confirm an agent's proposal.
    Approval {
        /// The agent itself, with its token.
        Agent => "agent",
        /// A person.
        Person => "person",
    }
}
words! {
    /// What proves a person.
    Presence {
        /// The account of the operating system.
        Os => "os",
        /// A terminal.
        Tty => "tty",
        /// An unlock password.
        Password => "password",
    }
}
words! {
    /// The form of an MCP result.
    McpResult {
        /// Structured content.
        Structured => "structured",
        /// One text block.
        Text => "text",
    }
}
