//! Agents: added by a person, known by a token that is shown once, gone for good when revoked.

use oaken_core::{AgentId, Auditable, Change, Error, IssuedSecret, Preview, Result, Timestamp};
use oaken_store::rusqlite::{OptionalExtension, params};
use oaken_store::{OrFault, TableOwner};

use crate::governance::{Governance, proposals};
use crate::mac::hash;
use crate::{Changes, Commit, Confirmed};

/// An agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Its id.
    pub id: AgentId,
    /// Its name.
    pub name: String,
    /// When it was added.
    pub added: Timestamp,
    /// When it last called.
    pub last_seen: Option<Timestamp>,
    /// Whether it was revoked.
    pub revoked: bool,
}

/// All agents, by name.
///
/// # Errors
/// What reading the database meets.
pub fn list(governance: &Governance) -> Result<Vec<Agent>> {
    governance.0.store.read(|c| {
        let mut s = c
            .prepare_cached(
                "SELECT id, name, created, (SELECT at FROM audit_row WHERE caller = agent_row.id ORDER BY seq DESC LIMIT 1), \
                 revoked FROM agent_row ORDER BY name COLLATE NOCASE",
            )
            .or_fault()?;
        let rows = s
            .query_map([], |r| {
                Ok((r.get::<_, String>(0)?, r.get(1)?, r.get(2)?, r.get::<_, Option<i64>>(3)?, r.get::<_, Option<i64>>(4)?))
            })
            .or_fault()?;
        rows.map(|row| {
            let (id, name, added, seen, revoked) = row.or_fault()?;
            Ok(Agent {
                id: AgentId::parse(&id).ok_or_else(Error::internal)?,
                name,
                added: Timestamp::from_unix(added),
                last_seen: seen.map(Timestamp::from_unix),
                revoked: revoked.is_some(),
            })
        })
        .collect()
    })
}

/// A new agent and its token, which is never to be had again.
///
/// # Errors
/// `invalid_input` where the name is not 1 to 64 letters, digits, spaces, `.`, `_`, `-`; the commit answers the same
/// where the name was ever used.
pub fn add(
    governance: &Governance,
    _: &Confirmed<Changes>,
    name: &str,
) -> Result<(AgentId, IssuedSecret, Commit)> {
    let name = fit_name(name)?;
    let (id, token) = (AgentId::random(), IssuedSecret::random("oak_agent"));
    let (row, digest, now) = (id.clone(), hash(token.reveal()), governance.0.clock.now());
    let commit = Commit::new(TableOwner, move |tx| {
        let taken = tx
            .query_row("SELECT 1 FROM agent_row WHERE name = ?1", [&name], |_| Ok(()))
            .optional()
            .or_fault()?;
        if taken.is_some() {
            return Err(Error::invalid_field(
                "/name",
                "is the name of another agent, or was",
            ));
        }
        tx.execute(
            "INSERT INTO agent_row (id, name, token_hash, created) VALUES (?1, ?2, ?3, ?4)",
            params![row.as_str(), name, digest.as_slice(), now],
        )
        .or_fault()?;
        Ok(())
    });
    Ok((id, token, commit))
}

/// What revoking changes.
///
/// # Errors
/// `not_found` where there is no such agent or it is revoked already.
pub fn preview_revoke(governance: &Governance, id: &AgentId) -> Result<Preview> {
    let live = governance.0.store.read(|c| {
        c.query_row(
            "SELECT 1 FROM agent_row WHERE id = ?1 AND revoked IS NULL",
            [id.as_str()],
            |_| Ok(()),
        )
        .optional()
        .or_fault()
    })?;
    live.map(|()| Preview {
        changes: vec![Change::gone(id, "agent")],
    })
    .ok_or_else(|| Error::not_found("/agent_id"))
}

/// Revokes an agent: its token stops working with this commit, and what it proposed is void.
pub fn revoke(governance: &Governance, _: &Confirmed<Changes>, id: &AgentId) -> Commit {
    let (id, now) = (id.clone(), governance.0.clock.now());
    Commit::new(TableOwner, move |tx| {
        let done = tx
            .execute(
                "UPDATE agent_row SET revoked = ?2 WHERE id = ?1 AND revoked IS NULL",
                params![id.as_str(), now],
            )
            .or_fault()?;
        if done == 0 {
            return Err(Error::not_found("/agent_id"));
        }
        proposals::void(tx, now, proposals::Waiting::OfAgent(id.as_str()))
    })
}

/// A name that may stand in a log: no mail text can pass as one.
pub(crate) fn fit_name(name: &str) -> Result<String> {
    match Auditable::name(name) {
        Some(_) if name.trim() == name => Ok(name.to_owned()),
        _ => Err(Error::invalid_field(
            "/name",
            "is not 1 to 64 letters, digits, inner spaces, dots, underscores and hyphens",
        )),
    }
}
