//! Check 2: what comes in. Strict JSON, then a walk over the declared shapes, then every id, then the typed input.
//! No error quotes a value; what is not declared is `*`.

mod canonical;
mod form;
mod json;
mod names;
mod resolve;
mod walk;

use oaken_core::{Bound, Descriptor, Error, Result};
use serde_json::Value;

use crate::{Governance, Grant, Input, reach};

pub use json::{DEPTH, SIZE, parse};
pub(crate) use resolve::{Named, found};

/// An input that passed check 2.
pub(crate) struct Checked {
    /// As the handler takes it: defaults filled in, times absolute.
    pub(crate) input: Value,
    /// As the caller meant it, in canonical JSON: defaults filled in, relative times as they were written.
    pub(crate) canonical: String,
    /// Every id in it, sorted, each once.
    pub(crate) ids: Vec<String>,
}

/// Parses, walks, refuses what spans hidden accounts, and resolves every id in the grant's reach.
pub(crate) fn check(
    governance: &Governance,
    grant: &Grant,
    descriptor: &'static Descriptor,
    raw: Input,
) -> Result<Checked> {
    let value = match raw {
        Input::Bytes(bytes) => json::parse(&bytes)?,
        Input::Value(value) => value,
    };
    let live = |bound: &Bound| grant.settings().bound(bound, grant.is_agent());
    let shaped = shaped(descriptor, value, &live, governance.0.clock.now())?;
    let (input, walked_ids) = (shaped.input, shaped.ids);
    reach::check_span(grant, descriptor, &input)?;
    resolve::resolve(governance, grant, &walked_ids)?;
    let mut ids: Vec<String> = walked_ids.into_iter().map(|named| named.id).collect();
    ids.sort_unstable();
    ids.dedup();
    Ok(Checked {
        input,
        canonical: shaped.canonical,
        ids,
    })
}

/// What the declared shapes alone make of an input, as the handler takes it: strict JSON, defaults filled in, times
/// absolute. `live` answers the setting that bounds a list and its value, `now` is in seconds since 1970. Reach and ids
/// are not looked at: a call goes through [`Gate::call`](crate::Gate::call), this is for the oracle that holds the
/// walk against the published schema.
///
/// # Errors
/// `invalid_input` with every fault.
pub fn by_shape(
    descriptor: &'static Descriptor,
    bytes: &[u8],
    live: &dyn Fn(&Bound) -> (&'static str, i64),
    now: i64,
) -> Result<Value> {
    shaped(descriptor, json::parse(bytes)?, live, now).map(|shaped| shaped.input)
}

struct Shaped {
    input: Value,
    canonical: String,
    ids: Vec<Named>,
}

fn shaped(descriptor: &'static Descriptor, value: Value, live: walk::Live<'_>, now: i64) -> Result<Shaped> {
    let walked = walk::walk(live, descriptor.input, value, now);
    if !walked.faults.is_empty() {
        return Err(Error::invalid(walked.faults));
    }
    let canonical = canonical::canonical(&walked.value);
    let mut input = walked.value;
    for (pointer, at) in walked.times {
        let place = input.pointer_mut(&pointer).ok_or_else(Error::internal)?;
        *place = Value::String(at);
    }
    Ok(Shaped {
        input,
        canonical,
        ids: walked.ids,
    })
}
