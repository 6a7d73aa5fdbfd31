//! How an operation is handled: one trait a class, and the constructors that turn a handler into an entry of the gate.
//!
//! A handler sees mail through a [`Reader`] that was opened with the call's grant, and changes it with the leave in
//! [`Cx`]. Deliberately absent: any check of exposure, input, class or confirmation; the gate made them all before.

use std::future::Future;
use std::marker::Send as Sendable;
use std::sync::Arc;

use oaken_core::{Change, Descriptor, Error, Letter, Preview, Result};
use oaken_gate::governance::Governance;
use oaken_gate::{
    Applied, Body, ChangeFns, Changes, Confirmed, Entry, Grant, MarksRead, Nested, NestedCall, Plan,
    Previewed,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::journal::Places;
use crate::{Reader, Services};

/// An operation: its types and what every door knows of it. Implemented by generated code only.
pub trait Operation: 'static {
    /// What it takes.
    type Input: DeserializeOwned + Sendable + Sync + 'static;
    /// What it answers.
    type Output: Serialize + Sendable + 'static;
    /// What every door knows of it.
    const DESCRIPTOR: &'static Descriptor;
}

/// What a read, and the preview of a change, may use.
pub struct ReadCx {
    /// The mail in the grant's reach.
    pub mail: Reader,
    /// Whose mail, within which limits.
    pub grant: Arc<Grant>,
    /// What governs: agents, exposure, settings, the log.
    pub governance: Governance,
    /// The services of mail.
    pub services: Arc<Services>,
}

impl ReadCx {
    fn open(services: &Arc<Services>, grant: Arc<Grant>) -> Result<Self> {
        Ok(ReadCx {
            mail: Reader::open(services, &grant)?,
            governance: services.governance().clone(),
            services: services.clone(),
            grant,
        })
    }
}

/// What a change may use, with the leave to make it.
pub struct Cx<E> {
    /// The leave, for this change alone.
    pub confirmed: Confirmed<E>,
    /// Whose mail, within which limits.
    pub grant: Arc<Grant>,
    /// The services of mail.
    pub services: Arc<Services>,
}

impl<E> Cx<E> {
    /// What governs: agents, exposure, settings, the log.
    #[must_use]
    pub fn governance(&self) -> &Governance {
        self.services.governance()
    }
}

/// A read.
pub trait Read: Operation {
    /// Answers it.
    fn run(cx: &ReadCx, input: &Self::Input) -> impl Future<Output = Result<Self::Output>> + Sendable;
}

/// A change that says first what it would do.
pub trait Mutate: Operation {
    /// Its effect: `Changes` or `MarksRead`.
    type Effect: 'static;
    /// What `preview` resolved, and the only thing that `apply` is given.
    type Plan: Sendable + Sync + 'static;
    /// What it would change, without changing anything.
    fn preview(
        cx: &ReadCx,
        input: &Self::Input,
    ) -> impl Future<Output = Result<(Preview, Self::Plan)>> + Sendable;
    /// Does the remote part, and returns the local one as a closure over the transaction.
    fn apply(
        cx: &Cx<Self::Effect>,
        plan: &Self::Plan,
    ) -> impl Future<Output = Result<Applied<Self::Output>>> + Sendable;
    /// Leaves of a plan only the changes that are kept; `None` where it can only be done whole.
    fn narrow(plan: Self::Plan, keep: &dyn Fn(&Change) -> bool) -> Option<Self::Plan> {
        let _ = (plan, keep);
        None
    }
    /// Leaves of a plan only these places, and says what that would change; `None` where it knows of no places.
    fn at(plan: Self::Plan, places: &Places) -> Option<(Preview, Self::Plan)> {
        let _ = (plan, places);
        None
    }
}

/// A change that a person makes without a preview; its ceiling is never.
pub trait Unseen: Operation {
    /// Does it.
    fn apply(
        cx: &Cx<Changes>,
        input: &Self::Input,
    ) -> impl Future<Output = Result<Applied<Self::Output>>> + Sendable;
}

/// An operation that consists of calls to others.
pub trait Nest: Operation {
    /// What the output needs besides those of the calls. Ids and states, as an output declares them.
    type Note: Sendable + Sync + 'static;
    /// The calls, in their order, and the note.
    fn plan(
        cx: &ReadCx,
        input: &Self::Input,
    ) -> impl Future<Output = Result<(Vec<NestedCall>, Self::Note)>> + Sendable;
    /// The output from theirs.
    ///
    /// # Errors
    /// `internal` where an output is not what its operation says.
    fn output(note: &Self::Note, outputs: Vec<Value>) -> Result<Self::Output>;
}

/// An operation that composes a letter. It sends nothing.
pub trait Send: Operation {
    /// Composes it.
    fn compose(cx: &ReadCx, input: &Self::Input) -> impl Future<Output = Result<Letter>> + Sendable;
}

