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
use crate::{Body, ChangeFns, Fut, Gate, Grant, Input, NestedCall, Note, Plan, class, exposure, input};

/// A change that was previewed.
pub(crate) struct Change {
    /// All it would do.
    pub(crate) preview: Preview,
    /// The least that may confirm it for an agent: the strictest of its steps.
    pub(crate) approval: Approval,
    pub(crate) steps: Vec<Step>,
    /// The ids in the inputs of nested calls, which were resolved in the caller's reach.
    pub(crate) ids: Vec<String>,
    /// What a nested operation's output needs besides the outputs of its steps.
    pub(crate) note: Option<Note>,
}

impl Change {
    /// Whether all of it is so already: then nothing is journalled, and there is nothing to undo. What is not shown
    /// first always changes something.
    pub(crate) fn is_none(&self) -> bool {
        let was_shown = |s: &Step| matches!(s.plan, Planned::Plan(_));
        self.preview.changes.is_empty() && self.steps.iter().all(was_shown)
    }
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
        return one(gate, descriptor, grant, input, None).await;
    };
    let nested = caught(|| plan(grant.clone(), input.clone())).await?;
    let mut whole = Change {
        preview: Preview::default(),
        approval: descriptor.approval,
        steps: Vec::new(),
        ids: Vec::new(),
        note: Some(nested.note),
    };
    for call in nested.calls {
        let inner = inner(gate, grant, call).await?;
        whole.preview.changes.extend(inner.preview.changes);
        whole.approval = whole.approval.max(inner.approval);
        whole.steps.extend(inner.steps);
        whole.ids.extend(inner.ids);
    }
    Ok(whole)
}

/// A nested call passes the first three checks as any other. It is never a read, a send or nested itself.
async fn inner(gate: &Gate, grant: &Arc<Grant>, nested: NestedCall) -> Result<Change> {
    let descriptor = gate
        .governance
        .descriptor(nested.operation)
        .ok_or_else(Error::internal)?;
    if !exposure::allows(grant.settings(), grant.caller(), descriptor) {
        return Err(Error::not_available());
    }
    let checked = input::check(&gate.governance, grant, descriptor, Input::Value(nested.input))?;
    let call = Call {
        descriptor,
        grant: grant.clone(),
        checked,
    };
    class::allows(&call)?;
    if descriptor.class != Class::Mutate {
        return Err(Error::internal());
    }
    let mut change = one(gate, descriptor, grant, &call.checked.input, nested.part).await?;
    change.ids = call.checked.ids;
    Ok(change)
}

async fn one(
    gate: &Gate,
    descriptor: &'static Descriptor,
    grant: &Arc<Grant>,
    input: &Value,
    part: Option<Note>,
) -> Result<Change> {
    let entry = gate.entries.get(descriptor.name).ok_or_else(Error::internal)?;
    let (preview, plan) = match &entry.body {
        Body::Mutate(fns) => previewed(fns, grant, input, part).await?,
        Body::MarksRead(fns) => previewed(fns, grant, input, part).await?,
        Body::Unseen(_) if part.is_none() => (Preview::default(), Planned::Unseen(input.clone())),
        _ => return Err(Error::internal()),
    };
    Ok(Change {
        approval: descriptor.approval,
        steps: vec![Step {
            descriptor,
            plan,
            changes: preview.changes.len(),
        }],
        ids: Vec::new(),
        note: None,
        preview,
    })
}

async fn previewed<E>(
    fns: &ChangeFns<E>,
    grant: &Arc<Grant>,
    input: &Value,
    part: Option<Note>,
) -> Result<(Preview, Planned)> {
    let mut shown = caught(|| (fns.preview)(grant.clone(), input.clone())).await?;
    if let Some(part) = part {
        // Never the whole where a part was meant.
        let of = fns.part.ok_or_else(Error::internal)?;
        shown = catch_unwind(AssertUnwindSafe(|| of(shown.plan, &*part)))
            .ok()
            .flatten()
            .ok_or_else(Error::internal)?;
    }
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
        note: change.note,
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
