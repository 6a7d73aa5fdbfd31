//! Accounts: what they are, how they are added, tested, moved and removed, and the workspaces they belong to.
//!
//! Changes need the gate's leave and return their local part as a closure for the gate's transaction. Deliberately
//! absent: who may see an account (the reader), and a password in any value that outlives its use.

mod add;
mod credential;
mod endpoint;
mod marking;
mod probe;
mod remove;
mod row;
mod workspaces;

#[cfg(test)]
mod tests;

pub use add::{NewAccount, NewCredential, add};
pub use endpoint::change_endpoint;
pub use marking::{accept_marking, preview_accept_marking};
pub use probe::{Tested, test};
pub use remove::{preview_remove, remove};
pub use row::{ImapPlace, Place, Tls};
pub use workspaces::{
    WorkspaceCount, assign, create_workspace, list_workspaces, preview_assign, preview_create_workspace,
};

pub(crate) use credential::password;
pub(crate) use row::{Account, any_sealed, load};
