//! The gate itself: the registry of entries, who may see what of it, and who calls.

use std::collections::HashMap;
use std::sync::Arc;

use oaken_core::{Bound, Confirmation, Descriptor, Error, Result, Shape};
use serde_json::Value;

use crate::{Caller, Entry, Governance, Settings, class, exposure, governance, intent, reach};

/// One way to every operation.
#[derive(Clone)]
pub struct Gate {
    pub(crate) governance: Governance,
    pub(crate) entries: Arc<HashMap<&'static str, Entry>>,
}

/// An operation that a caller can use now.
#[derive(Debug)]
pub struct Offer {
    /// The operation.
    pub descriptor: &'static Descriptor,
    /// The live value of each setting that bounds a list of its input.
    pub bounds: Vec<(&'static str, i64)>,
    /// Whether the caller must name an account.
    pub account_required: bool,
}

/// What a door hands in: bytes as they came, or a value it made itself. No `Debug`: a password may be in it.
#[derive(Clone)]
pub enum Input {
    /// JSON as it came; duplicate keys are still seen.
    Bytes(Vec<u8>),
    /// A value that a door made or has already lifted a confirmation out of.
    Value(Value),
}

impl Gate {
    /// A gate over these operations. Settles what calls a crash left open: they are reported as unconfirmed.
    ///
    /// # Errors
    /// `internal` where two entries bear one name, a body is not what its descriptor declares, or a second gate is made
    /// over one [`Governance`]; what reading the database meets.
    pub fn new(governance: Governance, entries: Vec<Entry>) -> Result<Gate> {
        let mut descriptors: Vec<&'static Descriptor> = entries.iter().map(|e| e.descriptor).collect();
        descriptors.sort_by_key(|d| d.name);
        if descriptors.windows(2).any(|w| w[0].name == w[1].name)
            || !entries.iter().all(Entry::is_as_declared)
        {
            return Err(Error::internal());
        }
        let entries = entries.into_iter().map(|e| (e.descriptor.name, e)).collect();
        governance
            .0
            .descriptors
            .set(descriptors)
            .map_err(|_| Error::internal())?;
        intent::settle(&governance)?;
        // Kept where the database is not, so that rows taken off the end of the log show.
        if let Some((seq, code)) = governance::audit::head(&governance)? {
            tracing::info!(seq, code, "the head of the log");
        }
        Ok(Gate {
            governance,
            entries: Arc::new(entries),
        })
    }

    /// What governs, for the doors that show it.
    #[must_use]
    pub fn governance(&self) -> &Governance {
        &self.governance
    }

    /// The settings, and everything else that holds now.
    ///
    /// # Errors
    /// What reading the database meets.
    pub fn settings(&self) -> Result<Arc<Settings>> {
        self.governance.settings()
    }

    /// All operations, by name.
    #[must_use]
    pub fn descriptors(&self) -> &[&'static Descriptor] {
        self.governance.descriptors()
    }

    /// The operations this caller can use now, by name.
    ///
    /// # Errors
    /// What reading the database meets.
    pub fn offered(&self, caller: &Caller) -> Result<Vec<Offer>> {
        let settings = self.governance.settings()?;
        let grant = reach::grant(&self.governance, caller, &settings)?;
        let mut offers = Vec::new();
        for descriptor in self.descriptors() {
            if exposure::allows(&settings, caller, descriptor) && class::is_usable(caller, descriptor) {
                let mut bounds = Vec::new();
                for field in descriptor.input {
                    collect_bounds(&field.shape, &mut |b| {
                        let live = settings.bound(b, caller.is_agent());
                        if !bounds.contains(&live) {
                            bounds.push(live);
                        }
                    });
                }
                offers.push(Offer {
                    descriptor,
                    bounds,
                    account_required: !grant.whole && reach::takes_account(descriptor),
                });
            }
        }
        Ok(offers)
    }

    /// Takes `confirm` (a person's yes) and `proposal_token` (an agent's) out of an input, before it is checked.
    ///
    /// # Errors
    /// `invalid_input` where one has another type. Both together are for [`Gate::call`] to refuse, which uses the token up.
    pub fn lift(input: &mut Value) -> Result<Confirmation> {
        let Some(fields) = input.as_object_mut() else {
            return Ok(Confirmation::None);
        };
        let (confirm, token) = (
            fields.shift_remove("confirm"),
            fields.shift_remove("proposal_token"),
        );
        match (confirm, token) {
            (None | Some(Value::Bool(false)), None) => Ok(Confirmation::None),
            (Some(Value::Bool(true)), None) => Ok(Confirmation::Yes),
            (None | Some(Value::Bool(false)), Some(Value::String(token))) => Ok(Confirmation::Token(token)),
            // Whatever stands beside it: a token that was tried is used up.
            (Some(_), Some(Value::String(token))) => Ok(Confirmation::Both(token)),
            (_, Some(_)) => Err(Error::invalid_field("/proposal_token", "is not a string")),
            (Some(_), None) => Err(Error::invalid_field("/confirm", "is not true or false")),
        }
    }
}

fn collect_bounds(shape: &'static Shape, take: &mut impl FnMut(&'static Bound)) {
    match shape {
        Shape::List { item, bound } => {
            take(bound);
            collect_bounds(item, take);
        }
        Shape::Model(model) => {
            for field in model.fields {
                collect_bounds(&field.shape, take);
            }
        }
        Shape::Selection => take(&SELECTION),
        _ => {}
    }
}

/// The bound of a selection's ids.
pub(crate) const SELECTION: Bound = Bound {
    setting: "max_batch_ids",
    ceiling: 1000,
};
