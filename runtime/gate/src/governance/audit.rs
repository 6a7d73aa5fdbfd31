//! The log as a person reads it.

use std::sync::PoisonError;

use oaken_core::{AgentId, Class, Door, EntryId, Error, Result, Timestamp};
use oaken_store::OrFault;
use oaken_store::rusqlite::{Row, params};

use crate::audit::Verified;
use crate::governance::{Governance, in_one_view};
use crate::{Caller, audit, mac};

/// Which rows.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only this agent's.
    pub agent: Option<AgentId>,
    /// Only this operation.
    pub operation: Option<String>,
    /// At or after.
    pub since: Option<Timestamp>,
    /// Only rows before this place in the chain.
    pub before_seq: Option<i64>,
}

/// One row of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// Its place in the chain.
    pub seq: i64,
    /// When.
    pub at: Timestamp,
    /// The door.
    pub door: Door,
    /// The agent's name, or `person`.
    pub who: String,
    /// The operation; `-` where the caller named none that exists.
    pub operation: String,
    /// Its class.
    pub class: Class,
    /// `intent`, `outcome`, `read` or `refused`.
    pub stage: &'static str,
    /// How it ended, as a stable word.
    pub outcome: Option<String>,
    /// The journal entry.
    pub entry: Option<EntryId>,
    /// Changes or ids concerned.
    pub count: i64,
}

const WHERE: &str =
    "(?1 IS NULL OR caller = ?1) AND (?2 IS NULL OR operation = ?2) AND (?3 IS NULL OR at >= ?3)";

/// The newest rows that match, at most `most`, and how many match in all.
///
/// # Errors
/// What reading the database meets.
pub fn list(governance: &Governance, filter: &Filter, most: i64) -> Result<(Vec<Logged>, i64)> {
    let (agent, operation) = (
        filter.agent.as_ref().map(AgentId::as_str),
        filter.operation.as_deref(),
    );
    let since = filter.since.map(Timestamp::unix);
    governance.0.store.read(|c| {
        in_one_view(c, |c| {
            let total = match (agent, operation, since) {
                // The chain has no gaps: the last number is the count.
                (None, None, None) => audit::head(c)?.map_or(0, |(seq, _)| seq),
                _ => c
                    .prepare_cached(&format!("SELECT count(*) FROM audit_row WHERE {WHERE}"))
                    .and_then(|mut s| s.query_row(params![agent, operation, since], |r| r.get(0)))
                    .or_fault()?,
            };
            let mut s = c
                .prepare_cached(&format!(
                    "SELECT seq, at, door, coalesce((SELECT name FROM agent_row WHERE id = caller), 'person'), operation, \
                     class, kind, outcome, entry, count FROM audit_row \
                     WHERE {WHERE} AND (?4 IS NULL OR seq < ?4) ORDER BY seq DESC LIMIT ?5"
                ))
                .or_fault()?;
            let rows = s
                .query_map(params![agent, operation, since, filter.before_seq, most], |r| Ok(read(r)))
                .or_fault()?;
            let rows: Result<Vec<Logged>> = rows.map(|r| r.or_fault()?).collect();
            Ok((rows?, total))
        })
    })
}

/// Walks the whole chain. With a head kept elsewhere (see [`head`]), that row must still be there as it was.
///
/// # Errors
/// What reading the database meets; a broken chain is no error but the answer.
pub fn verify(governance: &Governance, kept_head: Option<(i64, &str)>) -> Result<Verified> {
    let key = &governance.0.keys.audit;
    governance.0.store.read(|c| audit::verify(c, key, kept_head))
}

/// As [`verify`], walking only what came since this process last found the chain whole; all of it the first time. A row
/// changed before that place is not seen here: that is what [`verify`] is for. Rows taken off the end are.
///
/// # Errors
/// What reading the database meets.
pub fn check(governance: &Governance) -> Result<Verified> {
    let held = &governance.0;
    let known = *held.verified.lock().unwrap_or_else(PoisonError::into_inner);
    let (verified, reached) = held
        .store
        .read(|c| audit::verify_from(c, &held.keys.audit, known))?;
    if verified.broken_at.is_none() {
        let mut kept = held.verified.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.is_none_or(|(seq, _)| seq < reached.0) {
            *kept = Some(reached);
        }
    }
    Ok(verified)
}

/// The number of the last row and its code in hex, to be kept where the database is not.
///
/// # Errors
/// What reading the database meets.
pub fn head(governance: &Governance) -> Result<Option<(i64, String)>> {
    let head = governance.0.store.read(audit::head)?;
    Ok(head.map(|(seq, code)| (seq, mac::hex(&code))))
}

/// When this caller's last call was logged. A person's reads are not.
///
/// # Errors
/// What reading the database meets.
pub fn last_call(governance: &Governance, caller: &Caller) -> Result<Option<Timestamp>> {
    governance.0.store.read(|c| {
        c.prepare_cached(
            "SELECT max(at) FROM (SELECT at FROM audit_row WHERE caller = ?1 ORDER BY seq DESC LIMIT 1)",
        )
        .and_then(|mut s| s.query_row([caller.in_log()], |r| r.get::<_, Option<i64>>(0)))
        .or_fault()
        .map(|at| at.map(Timestamp::from_unix))
    })
}

fn read(r: &Row<'_>) -> Result<Logged> {
    let word = |n| r.get::<_, String>(n).or_fault();
    let entry: Option<String> = r.get(8).or_fault()?;
    let stage = word(6)?;
    let stages = ["intent", "outcome", "read", "refused"];
    Ok(Logged {
        seq: r.get(0).or_fault()?,
        at: Timestamp::from_unix(r.get(1).or_fault()?),
        door: Door::from_word(&word(2)?).ok_or_else(Error::internal)?,
        who: word(3)?,
        operation: word(4)?,
        class: Class::from_word(&word(5)?).ok_or_else(Error::internal)?,
        stage: stages
            .into_iter()
            .find(|s| *s == stage)
            .ok_or_else(Error::internal)?,
        outcome: r.get(7).or_fault()?,
        entry: entry.as_deref().and_then(EntryId::parse),
        count: r.get(9).or_fault()?,
    })
}
