//! Check 1: whether an operation exists for this caller at all.

use oaken_core::{Ceiling, Code, Descriptor, Door, Error, Result};

use crate::audit::{Kind, Row};
use crate::caller::Who;
use crate::settings::Settings;
use crate::{Caller, Gate, log};

/// Whether agents are offered an operation: its ceiling, then what a person set, then its default.
pub(crate) fn offered(settings: &Settings, descriptor: &Descriptor) -> bool {
    match descriptor.ceiling {
        Ceiling::Never => false,
        Ceiling::Off => settings.exposure(descriptor.name) == Some(true),
        Ceiling::On => settings.exposure(descriptor.name) != Some(false),
    }
}

/// Whether this caller may call it. A person may call everything, but from elsewhere nothing that is for the command
/// line only: it names files and commands of this machine. Classes and tokens are a later check.
pub(crate) fn allows(settings: &Settings, caller: &Caller, descriptor: &Descriptor) -> bool {
    match caller.agent() {
        None => !descriptor.cli.only || caller.door() != Door::Ui,
        Some(id) => {
            let known = settings.has_agent(id.as_str());
            offered(settings, descriptor) && known
        }
    }
}

/// The operation, if this caller may call it. What is off, can never be offered or does not exist is one answer,
/// given after the same work: one look-up, one row in the log.
pub(crate) async fn check(
    gate: &Gate,
    settings: &Settings,
    caller: &Caller,
    operation: &str,
) -> Result<&'static Descriptor> {
    let now = gate.governance.0.clock.now();
    if let Who::Token { id, .. } = &caller.who
        && !settings.has_token(id.as_str(), now)
    {
        return Err(Error::new(
            Code::Unauthenticated,
            "This token has lapsed or was revoked.",
        ));
    }
    let known = gate.governance.descriptor(operation);
    match known {
        Some(descriptor) if allows(settings, caller, descriptor) => return Ok(descriptor),
        _ => {}
    }
    let refused = Error::not_available();
    if caller.is_agent() {
        let mut row = Row::of(Kind::Refused, now, caller, known);
        row.outcome = Some(refused.code().word());
        log::append(&gate.governance, vec![row]).await?;
    }
    Err(refused)
}
