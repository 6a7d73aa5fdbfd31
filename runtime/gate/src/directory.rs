//! The wall to mail: what the gate must ask about accounts and ids, and cannot know itself.

use oaken_core::{AccountId, IdKind, Result};

use crate::Grant;

/// An account by both of its names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AccountKey {
    /// Its row.
    pub row: i64,
    /// Its id.
    pub id: AccountId,
}

/// Implemented by mail. Every answer comes from the database as it is now; nothing is cached behind it.
pub trait Directory: Send + Sync {
    /// The accounts of these workspaces; a name that is no workspace matches nothing.
    ///
    /// # Errors
    /// What reading the database meets.
    fn accounts_in(&self, workspaces: &[String]) -> Result<Vec<AccountKey>>;

    /// Every account.
    ///
    /// # Errors
    /// What reading the database meets.
    fn all_accounts(&self) -> Result<Vec<AccountKey>>;

    /// The names of all workspaces.
    ///
    /// # Errors
    /// What reading the database meets.
    fn workspaces(&self) -> Result<Vec<String>>;

    /// For each id whether it names something in the grant's reach, in the order given. Agents, proposals and
    /// tokens are the gate's own and never asked for here.
    ///
    /// # Errors
    /// What reading the database meets.
    fn resolve(&self, grant: &Grant, ids: &[(IdKind, &str)]) -> Result<Vec<bool>>;
}
