//! Check 3: what the caller's own class allows. Sending is reserved: this version refuses it for everyone.

use oaken_core::{Class, Code, Error, Result};

use crate::call::Call;
use crate::caller::Who;

/// Refuses every send, and what a personal token was not made for.
pub(crate) fn check(call: &Call) -> Result<()> {
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
    if let Who::Token {
        class: Class::Read, ..
    } = &call.grant.caller().who
        && class != Class::Read
    {
        return Err(Error::new(
            Code::Refused,
            "This token may read only; create one with class change for what changes something.",
        ));
    }
    Ok(())
}
