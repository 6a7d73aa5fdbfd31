//! Check 3: what the caller's own class allows. What governs is for a person at the command line. Sending is reserved: this version refuses it for everyone.

use oaken_core::{Approval, Ceiling, Class, Code, Descriptor, Error, Result};

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
    if governs(call.grant.caller(), call.descriptor) {
        return Err(Error::new(
            Code::PresenceRequired,
            "What governs Oaken is changed at the command line; no token may.",
        )
        .next("oaken --help"));
    }
    Ok(())
}

/// Whether a token asks for what governs: a token can be lost, and would make more of itself or open mail to agents.
fn governs(caller: &Caller, descriptor: &Descriptor) -> bool {
    matches!(caller.who, Who::Token { .. })
        && descriptor.class != Class::Read
        && descriptor.ceiling == Ceiling::Never
}

/// Whether this caller can do more with an operation than be refused: only then is it offered.
pub(crate) fn is_usable(caller: &Caller, descriptor: &Descriptor) -> bool {
    let waits =
        caller.is_agent() && descriptor.approval == Approval::Person && descriptor.class != Class::Read;
    descriptor.class != Class::Send && may(caller, descriptor.class) && !governs(caller, descriptor) && !waits
}

fn may(caller: &Caller, class: Class) -> bool {
    !matches!(&caller.who, Who::Token { class: Class::Read, .. } if class != Class::Read)
}
