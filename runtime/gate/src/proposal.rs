//! An agent's proposal and the token that redeems it, once: bound to the operation, its declaration, the caller, the
//! ids and the canonical input; lapsing by two clocks; burned by any attempt.

use std::collections::HashSet;

use oaken_core::{Code, Error, IssuedSecret, Param, Proposal, ProposalId, Result, Timestamp};
use oaken_store::rusqlite::{OptionalExtension, params};
use oaken_store::{Durability, OrFault, Tx};

use crate::audit::{self, Kind, Row};
use crate::call::Call;
use crate::change::{self, Change};
use crate::mac::{hash, mac};
use crate::{Caller, Gate, Governance, log, rights};

/// A proposal whose token was presented, checked once, and not yet used up.
#[derive(Clone)]
pub(crate) struct Redeemed {
    id: String,
    token_hash: [u8; 32],
    binding: [u8; 32],
}

/// Makes a proposal: nothing changes but that it waits.
pub(crate) async fn propose(gate: &Gate, call: &Call, change: Change) -> Result<Proposal> {
    let governance = &gate.governance;
    let (id, token) = (ProposalId::random(), IssuedSecret::random("oak_once"));
    let (boot, up) = (governance.0.clock.boot)();
    let now = governance.0.clock.now();
    let ttl = call.grant.setting("confirm_ttl_seconds");
    let binding = binding(governance, call)?;
    let preview = serde_json::to_string(&change.preview).map_err(|_| Error::internal())?;
    let count = change.preview.changes.len();
    let caps = [
        (
            "max_pending_confirmations",
            call.grant.setting("max_pending_confirmations"),
            None,
        ),
        (
            "max_pending_per_agent",
            call.grant.setting("max_pending_per_agent"),
            Some(call.grant.caller().in_log().to_owned()),
        ),
    ];
    let mut row = log::of(gate, Kind::Read, call, None);
    row.proposal = Some(id.as_str().to_owned());
    row.outcome = Some("proposed");
    row.count = count;
    row.detail = preview.clone();
    let (held, grant, token_hash) = (governance.clone(), call.grant.clone(), hash(token.reveal()));
    let (proposal, agent, name) = (id.clone(), row.caller.clone(), call.descriptor.name);
    governance
        .write(Durability::Normal, move |tx| {
            rights::unchanged(&held, tx, &grant)?;
            tx.execute(
                "UPDATE proposal_row SET used = ?1, outcome = 'expired' \
                 WHERE used IS NULL AND (expires <= ?1 OR boot <> ?2 OR boot_until <= ?3)",
                params![now, boot, up],
            )
            .or_fault()?;
            for (setting, most, agent) in caps {
                let open: i64 = tx
                    .query_row(
                        "SELECT count(*) FROM proposal_row WHERE used IS NULL AND (?1 IS NULL OR agent = ?1)",
                        [agent],
                        |r| r.get(0),
                    )
                    .or_fault()?;
                if open >= most {
                    return Err(Error::new(
                        Code::OverLimit,
                        "Too many proposals are open: the setting {setting} allows {most}. Use them or let them lapse.",
                    )
                    .with("setting", Param::Word(setting))
                    .with("most", Param::Int(most)));
                }
            }
            tx.execute(
                "INSERT INTO proposal_row (id, token_hash, operation, agent, binding, preview, changes, created, \
                 expires, boot, boot_until) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                params![
                    proposal.as_str(),
                    token_hash.as_slice(),
                    name,
                    agent,
                    binding.as_slice(),
                    preview,
                    row.count as i64,
                    now,
                    now + ttl,
                    boot,
                    up + ttl
                ],
            )
            .or_fault()?;
            audit::append(tx, &held.0.keys.audit, &[row])
        })
        .await?;
    let shown = usize::try_from(call.grant.setting("proposal_changes_shown")).unwrap_or(0);
    let mut preview = change.preview;
    preview.changes.truncate(shown);
    Ok(Proposal {
        proposal_id: id,
        operation: call.descriptor.name,
        count,
        preview,
        proposal_token: token.reveal().to_owned(),
        expires: Timestamp::from_unix(now + ttl),
    })
}

