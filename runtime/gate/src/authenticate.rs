//! Who calls: the account that runs the command line, or the holder of a token. Nothing else makes a [`Caller`].

use oaken_core::{AgentId, Code, Door, Error, Result, TokenId};
use oaken_store::OrFault;
use oaken_store::rusqlite::OptionalExtension;

use crate::caller::Who;
use crate::governance::tokens::Limit;
use crate::mac::hash;
use crate::{Caller, Gate};

impl Gate {
    /// The person at the command line: the operating system's account that runs this process.
    ///
    /// # Errors
    /// None today; a version that asks for more presence than the account will have some.
    pub fn person_cli(&self) -> Result<Caller> {
        Ok(Caller {
            door: Door::Cli,
            who: Who::Person { name: os_account() },
        })
    }

    /// The holder of a token that came through `door`. An agent's token makes a mcp caller at every door; a personal
    /// one makes a person, and never at the door of agents.
    ///
    /// # Errors
    /// `unauthenticated`, in the same words for every token that opens nothing.
    pub fn authenticate(&self, token: &str, door: Door) -> Result<Caller> {
        let digest = hash(token);
        let now = self.governance.0.clock.now();
        let found = self.governance.0.store.read(|c| {
            let agent: Option<(String, String)> = c
                .prepare_cached("SELECT id, name FROM agent_row WHERE token_hash = ?1 AND revoked IS NULL")
                .and_then(|mut s| {
                    s.query_row([digest.as_slice()], |r| Ok((r.get(0)?, r.get(1)?)))
                        .optional()
                })
                .or_fault()?;
            if let Some((id, name)) = agent {
                let id = AgentId::parse(&id).ok_or_else(Error::internal)?;
                return Ok(Some((Door::Mcp, Who::Agent { id, name })));
            }
            let person: Option<(String, String, String)> = c
                .prepare_cached(
                    "SELECT id, name, class FROM token_row \
                     WHERE token_hash = ?1 AND revoked IS NULL AND (expires IS NULL OR expires > ?2)",
                )
                .and_then(|mut s| {
                    s.query_row((digest.as_slice(), now), |r| {
                        Ok((r.get(0)?, r.get(1)?, r.get(2)?))
                    })
                    .optional()
                })
                .or_fault()?;
            let Some((id, name, limit)) = person.filter(|_| door == Door::Ui) else {
                return Ok(None);
            };
            let id = TokenId::parse(&id).ok_or_else(Error::internal)?;
            let class = Limit::from_word(&limit).ok_or_else(Error::internal)?.class();
            Ok(Some((Door::Ui, Who::Token { id, name, class })))
        })?;
        match found {
            Some((door, who)) => Ok(Caller { door, who }),
            None => Err(Error::new(
                Code::Unauthenticated,
                "This token opens nothing: it is unknown, lapsed or revoked, or is for another door.",
            )),
        }
    }
}

/// The name of the account that owns this process. It names the person in the log and proves nothing more.
fn os_account() -> String {
    let owner = owner_of_process();
    let named = owner.and_then(|uid| {
        let accounts = std::fs::read_to_string("/etc/passwd").ok()?;
        accounts.lines().find_map(|line| {
            let mut parts = line.split(':');
            let (name, uid_there) = (parts.next()?, parts.nth(1)?);
            (uid_there.parse() == Ok(uid)).then(|| name.to_owned())
        })
    });
    match (named, owner) {
        (Some(name), _) if name.len() <= 64 => name,
        (_, Some(uid)) => format!("uid {uid}"),
        _ => "person".to_owned(),
    }
}

#[cfg(unix)]
fn owner_of_process() -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").ok().map(|m| m.uid())
}

#[cfg(not(unix))]
fn owner_of_process() -> Option<u32> {
    None
}
