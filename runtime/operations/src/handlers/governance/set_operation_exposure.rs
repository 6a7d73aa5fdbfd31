//! `set_operation_exposure`: offers an operation to agents up to its ceiling, or withdraws it.

use oaken_core::{Preview, Result};
use oaken_gate::governance::exposure::{self, To};
use oaken_gate::{Applied, Changes};
use oaken_mail::handler::{Cx, Mutate, ReadCx};

use crate::{
    SetOperationExposure, SetOperationExposureInput, SetOperationExposureInputExposure as Exposure,
    SetOperationExposureOutput,
};

impl Mutate for SetOperationExposure {
    type Effect = Changes;
    type Plan = (String, To);

    async fn preview(cx: &ReadCx, input: &SetOperationExposureInput) -> Result<(Preview, Self::Plan)> {
        let to = match input.exposure {
            Exposure::On => To::On,
            Exposure::Off => To::Off,
            Exposure::Default => To::Default,
        };
        let preview = exposure::preview_set(&cx.governance, &input.operation, to)?;
        Ok((preview, (input.operation.clone(), to)))
    }

    async fn apply(
        cx: &Cx<Changes>,
        (operation, to): &Self::Plan,
    ) -> Result<Applied<SetOperationExposureOutput>> {
        let (offered, commit) = exposure::set(cx.governance(), &cx.confirmed, operation, *to)?;
        Ok(Applied {
            output: SetOperationExposureOutput {
                operation: operation.clone(),
                offered,
            },
            commit,
        })
    }
}