/// The entry of a read.
#[must_use]
pub fn read<O: Read>(services: &Arc<Services>) -> Entry {
    let services = services.clone();
    entry::<O>(Body::Read(Box::new(move |grant, raw| {
        let services = services.clone();
        Box::pin(async move {
            let input = input::<O>(raw)?;
            let cx = ReadCx::open(&services, grant)?;
            output(O::run(&cx, &input).await?)
        })
    })))
}

/// The entry of a change with a preview.
#[must_use]
pub fn mutate<O: Mutate<Effect = Changes>>(services: &Arc<Services>) -> Entry {
    entry::<O>(Body::Mutate(change::<O>(services)))
}

/// The entry of what marks mail read.
#[must_use]
pub fn marks_read<O: Mutate<Effect = MarksRead>>(services: &Arc<Services>) -> Entry {
    entry::<O>(Body::MarksRead(change::<O>(services)))
}

/// The entry of a change without a preview.
#[must_use]
pub fn unseen<O: Unseen>(services: &Arc<Services>) -> Entry {
    let services = services.clone();
    entry::<O>(Body::Unseen(Box::new(move |confirmed, grant, raw| {
        let services = services.clone();
        Box::pin(async move {
            let input = input::<O>(raw)?;
            let cx = Cx {
                confirmed,
                grant,
                services,
            };
            value(O::apply(&cx, &input).await?)
        })
    })))
}

/// The entry of an operation that consists of calls to others.
#[must_use]
pub fn nested<O: Nest>(services: &Arc<Services>) -> Entry {
    let services = services.clone();
    entry::<O>(Body::Nested {
        plan: Box::new(move |grant, raw| {
            let services = services.clone();
            Box::pin(async move {
                let input = input::<O>(raw)?;
                let cx = ReadCx::open(&services, grant)?;
                let (calls, note) = O::plan(&cx, &input).await?;
                Ok(Nested {
                    calls,
                    note: Box::new(note),
                })
            })
        }),
        output: Box::new(|note, outputs| {
            let note = note.downcast::<O::Note>().map_err(|_| Error::internal())?;
            output(O::output(&note, outputs)?)
        }),
    })
}

/// The entry of what composes a letter.
#[must_use]
pub fn send<O: Send>(services: &Arc<Services>) -> Entry {
    let services = services.clone();
    entry::<O>(Body::Send(Box::new(move |grant, raw| {
        let services = services.clone();
        Box::pin(async move {
            let input = input::<O>(raw)?;
            let cx = ReadCx::open(&services, grant)?;
            O::compose(&cx, &input).await
        })
    })))
}

fn entry<O: Operation>(body: Body) -> Entry {
    Entry {
        descriptor: O::DESCRIPTOR,
        body,
    }
}

fn change<O: Mutate>(services: &Arc<Services>) -> ChangeFns<O::Effect> {
    let (to_preview, to_apply) = (services.clone(), services.clone());
    ChangeFns {
        preview: Box::new(move |grant, raw| {
            let services = to_preview.clone();
            Box::pin(async move {
                let input = input::<O>(raw)?;
                let cx = ReadCx::open(&services, grant)?;
                let (preview, plan) = O::preview(&cx, &input).await?;
                Ok(Previewed {
                    preview,
                    plan: Box::new(plan),
                })
            })
        }),
        apply: Box::new(move |confirmed, grant, plan| {
            let services = to_apply.clone();
            Box::pin(async move {
                let plan = plan.downcast::<O::Plan>().map_err(|_| Error::internal())?;
                let cx = Cx {
                    confirmed,
                    grant,
                    services,
                };
                value(O::apply(&cx, &plan).await?)
            })
        }),
        narrow: Some(narrow::<O>),
        part: Some(at::<O>),
    }
}

fn narrow<O: Mutate>(plan: Plan, keep: &dyn Fn(&Change) -> bool) -> Option<Plan> {
    let plan = plan.downcast::<O::Plan>().ok()?;
    O::narrow(*plan, keep).map(|plan| Box::new(plan) as Plan)
}

fn at<O: Mutate>(plan: Plan, part: &(dyn std::any::Any + Sendable + Sync)) -> Option<Previewed> {
    let plan = plan.downcast::<O::Plan>().ok()?;
    let (preview, plan) = O::at(*plan, part.downcast_ref::<Places>()?)?;
    Some(Previewed {
        preview,
        plan: Box::new(plan),
    })
}

/// The walk over the descriptor accepted it, so serde does; where the two disagree nothing is run.
fn input<O: Operation>(raw: Value) -> Result<O::Input> {
    serde_json::from_value(raw).map_err(|_| Error::invalid(vec![]))
}

fn output<T: Serialize>(output: T) -> Result<Value> {
    serde_json::to_value(output).map_err(|_| Error::internal())
}

fn value<T: Serialize>(applied: Applied<T>) -> Result<Applied<Value>> {
    Ok(Applied {
        output: output(applied.output)?,
        commit: applied.commit,
    })
}
