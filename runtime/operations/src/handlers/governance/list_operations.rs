//! `list_operations`: every operation, its ceiling, and whether agents are offered it.

use oaken_core::{Error, Result, model};
use oaken_gate::governance::exposure;
use oaken_mail::handler::{Read, ReadCx};

use crate::{ListOperations, ListOperationsInput, ListOperationsOutput};

impl Read for ListOperations {
    async fn run(cx: &ReadCx, _: &ListOperationsInput) -> Result<ListOperationsOutput> {
        let operations = exposure::list(&cx.governance)?
            .into_iter()
            .map(|e| {
                let d = e.descriptor;
                Ok(model::OperationEntry {
                    name: d.name.to_owned(),
                    summary: d.summary.to_owned(),
                    class: model::OperationEntryClass::from_word(d.class.word())
                        .ok_or_else(Error::internal)?,
                    ceiling: model::OperationEntryCeiling::from_word(d.ceiling.word())
                        .ok_or_else(Error::internal)?,
                    offered: e.offered,
                    set: e.set,
                })
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(ListOperationsOutput { operations })
    }
}
