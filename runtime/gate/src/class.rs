//! Check 3: what the caller's own class allows. Sending is reserved: this version refuses it for everyone.

use oaken_core::{Approval, Class, Code, Descriptor, Error, Result};

use crate::call::Call;
use crate::caller::Who;
use crate::log::{self, Kind};
use crate::{Caller, Gate};

/// As [`allows`], with a row in the log for what is refused.
pub(crate) async fn check(gate: &Gate, call: &Call) -> Result<()> {
    let Err(refused) = allows(call) else { return Ok(()) };
    let row = log::of(gate, Kind::Refused, call, Some(&refused));
    log::append(&gate.governance, vec![row]).await?;
    Err(refused)
}

/// Refuses every send, and what a personal token was not made for.
pub(crate) fn allows(call: &Call) -> Result<()> {
    let class = call.descriptor.class;
    if class == Class::Send {
        return Err(
            match call.grant.settings().boolean("send.enabled") && !call.grant.is_agent() {
                true => Error::new(
                    Code::Refused,
                    "Sending is reserved: this version of Oaken sends nothing.",
                ),
                false => Error::new(
                    Code::Refused,
                    "Sending is reserved and refused; nothing was sent.",
                ),
            },
        );
    }
    if !may(call.grant.caller(), class) {
        return Err(Error::new(
            Code::Refused,
            "This token may read only; create one with class change for what changes something.",
        ));
    }
    Ok(())
}

/// Whether this caller can do more with an operation than be refused: only then is it offered.
pub(crate) fn is_usable(caller: &Caller, descriptor: &Descriptor) -> bool {
    let waits =
        caller.is_agent() && descriptor.approval == Approval::Person && descriptor.class != Class::Read;
    descriptor.class != Class::Send && may(caller, descriptor.class) && !waits
}

fn may(caller: &Caller, class: Class) -> bool {
    !matches!(&caller.who, Who::Token { class: Class::Read, .. } if class != Class::Read)
}
