//! What goes out: held to its declaration, to the caller's reach, to the bounds of lists and to the budget of text. A handler that answers
//! something else is a fault of ours: the caller gets `internal`, the service log the place in the declaration.

mod cut;
mod lists;
mod next;
mod walk;

use oaken_core::{Code, Cut, Error, Result};
use serde_json::Value;

use crate::Gate;
use crate::call::Call;
use crate::input::{Named, found};

/// An output that may leave.
pub(crate) struct Shaped {
    pub(crate) output: Value,
    pub(crate) cut: Vec<Cut>,
    /// The ids in it, for an agent's row in the log.
    pub(crate) ids: Vec<Named>,
}

/// Checks and bounds an output. `resolved` are ids of nested calls' inputs.
pub(crate) fn shape(gate: &Gate, call: &Call, resolved: &[String], mut output: Value) -> Result<Shaped> {
    let mut cuts = lists::cut(&call.grant, call.descriptor.output, &mut output);
    let walked = walk::walk(&call.grant, call.descriptor.output, &output).map_err(|wrong| {
        tracing::error!(operation = call.descriptor.name, field = %wrong.field, wrong = wrong.what, "an output is not as declared");
        Error::internal()
    })?;
    if call.grant.is_agent() {
        in_reach(gate, call, resolved, &walked.ids)?;
    }
    cuts.extend(cut::cut(gate, call, &mut output, walked.texts)?);
    Ok(Shaped {
        output,
        cut: cuts,
        ids: walked.ids,
    })
}

/// No id leaves that its reader could not have asked for. What the inputs named was in reach when the call was let,
/// and may be gone by now: a change says so of its messages. Mail may vanish between a read and this check as well,
/// which is worth a second try; what hides behind it is not told.
fn in_reach(gate: &Gate, call: &Call, resolved: &[String], ids: &[Named]) -> Result<()> {
    let found = found(&gate.governance, &call.grant, ids)?;
    let named = |id: &String| call.checked.ids.contains(id) || resolved.contains(id);
    if ids.iter().zip(found).all(|(id, found)| found || named(&id.id)) {
        return Ok(());
    }
    tracing::error!(
        operation = call.descriptor.name,
        "an output names something out of the caller's reach"
    );
    match call.is_read() {
        true => Err(Error::new(
            Code::Stale,
            "The mail changed while it was read. Call again.",
        )),
        false => Err(Error::internal()),
    }
}
