//! Who calls. Made by the gate alone: from the account that runs the command line, or from a token.

use oaken_core::{AgentId, Class, Door, TokenId};

/// Who calls, and through which door. A mcp caller is an agent; a cli or ui caller is a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    pub(crate) door: Door,
    pub(crate) who: Who,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// The person at the command line.
    Person { name: String },
    /// A person's program, with a personal token.
    Token { id: TokenId, name: String, class: Class },
    /// An agent, with its token.
    Agent { id: AgentId, name: String },
}

impl Caller {
    /// Whether it is an agent.
    #[must_use]
    pub fn is_agent(&self) -> bool {
        matches!(self.who, Who::Agent { .. })
    }

    /// The agent's id, if it is one.
    #[must_use]
    pub fn agent(&self) -> Option<&AgentId> {
        match &self.who {
            Who::Agent { id, .. } => Some(id),
            _ => None,
        }
    }

    /// Its name: the agent's, the person's, or the name of the person's token.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.who {
            Who::Person { name } | Who::Token { name, .. } | Who::Agent { name, .. } => name,
        }
    }

    /// The door it came through.
    #[must_use]
    pub fn door(&self) -> Door {
        self.door
    }

    /// How the log names it: an agent's or token's id, or the person's name.
    pub(crate) fn in_log(&self) -> &str {
        match &self.who {
            Who::Person { name } => name,
            Who::Token { id, .. } => id.as_str(),
            Who::Agent { id, .. } => id.as_str(),
        }
    }
}

/// The door of a word in the log.
pub(crate) fn door_word(word: &str) -> &'static str {
    Door::from_word(word).map_or("internal", Door::word)
}

/// The class of a word in the log.
pub(crate) fn class_word(word: &str) -> &'static str {
    Class::from_word(word).map_or("mutate", Class::word)
}
