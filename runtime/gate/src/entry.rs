//! An operation as the gate holds it: its descriptor, and a body of closures that hold their own services.

use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use oaken_core::{Ceiling, Change, Class, Descriptor, Letter, Preview, Result};
use oaken_store::{TableOwner, Tx};
use serde_json::Value;

use crate::{Changes, Confirmed, Grant, MarksRead};

/// What a body returns.
pub type Fut<T> = Pin<Box<dyn Future<Output = Result<T>> + Send>>;

/// The typed plan of a preview, which `apply` of the same operation takes back.
pub type Plan = Box<dyn Any + Send + Sync>;

/// The local part of a change; runs in the transaction that records the outcome. Made by the crates that own tables:
/// no other can name the [`TableOwner`] it takes, so a handler elsewhere only passes on what such a crate gave it.
pub struct Commit(Box<Write>);

type Write = dyn FnOnce(&Tx<'_>) -> Result<()> + Send;

impl Commit {
    /// What is written, by a crate that owns what it writes.
    #[must_use]
    pub fn new(_: TableOwner, write: impl FnOnce(&Tx<'_>) -> Result<()> + Send + 'static) -> Commit {
        Commit(Box::new(write))
    }

    /// Nothing is left to write.
    #[must_use]
    pub fn nothing() -> Commit {
        Commit(Box::new(|_| Ok(())))
    }

    pub(crate) fn write(self, tx: &Tx<'_>) -> Result<()> {
        (self.0)(tx)
    }
}

/// What an applied change answers, and what it still has to write.
pub struct Applied<T> {
    /// The output.
    pub output: T,
    /// The local change.
    pub commit: Commit,
}

/// What a change would do, and the plan that does exactly this.
pub struct Previewed {
    /// Ids, states, counts.
    pub preview: Preview,
    /// The plan.
    pub plan: Plan,
}

/// The body of a read.
pub type ReadFn = Box<dyn Fn(Arc<Grant>, Value) -> Fut<Value> + Send + Sync>;
/// What a change would do.
pub type PreviewFn = Box<dyn Fn(Arc<Grant>, Value) -> Fut<Previewed> + Send + Sync>;
/// Does what a plan says.
pub type ApplyFn<E> = Box<dyn Fn(Confirmed<E>, Arc<Grant>, Plan) -> Fut<Applied<Value>> + Send + Sync>;
/// Leaves of a plan only the changes that are kept; where it cannot, the plan is stale.
pub type NarrowFn = fn(Plan, &dyn Fn(&Change) -> bool) -> Option<Plan>;
/// Leaves of a plan only the part that a nested call means, and says what that would change; `None` where the
/// operation has no such parts.
pub type PartFn = fn(Plan, &(dyn Any + Send + Sync)) -> Option<Previewed>;
/// Does what an input says, where the ceiling is never and nothing is shown first.
pub type UnseenFn = Box<dyn Fn(Confirmed<Changes>, Arc<Grant>, Value) -> Fut<Applied<Value>> + Send + Sync>;
/// The calls that make up an operation.
pub type NestFn = Box<dyn Fn(Arc<Grant>, Value) -> Fut<Nested> + Send + Sync>;
/// The output of an operation from its plan's note and the outputs of its calls, in their order.
pub type NestOutputFn = Box<dyn Fn(Note, Vec<Value>) -> Result<Value> + Send + Sync>;
/// What a nested operation's plan hands to its own output. It is kept in memory for the length of the call: no
/// proposal, no row of the log and no other operation sees it, and the output is held to its declaration as any.
pub type Note = Box<dyn Any + Send + Sync>;
/// Composes a letter; sends nothing.
pub type ComposeFn = Box<dyn Fn(Arc<Grant>, Value) -> Fut<Letter> + Send + Sync>;

/// The body of a change with effect `E`.
pub struct ChangeFns<E> {
    /// What it would do.
    pub preview: PreviewFn,
    /// Does it.
    pub apply: ApplyFn<E>,
    /// Leaves only a part of it, where the operation can.
    pub narrow: Option<NarrowFn>,
    /// Leaves only what a nested call means, where the operation can.
    pub part: Option<PartFn>,
}

/// One call inside another.
pub struct NestedCall {
    /// The operation, by its name.
    pub operation: &'static str,
    /// Its input.
    pub input: Value,
    /// The part of what the input names that is meant, where it is not all; the operation called makes of it what it
    /// can, and can only do less.
    pub part: Option<Box<dyn Any + Send + Sync>>,
}

/// The calls that an operation consists of, and what its output will need besides theirs.
pub struct Nested {
    /// The calls, in their order.
    pub calls: Vec<NestedCall>,
    /// For the output.
    pub note: Note,
}

/// What an operation does.
pub enum Body {
    /// Reads.
    Read(ReadFn),
    /// Changes anything but read state.
    Mutate(ChangeFns<Changes>),
    /// Marks mail read.
    MarksRead(ChangeFns<MarksRead>),
    /// Changes without a preview; only where the ceiling is never.
    Unseen(UnseenFn),
    /// Consists of calls to other operations.
    Nested {
        /// The calls.
        plan: NestFn,
        /// The output from theirs.
        output: NestOutputFn,
    },
    /// Composes a letter for the gate to hand on.
    Send(ComposeFn),
}

/// One operation.
pub struct Entry {
    /// What every door knows of it.
    pub descriptor: &'static Descriptor,
    /// What it does.
    pub body: Body,
}

impl Entry {
    /// Whether the body is of the kind that its descriptor declares: leave to mark read goes to what is declared to
    /// mark read, and nothing goes unseen that an agent could be offered.
    pub(crate) fn is_as_declared(&self) -> bool {
        let d = self.descriptor;
        match &self.body {
            Body::Read(_) => d.class == Class::Read,
            Body::Mutate(_) => d.class == Class::Mutate && !d.marks_read && d.preview,
            Body::MarksRead(_) => d.class == Class::Mutate && d.marks_read && d.preview,
            Body::Unseen(_) => d.class == Class::Mutate && !d.marks_read && d.ceiling == Ceiling::Never,
            Body::Nested { .. } => d.class == Class::Mutate && !d.marks_read && d.preview,
            Body::Send(_) => d.class == Class::Send,
        }
    }
}
