//! The one global list of what agents are offered: lowered or raised by a person, never above the ceiling.

use oaken_core::{Ceiling, Change, Code, Descriptor, Error, Preview, Result};
use oaken_store::rusqlite::params;
use oaken_store::{OrFault, TableOwner};

use crate::governance::{Governance, proposals};
use crate::settings::Settings;
use crate::{Changes, Commit, Confirmed, exposure};

/// How one operation stands.
#[derive(Clone, Copy, Debug)]
pub struct Exposure {
    /// The operation.
    pub descriptor: &'static Descriptor,
    /// Whether agents are offered it.
    pub offered: bool,
    /// Whether a person set that, or it is the default.
    pub set: bool,
}

/// What a person sets an operation to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// Offered.
    On,
    /// Not offered.
    Off,
    /// As its ceiling says.
    Default,
}

/// Every operation, by name.
///
/// # Errors
/// What reading the database meets.
pub fn list(governance: &Governance) -> Result<Vec<Exposure>> {
    let settings = governance.settings()?;
    Ok(governance
        .descriptors()
        .iter()
        .map(|d| standing(&settings, d))
        .collect())
}

/// How one operation stands.
///
/// # Errors
/// `not_found` where there is none of that name.
pub fn get(governance: &Governance, operation: &str) -> Result<Exposure> {
    let settings = governance.settings()?;
    Ok(standing(&settings, known(governance, operation)?))
}

/// What setting it changes; nothing where it is so already.
///
/// # Errors
/// `not_found` where there is no such operation, `refused` above its ceiling.
pub fn preview_set(governance: &Governance, operation: &str, to: To) -> Result<Preview> {
    let settings = governance.settings()?;
    let descriptor = known(governance, operation)?;
    let after = after(descriptor, to)?;
    let before = exposure::offered(&settings, descriptor);
    let word = |offered| if offered { "on" } else { "off" };
    let mut preview = Preview::default();
    if before != after {
        preview.changes.push(Change::new(
            descriptor.name,
            "exposure",
            word(before),
            word(after),
        ));
    }
    Ok(preview)
}

/// Sets it. Answers whether agents are offered it after the commit; lowering voids what waits on it.
///
/// # Errors
/// As [`preview_set`].
pub fn set(
    governance: &Governance,
    _: &Confirmed<Changes>,
    operation: &str,
    to: To,
) -> Result<(bool, Commit)> {
    let descriptor = known(governance, operation)?;
    let after = after(descriptor, to)?;
    let now = governance.0.clock.now();
    let commit = Commit::new(TableOwner, move |tx| {
        match to {
            To::Default => tx.execute("DELETE FROM exposure_row WHERE operation = ?1", [descriptor.name]),
            To::On | To::Off => tx.execute(
                "INSERT INTO exposure_row (operation, offered) VALUES (?1, ?2) \
                 ON CONFLICT (operation) DO UPDATE SET offered = excluded.offered",
                params![descriptor.name, after],
            ),
        }
        .or_fault()?;
        if after {
            return Ok(());
        }
        proposals::void(tx, now, proposals::Waiting::On(descriptor.name))
    });
    Ok((after, commit))
}

fn standing(settings: &Settings, descriptor: &'static Descriptor) -> Exposure {
    Exposure {
        descriptor,
        offered: exposure::offered(settings, descriptor),
        set: settings.exposure(descriptor.name).is_some(),
    }
}

fn known(governance: &Governance, operation: &str) -> Result<&'static Descriptor> {
    governance
        .descriptor(operation)
        .ok_or_else(|| Error::not_found("/operation"))
}

fn after(descriptor: &Descriptor, to: To) -> Result<bool> {
    match (to, descriptor.ceiling) {
        (To::Off, _) | (To::Default, Ceiling::Never | Ceiling::Off) => Ok(false),
        (To::Default, Ceiling::On) | (To::On, Ceiling::Off | Ceiling::On) => Ok(true),
        (To::On, Ceiling::Never) => Err(Error::new(
            Code::Refused,
            "This operation has ceiling never: it can never be offered to an agent.",
        )),
    }
}
