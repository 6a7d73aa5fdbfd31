//! One call, from the door to the answer: the five checks, in their order.

use std::sync::Arc;

use oaken_core::{Answer, Class, Confirmation, Descriptor, Error, Result};

use crate::confirm::Leave;
use crate::input::{self, Checked};
use crate::log::{self, Kind};
use crate::{
    Body, Caller, Gate, Grant, Input, change, class, confirm, exposure, output, proposal, reach, run,
};

/// A call after its first two checks.
pub(crate) struct Call {
    pub(crate) descriptor: &'static Descriptor,
    pub(crate) grant: Arc<Grant>,
    pub(crate) checked: Checked,
}

impl Gate {
    /// The only way to an operation.
    ///
    /// # Errors
    /// What a check refuses, in the order of the checks; what the operation itself meets; `internal` where a handler
    /// panics or answers what its declaration does not allow.
    pub async fn call(
        &self,
        caller: &Caller,
        operation: &str,
        input: Input,
        confirmation: Confirmation,
    ) -> Result<Answer> {
        let token = match &confirmation {
            Confirmation::Token(token) | Confirmation::Both(token) => Some(token.clone()),
            _ => None,
        };
        let answer = self.checked(caller, operation, input, confirmation).await;
        if let (Err(why), Some(token)) = (&answer, token) {
            // Burned by any attempt to use it, whichever check refused it. An unknown one writes nothing.
            proposal::burn(&self.governance, caller, &token, why).await?;
        }
        answer
    }

    async fn checked(
        &self,
        caller: &Caller,
        operation: &str,
        input: Input,
        confirmation: Confirmation,
    ) -> Result<Answer> {
        let settings = self.governance.settings()?;
        // 1. Exposure.
        let descriptor = exposure::check(self, &settings, caller, operation).await?;
        // 2. Input, in the reach of the caller.
        let grant = Arc::new(reach::grant(&self.governance, caller, &settings)?);
        let checked = input::check(&self.governance, &grant, descriptor, input)?;
        let call = Call {
            descriptor,
            grant,
            checked,
        };
        // 3. Class.
        class::check(self, &call).await?;
        // 4. Confirmation.
        match confirm::settle(self, &call, confirmation).await? {
            // 5. Run, validate the output, audit.
            Leave::Read => self.read(call).await,
            Leave::Given(change) => run::run(self, call, change).await,
            Leave::Proposed(proposal) => Ok(Answer::Proposed(proposal)),
        }
    }

    async fn read(&self, call: Call) -> Result<Answer> {
        let Some(Body::Read(body)) = self.entries.get(call.descriptor.name).map(|e| &e.body) else {
            return Err(Error::internal());
        };
        let raw = change::caught(|| body(call.grant.clone(), call.checked.input.clone())).await?;
        let shaped = output::shape(self, &call, &[], raw)?;
        if call.grant.is_agent() {
            // No row, no answer.
            let row = log::of(self, Kind::Read, &call, None).with_ids(&shaped.ids);
            log::append(&self.governance, vec![row]).await?;
        }
        Ok(Answer::Done {
            output: shaped.output,
            cut: shaped.cut,
            entry: None,
        })
    }
}

impl Call {
    pub(crate) fn is_read(&self) -> bool {
        self.descriptor.class == Class::Read
    }
}
