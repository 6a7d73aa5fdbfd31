//! Whose mail, and within which limits: what the checks left over for one call.

use std::sync::Arc;

use oaken_core::{AgentId, Door};

use crate::settings::Settings;
use crate::{AccountKey, Caller};

/// The accounts a call may reach, by their rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Every account.
    All,
    /// These, and no other.
    Only(Vec<i64>),
}

/// What the gate granted to one call. Private fields: only the gate makes one.
///
/// ```compile_fail,E0451
/// fn widen(grant: oaken_gate::Grant) -> oaken_gate::Grant {
///     oaken_gate::Grant { reach: oaken_gate::Reach::All, ..grant }
/// }
/// ```
pub struct Grant {
    pub(crate) caller: Arc<Caller>,
    pub(crate) reach: Reach,
    /// The accounts in reach, where it is restricted.
    pub(crate) accounts: Vec<AccountKey>,
    /// Whether the reach leaves no account out.
    pub(crate) whole: bool,
    pub(crate) settings: Arc<Settings>,
}

impl Grant {
    /// The accounts this call may reach.
    #[must_use]
    pub fn reach(&self) -> &Reach {
        &self.reach
    }

    /// The door it came through.
    #[must_use]
    pub fn door(&self) -> Door {
        self.caller.door()
    }

    /// Whether an agent calls.
    #[must_use]
    pub fn is_agent(&self) -> bool {
        self.caller.is_agent()
    }

    /// The agent that calls.
    #[must_use]
    pub fn agent(&self) -> Option<&AgentId> {
        self.caller.agent()
    }

    /// Who calls.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// A whole-number setting as it holds for this caller: `max_results`, or `section.name` outside `[operations]`.
    /// 0 for a name that is no such setting.
    #[must_use]
    pub fn setting(&self, name: &str) -> i64 {
        self.settings.integer(name, self.is_agent())
    }

    /// All settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}
