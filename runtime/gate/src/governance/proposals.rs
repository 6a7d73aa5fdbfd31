//! Proposals, as a person lists them and an agent asks after its own. Tokens and inputs are not among what is kept.

use oaken_core::{AgentId, Error, ProposalId, Result, Timestamp};
use oaken_store::rusqlite::{Row, params};
use oaken_store::{OrFault, Tx};
use serde_json::Value;

use crate::Grant;
use crate::governance::Governance;

/// A proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// Its id.
    pub id: ProposalId,
    /// The agent that made it.
    pub agent: AgentId,
    /// The operation.
    pub operation: String,
    /// How it stands: open, applied, failed, stale, expired, burned, void, unconfirmed.
    pub state: &'static str,
    /// How many changes it has.
    pub count: i64,
    /// When it was made.
    pub made: Timestamp,
    /// When it lapses.
    pub expires: Timestamp,
}

/// One change of a proposal, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedChange {
    /// What changes.
    pub of: String,
    /// What about it changes.
    pub what: String,
    /// The state before.
    pub before: Option<String>,
    /// The state after.
    pub after: Option<String>,
}

const COLUMNS: &str = "id, agent, operation, outcome, used, changes, created, expires, boot, boot_until";

/// The newest proposals, of one agent or of all, at most `most`.
///
/// # Errors
/// What reading the database meets.
pub fn list(governance: &Governance, agent: Option<&AgentId>, most: i64) -> Result<Vec<Proposed>> {
    let clock = Now::of(governance);
    governance.0.store.read(|c| {
        let mut s = c
            .prepare_cached(&format!(
                "SELECT {COLUMNS} FROM proposal_row WHERE ?1 IS NULL OR agent = ?1 ORDER BY proposal DESC LIMIT ?2"
            ))
            .or_fault()?;
        let rows = s
            .query_map(params![agent.map(AgentId::as_str), most], |r| Ok(read(r, &clock)))
            .or_fault()?;
        rows.map(|r| r.or_fault()?).collect()
    })
}

/// How many proposals there are, of one agent or of all.
///
/// # Errors
/// What reading the database meets.
pub fn total(governance: &Governance, agent: Option<&AgentId>) -> Result<i64> {
    governance.0.store.read(|c| {
        c.prepare_cached("SELECT count(*) FROM proposal_row WHERE ?1 IS NULL OR agent = ?1")
            .and_then(|mut s| s.query_row([agent.map(AgentId::as_str)], |r| r.get(0)))
            .or_fault()
    })
}

/// One proposal, and the first of its changes, at most `proposal_changes_shown`. An agent finds its own only.
///
/// # Errors
/// `not_found` where there is none for this caller.
pub fn get(
    governance: &Governance,
    grant: &Grant,
    id: &ProposalId,
) -> Result<(Proposed, Vec<ProposedChange>)> {
    let clock = Now::of(governance);
    let found = governance.0.store.read(|c| {
        let mut s = c
            .prepare_cached(&format!(
                "SELECT {COLUMNS}, preview FROM proposal_row WHERE id = ?1 AND (?2 IS NULL OR agent = ?2)"
            ))
            .or_fault()?;
        let mut rows = s
            .query(params![id.as_str(), grant.agent().map(AgentId::as_str)])
            .or_fault()?;
        match rows.next().or_fault()? {
            Some(r) => Ok(Some((read(r, &clock)?, r.get::<_, String>(10).or_fault()?))),
            None => Ok(None),
        }
    })?;
    let (proposed, preview) = found.ok_or_else(|| Error::not_found("/proposal_id"))?;
    let preview: Value = serde_json::from_str(&preview).map_err(|_| Error::internal())?;
    let shown = usize::try_from(grant.setting("proposal_changes_shown")).unwrap_or(0);
    let changes = preview["changes"].as_array().into_iter().flatten().take(shown);
    let word = |v: &Value| match v {
        Value::Null => None,
        Value::String(s) => Some(s.clone()),
        other => Some(other.to_string()),
    };
    let changes = changes.map(|c| ProposedChange {
        of: word(&c["of"]).unwrap_or_default(),
        what: word(&c["what"]).unwrap_or_default(),
        before: word(&c["before"]),
        after: word(&c["after"]),
    });
    Ok((proposed, changes.collect()))
}

/// Which open proposals a change of rights voids.
pub(crate) enum Waiting<'a> {
    /// Those of one agent.
    OfAgent(&'a str),
    /// Those of one operation.
    On(&'a str),
    /// All.
    All,
}

/// Voids open proposals, in the transaction that takes the right away.
pub(crate) fn void(tx: &Tx<'_>, now: i64, waiting: Waiting<'_>) -> Result<()> {
    let (agent, operation) = match waiting {
        Waiting::OfAgent(id) => (Some(id), None),
        Waiting::On(name) => (None, Some(name)),
        Waiting::All => (None, None),
    };
    tx.execute(
        "UPDATE proposal_row SET used = ?1, outcome = 'void' \
         WHERE used IS NULL AND (?2 IS NULL OR agent = ?2) AND (?3 IS NULL OR operation = ?3)",
        params![now, agent, operation],
    )
    .or_fault()?;
    Ok(())
}

struct Now {
    wall: i64,
    boot: String,
    up: i64,
}

impl Now {
    fn of(governance: &Governance) -> Now {
        let (boot, up) = (governance.0.clock.boot)();
        Now {
            wall: governance.0.clock.now(),
            boot,
            up,
        }
    }
}

fn read(r: &Row<'_>, now: &Now) -> Result<Proposed> {
    let (outcome, used): (Option<String>, Option<i64>) = (r.get(3).or_fault()?, r.get(4).or_fault()?);
    let (expires, boot, until): (i64, String, i64) =
        (r.get(7).or_fault()?, r.get(8).or_fault()?, r.get(9).or_fault()?);
    let lapsed = now.wall >= expires || now.boot != boot || now.up >= until;
    let state = match (used, outcome.as_deref()) {
        (None, _) if lapsed => "expired",
        (None, _) => "open",
        (_, Some("applied")) => "applied",
        (_, Some("failed")) => "failed",
        (_, Some("stale")) => "stale",
        (_, Some("expired")) => "expired",
        (_, Some("void")) => "void",
        (_, Some("burned")) => "burned",
        // Redeemed, and not finished: nobody can say yet what happened.
        _ => "unconfirmed",
    };
    let id: String = r.get(0).or_fault()?;
    let agent: String = r.get(1).or_fault()?;
    Ok(Proposed {
        id: ProposalId::parse(&id).ok_or_else(Error::internal)?,
        agent: AgentId::parse(&agent).ok_or_else(Error::internal)?,
        operation: r.get(2).or_fault()?,
        state,
        count: r.get(5).or_fault()?,
        made: Timestamp::from_unix(r.get(6).or_fault()?),
        expires: Timestamp::from_unix(expires),
    })
}
