//! Every id of an input, resolved by its kind in the grant's reach: hidden, missing and well-formed nonsense are one
//! answer. Agents, proposals and tokens are the gate's own.

use oaken_core::{Error, Fault, IdKind, Result};
use oaken_store::OrFault;
use oaken_store::rusqlite::OptionalExtension;

use crate::{Governance, Grant};

/// An id in an input or output: where, of what kind, which.
pub(crate) struct Named {
    pub(crate) field: String,
    pub(crate) kind: IdKind,
    pub(crate) id: String,
}

/// `not_found` with the field of each id that names nothing in reach.
pub(crate) fn resolve(governance: &Governance, grant: &Grant, ids: &[Named]) -> Result<()> {
    let found = found(governance, grant, ids)?;
    let mut missing = ids
        .iter()
        .zip(found)
        .filter(|(_, found)| !found)
        .map(|(named, _)| named);
    let Some(first) = missing.next() else {
        return Ok(());
    };
    let e = Error::not_found(first.field.clone());
    Err(missing.fold(e, |e, named| {
        e.fault(Fault::new(named.field.clone(), "names nothing in reach"))
    }))
}

/// For each id whether it names something in reach.
pub(crate) fn found(governance: &Governance, grant: &Grant, ids: &[Named]) -> Result<Vec<bool>> {
    let own = |kind| matches!(kind, IdKind::Agent | IdKind::Proposal | IdKind::Token);
    let mut asked: Vec<(IdKind, &str)> = ids
        .iter()
        .filter(|n| !own(n.kind))
        .map(|n| (n.kind, n.id.as_str()))
        .collect();
    asked.sort_unstable_by(|a, b| a.1.cmp(b.1));
    asked.dedup();
    let answers = match asked.is_empty() {
        true => Vec::new(),
        false => governance.0.directory.resolve(grant, &asked)?,
    };
    if answers.len() != asked.len() {
        return Err(Error::internal());
    }
    ids.iter()
        .map(|named| match own(named.kind) {
            true => governs(governance, grant, named),
            false => {
                let at = asked.binary_search_by(|(_, id)| (*id).cmp(named.id.as_str()));
                Ok(at.ok().and_then(|at| answers.get(at).copied()).unwrap_or(false))
            }
        })
        .collect()
}

/// A person finds all of what governs; an agent itself and its own proposals.
fn governs(governance: &Governance, grant: &Grant, named: &Named) -> Result<bool> {
    let agent = grant.agent().map(oaken_core::AgentId::as_str);
    let sql = match named.kind {
        IdKind::Agent => "SELECT 1 FROM agent_row WHERE id = ?1 AND (?2 IS NULL OR id = ?2)",
        IdKind::Proposal => "SELECT 1 FROM proposal_row WHERE id = ?1 AND (?2 IS NULL OR agent = ?2)",
        _ => "SELECT 1 FROM token_row WHERE id = ?1 AND ?2 IS NULL",
    };
    governance.0.store.read(|c| {
        c.prepare_cached(sql)
            .and_then(|mut s| s.query_row((&named.id, agent), |_| Ok(())).optional())
            .or_fault()
            .map(|row| row.is_some())
    })
}
