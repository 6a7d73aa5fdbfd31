//! LIST with special uses and counts, in one round trip where the server can (RFC 5258, 5819, 6154).

use std::collections::HashMap;

use super::Reader;
use crate::command::Command;
use crate::namespace::Namespaces;
use crate::response::Response;
use crate::{Listing, Phase, Reason, Status, TooLarge, WireError};

impl Reader {
    /// All folders, with their special use and their counts where the server tells them.
    ///
    /// # Errors
    /// Those of a command, and more folders than [`crate::Limits::folders`].
    pub async fn list(&mut self) -> Result<Listing, WireError> {
        let namespaces = self.namespaces().await?;
        let capabilities = &self.session.capabilities;
        let counts = capabilities.has("LIST-STATUS") && capabilities.has("LIST-EXTENDED");
        let mut options = vec![];
        if capabilities.has("SPECIAL-USE") && capabilities.has("LIST-EXTENDED") {
            options.push("SPECIAL-USE".to_owned());
        }
        if counts {
            options.push(format!("STATUS {}", self.status_items()));
        }
        let mut command = Command::new(Phase::List, "LIST \"\" \"*\"");
        if !options.is_empty() {
            command = command.text(&format!(" RETURN ({})", options.join(" ")));
        }
        let most = self.session.wire.limits().folders;
        let mut listing = Listing::default();
        let mut told: HashMap<Vec<u8>, Status> = HashMap::new();
        self.session
            .wire
            .exec(command, |response| {
                match response {
                    Response::List(Some(listed)) if listed.exists => listing.folders.push(listed.folder),
                    Response::List(None) | Response::FolderStatus(None) => listing.unreadable += 1,
                    Response::FolderStatus(Some((name, status))) => {
                        told.insert(name, status);
                    }
                    _ => {}
                }
                if listing.folders.len() > most || told.len() > most || listing.unreadable > most {
                    return Err(Reason::TooLarge(TooLarge::Folders));
                }
                Ok(())
            })
            .await?;
        for folder in &mut listing.folders {
            folder.status = told.get(folder.raw.as_bytes()).copied();
            folder.personal = namespaces.as_ref().is_none_or(|n| n.is_personal(&folder.raw));
        }
        if !counts {
            for i in 0..listing.folders.len() {
                if listing.folders[i].selectable {
                    let raw = listing.folders[i].raw.clone();
                    listing.folders[i].status = match self.status(&raw).await {
                        Ok(status) => Some(status),
                        Err(e) if matches!(e.reason, Reason::No(..)) => None,
                        Err(e) => return Err(e),
                    };
                }
            }
        }
        Ok(listing)
    }

    /// Whose the folders are, where the server tells.
    async fn namespaces(&mut self) -> Result<Option<Namespaces>, WireError> {
        if !self.session.capabilities.has("NAMESPACE") {
            return Ok(None);
        }
        let mut told = None;
        let asked = self
            .session
            .wire
            .exec(Command::new(Phase::List, "NAMESPACE"), |response| {
                if let Response::Namespaces(namespaces) = response {
                    told = namespaces;
                }
                Ok(())
            })
            .await;
        match asked {
            Err(e) if !matches!(e.reason, Reason::No(..)) => Err(e),
            _ => Ok(told),
        }
    }

    /// The counts of one folder, by its raw name, without opening it.
    ///
    /// # Errors
    /// Those of a command; an OK without the counts.
    pub async fn status(&mut self, folder: &str) -> Result<Status, WireError> {
        let command = Command::new(Phase::Status, "STATUS")
            .astring("folder", folder)
            .map_err(|r| self.session.wire.error(r))?
            .text(&format!(" {}", self.status_items()));
        let mut found = None;
        self.session
            .wire
            .exec(command, |response| {
                if let Response::FolderStatus(Some((_, status))) = response {
                    found = Some(status);
                }
                Ok(())
            })
            .await?;
        found.ok_or_else(|| self.session.wire.error(Reason::Protocol(crate::Protocol::NoData)))
    }

    fn status_items(&self) -> &'static str {
        if self.session.capabilities.condstore() {
            "(MESSAGES UIDNEXT UIDVALIDITY UNSEEN HIGHESTMODSEQ)"
        } else {
            "(MESSAGES UIDNEXT UIDVALIDITY UNSEEN)"
        }
    }
}