/// Checks a token against its proposal and previews once more: what is still as it was proposed may be made, the rest
/// is left out, and where nothing is left or the operation can only be made whole, it is stale.
pub(crate) async fn redeem(gate: &Gate, call: &Call, token: &str) -> Result<(Change, Redeemed)> {
    let governance = &gate.governance;
    let (token_hash, binding) = (hash(token), binding(governance, call)?);
    let found: Option<(String, Vec<u8>, String)> = governance.0.store.read(|c| {
        c.prepare_cached(
            "SELECT id, binding, preview FROM proposal_row WHERE token_hash = ?1 AND used IS NULL",
        )
        .and_then(|mut s| {
            s.query_row([token_hash.as_slice()], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))
                .optional()
        })
        .or_fault()
    })?;
    let Some((id, _, preview)) = found.filter(|(_, bound, _)| *bound == binding) else {
        return Err(confirms_nothing());
    };
    let change = change::prepare(gate, call.descriptor, &call.grant, &call.checked.input).await?;
    if change.approval == oaken_core::Approval::Person {
        return Err(confirms_nothing());
    }
    let proposed: serde_json::Value = serde_json::from_str(&preview).map_err(|_| Error::internal())?;
    let proposed: HashSet<String> = proposed["changes"]
        .as_array()
        .into_iter()
        .flatten()
        .map(ToString::to_string)
        .collect();
    let as_proposed =
        |c: &oaken_core::Change| serde_json::to_value(c).is_ok_and(|c| proposed.contains(&c.to_string()));
    let same = change.preview.changes.iter().filter(|c| as_proposed(c)).count();
    let change = if same == change.preview.changes.len() && same == proposed.len() {
        change
    } else if same == 0 {
        return Err(stale());
    } else {
        // What is new since the proposal is left out too: it was never shown.
        change::narrow(gate, change, &as_proposed).ok_or_else(stale)?
    };
    let redeemed = Redeemed {
        id,
        token_hash,
        binding,
    };
    Ok((change, redeemed))
}

impl Redeemed {
    /// Uses the token up, in the transaction that writes the intent: one conditional update, so that of many callers
    /// one wins.
    pub(crate) fn burn(
        &self,
        governance: &Governance,
        tx: &Tx<'_>,
        call_agent: &str,
        operation: &str,
    ) -> Result<()> {
        let (boot, up) = (governance.0.clock.boot)();
        let now = governance.0.clock.now();
        let won = tx
            .execute(
                "UPDATE proposal_row SET used = ?1 WHERE token_hash = ?2 AND used IS NULL AND operation = ?3 \
                 AND agent = ?4 AND binding = ?5 AND expires > ?1 AND boot = ?6 AND boot_until > ?7",
                params![
                    now,
                    self.token_hash.as_slice(),
                    operation,
                    call_agent,
                    self.binding.as_slice(),
                    boot,
                    up
                ],
            )
            .or_fault()?;
        if won == 1 { Ok(()) } else { Err(confirms_nothing()) }
    }

    /// The proposal.
    pub(crate) fn proposal(&self) -> &str {
        &self.id
    }
}

/// Burns a token that failed, if it is one of an open proposal; the log says so. An unknown one writes nothing.
pub(crate) async fn burn(governance: &Governance, caller: &Caller, token: &str, why: &Error) -> Result<()> {
    let token_hash = hash(token);
    let open = governance.0.store.read(|c| {
        c.prepare_cached("SELECT id FROM proposal_row WHERE token_hash = ?1 AND used IS NULL")
            .and_then(|mut s| {
                s.query_row([token_hash.as_slice()], |r| r.get::<_, String>(0))
                    .optional()
            })
            .or_fault()
    })?;
    let Some(id) = open else { return Ok(()) };
    let now = governance.0.clock.now();
    let (boot, up) = (governance.0.clock.boot)();
    let outcome = if why.code() == Code::Stale {
        "stale"
    } else {
        "burned"
    };
    let (held, mut row) = (governance.clone(), Row::of(Kind::Refused, now, caller, None));
    row.proposal = Some(id);
    row.outcome = Some(outcome);
    governance
        .write(Durability::Full, move |tx| {
            let burned = tx
                .execute(
                    "UPDATE proposal_row SET used = ?2, outcome = CASE \
                     WHEN expires <= ?2 OR boot <> ?3 OR boot_until <= ?4 THEN 'expired' ELSE ?5 END \
                     WHERE token_hash = ?1 AND used IS NULL",
                    params![token_hash.as_slice(), now, boot, up, outcome],
                )
                .or_fault()?;
            match burned {
                0 => Ok(()),
                _ => audit::append(tx, &held.0.keys.audit, &[row]).map(|_| ()),
            }
        })
        .await
}

/// What a token is bound to, under the install key.
fn binding(governance: &Governance, call: &Call) -> Result<[u8; 32]> {
    let fixed = [
        b"proposal 1".as_slice(),
        call.descriptor.name.as_bytes(),
        call.descriptor.digest.as_bytes(),
        call.grant.caller().in_log().as_bytes(),
        call.checked.canonical.as_bytes(),
    ];
    let ids = call.checked.ids.iter().map(String::as_bytes);
    mac(&governance.0.keys.install, fixed.into_iter().chain(ids))
}

/// One answer for every token that lets nothing: used, lapsed, unknown, or of another call.
pub(crate) fn confirms_nothing() -> Error {
    Error::new(
        Code::Refused,
        "This proposal_token confirms nothing here: it is unknown, used, lapsed, or of another call. Call again without it.",
    )
}

fn stale() -> Error {
    Error::new(
        Code::Stale,
        "What was proposed is no longer as it was, and nothing was changed. Call again without proposal_token.",
    )
}
