//! Check 1: whether an operation exists for this caller at all.

use oaken_core::{Ceiling, Descriptor};

use crate::Caller;
use crate::settings::Settings;

/// Whether agents are offered an operation: its ceiling, then what a person set, then its default.
pub(crate) fn offered(settings: &Settings, descriptor: &Descriptor) -> bool {
    match descriptor.ceiling {
        Ceiling::Never => false,
        Ceiling::Off => settings.exposure(descriptor.name) == Some(true),
        Ceiling::On => settings.exposure(descriptor.name) != Some(false),
    }
}

/// Whether this caller may call it. A person may call everything; classes and tokens are a later check.
pub(crate) fn allows(settings: &Settings, caller: &Caller, descriptor: &Descriptor) -> bool {
    match caller.agent() {
        None => true,
        Some(id) => {
            let known = settings.has_agent(id.as_str());
            offered(settings, descriptor) && known
        }
    }
}
