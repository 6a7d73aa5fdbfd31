//! A change before it is made: its preview, and the steps that make it. A nested operation is several steps, each
//! exposed, checked and previewed as the call it is.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use oaken_core::{Approval, Class, Descriptor, Error, Preview, Result};
use serde_json::Value;

use crate::call::Call;
use crate::{Body, ChangeFns, Fut, Gate, Grant, Input, Plan, class, exposure, input};

/// A change that was previewed.
pub(crate) struct Change {
    /// All it would do.
    pub(crate) preview: Preview,
    /// The least that may confirm it for an agent: the strictest of its steps.
    pub(crate) approval: Approval,
    pub(crate) steps: Vec<Step>,
    /// The ids in the inputs of nested calls, which were resolved in the caller's reach.
    pub(crate) ids: Vec<String>,
}

/// One apply.
pub(crate) struct Step {
    pub(crate) descriptor: &'static Descriptor,
    pub(crate) plan: Planned,
    /// How many changes of the preview are its own.
    pub(crate) changes: usize,
}

pub(crate) enum Planned {
    /// From a preview.
    Plan(Plan),
    /// An input, where nothing is shown first.
    Unseen(Value),
}

/// Previews an operation and every call it consists of.
pub(crate) async fn prepare(
    gate: &Gate,
    descriptor: &'static Descriptor,
    grant: &Arc<Grant>,
    input: &Value,
) -> Result<Change> {
    let Some(Body::Nested { plan, .. }) = gate.entries.get(descriptor.name).map(|e| &e.body) else {
        return one(gate, descriptor, grant, input).await;
    };
    let mut whole = Change {
        preview: Preview::default(),
        approval: descriptor.approval,
        steps: Vec::new(),
        ids: Vec::new(),
    };
    for call in caught(|| plan(grant.clone(), input.clone())).await? {
        let inner = inner(gate, grant, call.operation, call.input).await?;
        whole.preview.changes.extend(inner.preview.changes);
        whole.approval = whole.approval.max(inner.approval);
        whole.steps.extend(inner.steps);
        whole.ids.extend(inner.ids);
    }
    Ok(whole)
}

/// A nested call passes the first three checks as any other. It is never a read, a send or nested itself.
async fn inner(gate: &Gate, grant: &Arc<Grant>, operation: &str, raw: Value) -> Result<Change> {
    let descriptor = gate
        .governance
        .descriptor(operation)
        .ok_or_else(Error::internal)?;
    if !exposure::allows(grant.settings(), grant.caller(), descriptor) {
        return Err(Error::not_available());
    }
    let checked = input::check(&gate.governance, grant, descriptor, Input::Value(raw))?;
    let call = Call {
        descriptor,
        grant: grant.clone(),
        checked,
    };
    class::allows(&call)?;
    if descriptor.class != Class::Mutate {
        return Err(Error::internal());
    }
    let mut change = one(gate, descriptor, grant, &call.checked.input).await?;
    change.ids = call.checked.ids;
    Ok(change)
}

async fn one(
    gate: &Gate,
    descriptor: &'static Descriptor,
    grant: &Arc<Grant>,
    input: &Value,
) -> Result<Change> {
    let entry = gate.entries.get(descriptor.name).ok_or_else(Error::internal)?;
    let (preview, plan) = match &entry.body {
        Body::Mutate(fns) => previewed(fns, grant, input).await?,
        Body::MarksRead(fns) => previewed(fns, grant, input).await?,
        Body::Unseen(_) => (Preview::default(), Planned::Unseen(input.clone())),
        Body::Read(_) | Body::Nested { .. } | Body::Send(_) => return Err(Error::internal()),
    };
    Ok(Change {
        approval: descriptor.approval,
        steps: vec![Step {
            descriptor,
            plan,
            changes: preview.changes.len(),
        }],
        ids: Vec::new(),
        preview,
    })
}

async fn previewed<E>(fns: &ChangeFns<E>, grant: &Arc<Grant>, input: &Value) -> Result<(Preview, Planned)> {
    let shown = caught(|| (fns.preview)(grant.clone(), input.clone())).await?;
    Ok((shown.preview, Planned::Plan(shown.plan)))
}

/// Leaves of a change only what is kept; `None` where a step can only be made whole.
pub(crate) fn narrow(
    gate: &Gate,
    change: Change,
    keep: &dyn Fn(&oaken_core::Change) -> bool,
) -> Option<Change> {
    let mut shown = change.preview.changes.into_iter();
    let mut narrowed = Change {
        preview: Preview::default(),
        approval: change.approval,
        steps: Vec::new(),
        ids: change.ids,
    };
    for step in change.steps {
        let own: Vec<_> = shown.by_ref().take(step.changes).collect();
        let kept: Vec<_> = own.iter().filter(|c| keep(c)).cloned().collect();
        let plan = match (step.plan, kept.len() == own.len()) {
            (plan, true) => plan,
            (Planned::Unseen(_), false) => return None,
            (Planned::Plan(plan), false) => {
                let narrow = match &gate.entries.get(step.descriptor.name)?.body {
                    Body::Mutate(fns) => fns.narrow?,
                    Body::MarksRead(fns) => fns.narrow?,
                    _ => return None,
                };
                Planned::Plan(catch_unwind(AssertUnwindSafe(|| narrow(plan, keep))).ok()??)
            }
        };
        narrowed.steps.push(Step {
            descriptor: step.descriptor,
            plan,
            changes: kept.len(),
        });
        narrowed.preview.changes.extend(kept);
    }
    Some(narrowed)
}

/// Runs a handler; a panic in it is `internal`, and its words go nowhere.
pub(crate) async fn caught<T>(start: impl FnOnce() -> Fut<T>) -> Result<T> {
    let Ok(future) = catch_unwind(AssertUnwindSafe(start)) else {
        return Err(Error::internal());
    };
    let mut future = pin!(future);
    std::future::poll_fn(|cx| {
        catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx)))
            .unwrap_or_else(|_| Poll::Ready(Err(Error::internal())))
    })
    .await
}
