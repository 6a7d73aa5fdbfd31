//! The gate: one registry of operations, and five checks that every call of every door passes, in order: exposure,
//! input, class, confirmation, run and audit.
//!
//! It knows no mail: bodies are closures that hold their own services, and ids are resolved behind [`Directory`].
//! Two values are made here and nowhere else: a [`Grant`] (whose mail) and a [`Confirmed`] (leave to change).
//!
//! [`Governance::new`] comes first, since services hold it; [`Gate::new`] is made over it with their entries.

mod audit;
mod authenticate;
mod call;
mod caller;
mod change;
mod class;
mod clock;
mod confirm;
mod directory;
mod effect;
mod entry;
mod exposure;
mod gate;
pub mod governance;
mod grant;
pub mod input;
mod intent;
mod keys;
mod log;
mod mac;
mod output;
mod proposal;
mod reach;
mod rights;
mod run;
mod settings;

pub use audit::Verified;
pub use caller::Caller;
pub use clock::Clock;
pub use directory::{AccountKey, Directory};
pub use effect::{Changes, Confirmed, MarksRead, Sends};
pub use entry::{
    Applied, ApplyFn, Body, ChangeFns, Commit, ComposeFn, Entry, Fut, NarrowFn, NestFn, NestOutputFn, Nested,
    NestedCall, Note, PartFn, Plan, PreviewFn, Previewed, ReadFn, UnseenFn,
};
pub use gate::{Gate, Input, Offer};
pub use governance::Governance;
pub use grant::{Grant, Reach};
pub use keys::Keys;
pub use settings::Settings;
