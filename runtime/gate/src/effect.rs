//! Leave to do something: values that only the gate makes, after the intent is in the log.

use std::marker::PhantomData;
use std::sync::Arc;

use oaken_core::EntryId;

use crate::Caller;

/// The effect of changing what is stored or how mail is kept, read state excepted.
pub enum Changes {}
/// The effect of marking mail read.
pub enum MarksRead {}
/// The effect of sending mail.
pub enum Sends {}

/// Leave to do `E` once, for one caller. Not `Clone`, not `Copy`, private: none can be kept, copied or made up.
///
/// ```compile_fail,E0451
/// fn forge(entry: oaken_core::EntryId, caller: std::sync::Arc<oaken_gate::Caller>) -> oaken_gate::Confirmed<oaken_gate::Changes> {
///     oaken_gate::Confirmed { entry, intent: 1, caller, effect: std::marker::PhantomData }
/// }
/// ```
///
/// ```compile_fail,E0308
/// fn pass_off(c: oaken_gate::Confirmed<oaken_gate::Changes>) -> oaken_gate::Confirmed<oaken_gate::MarksRead> {
///     c
/// }
/// ```
///
/// ```compile_fail,E0599
/// fn keep(c: &oaken_gate::Confirmed<oaken_gate::Changes>) -> oaken_gate::Confirmed<oaken_gate::Changes> {
///     c.clone()
/// }
/// ```
pub struct Confirmed<E> {
    entry: EntryId,
    intent: i64,
    caller: Arc<Caller>,
    effect: PhantomData<fn() -> E>,
}

impl<E> Confirmed<E> {
    /// After the intent row committed, and nowhere else.
    pub(crate) fn after(intent: i64, entry: EntryId, caller: Arc<Caller>) -> Self {
        Confirmed {
            entry,
            intent,
            caller,
            effect: PhantomData,
        }
    }

    /// The journal entry this change is recorded under; `undo` takes it.
    #[must_use]
    pub fn entry(&self) -> &EntryId {
        &self.entry
    }

    /// The number of the intent row in the log.
    #[must_use]
    pub fn intent(&self) -> i64 {
        self.intent
    }

    /// Who confirmed.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.caller
    }
}
