//! Opening an account once to see whether it can be: a login and a list of folders, or a look into a Maildir.
//!
//! Reads only. A wrong password is tried once.

use oaken_core::{AccountId, Result};

use super::row::{Account, Place};
use crate::{ReadCx, Services, sync};

/// What opening an account told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    /// Folders found.
    pub folders: usize,
    /// What the server advertises, in order; empty for a Maildir. A server's words.
    pub capabilities: Vec<String>,
}

/// Logs in to an account, or reads its Maildir, and says what is there.
///
/// # Errors
/// `not_found`; `remote_unreachable`, `remote_refused` from a server; `refused` for a Maildir or a password that
/// cannot be read.
pub async fn test(cx: &ReadCx, id: &AccountId) -> Result<Tested> {
    let account = cx.services.store.read(|c| super::load(c, id))?;
    open(&cx.services, &account).await
}

pub(super) async fn open(services: &Services, account: &Account) -> Result<Tested> {
    match &account.place {
        Place::Imap(place) => {
            let session = sync::connect(services, account, place).await?;
            let capabilities = session.capabilities().iter().map(str::to_owned).collect();
            let mut reader = oaken_wire_imap::Reader::new(session);
            let listing = reader.list().await?;
            reader.into_session().logout().await;
            Ok(Tested {
                folders: listing.folders.len(),
                capabilities,
            })
        }
        Place::Maildir(path) => {
            let path = path.clone();
            let found = tokio::task::spawn_blocking(move || sync::maildir_folders(&path))
                .await
                .map_err(|_| oaken_core::Error::internal())??;
            Ok(Tested {
                folders: found,
                capabilities: vec![],
            })
        }
    }
}
