//! `list_audit`: who did what, newest first, and whether the chain of the log is whole.

use oaken_core::{Error, Result, model};
use oaken_gate::governance::audit::{self, Filter};
use oaken_mail::handler::{Read, ReadCx};

use crate::{ListAudit, ListAuditInput, ListAuditOutput, ListAuditOutputChain};

impl Read for ListAudit {
    async fn run(cx: &ReadCx, input: &ListAuditInput) -> Result<ListAuditOutput> {
        let filter = Filter {
            agent: input.agent_id.clone(),
            operation: input.operation.clone(),
            since: input.since,
            before_seq: input.before_seq,
        };
        let (rows, total) = audit::list(
            &cx.governance,
            &filter,
            cx.grant.setting("operations.max_results"),
        )?;
        let rows = rows
            .into_iter()
            .map(|r| {
                Ok(model::AuditRow {
                    seq: r.seq,
                    at: r.at,
                    door: model::AuditRowDoor::from_word(r.door.word()).ok_or_else(Error::internal)?,
                    who: r.who,
                    operation: r.operation,
                    class: model::AuditRowClass::from_word(r.class.word()).ok_or_else(Error::internal)?,
                    stage: model::AuditRowStage::from_word(r.stage).ok_or_else(Error::internal)?,
                    outcome: r.outcome,
                    entry_id: r.entry,
                    count: r.count,
                })
            })
            .collect::<Result<Vec<_>>>()?;
        let verified = match input.verify {
            true => audit::verify(&cx.governance, None)?,
            false => audit::check(&cx.governance)?,
        };
        let chain = match verified.broken_at {
            None => ListAuditOutputChain::Whole,
            Some(_) => ListAuditOutputChain::Broken,
        };
        Ok(ListAuditOutput { rows, total, chain })
    }
}
