//! Check 2: what comes in. Strict JSON, then a walk over the declared shapes, then every id, then the typed input.
//! No error quotes a value; what is not declared is `*`.

mod canonical;
mod form;
mod json;
mod names;
mod resolve;
mod walk;

use oaken_core::{Descriptor, Error, Result};
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
    let walked = walk::walk(grant, descriptor.input, value, governance.0.clock.now());
    if !walked.faults.is_empty() {
        return Err(Error::invalid(walked.faults));
    }
    let canonical = canonical::canonical(&walked.value);
    let mut input = walked.value;
    for (pointer, at) in walked.times {
        let place = input.pointer_mut(&pointer).ok_or_else(Error::internal)?;
        *place = Value::String(at);
    }
    reach::check_span(grant, descriptor, &input)?;
    resolve::resolve(governance, grant, &walked.ids)?;
    let mut ids: Vec<String> = walked.ids.into_iter().map(|named| named.id).collect();
    ids.sort_unstable();
    ids.dedup();
    Ok(Checked {
        input,
        canonical,
        ids,
    })
}
