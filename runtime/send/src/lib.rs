//! Sending, for people only: the operations that compose a letter. This version composes and delivers nothing.
//!
//! Absent on purpose: SMTP, an outbox, any dial. No handler here can reach the network; the gate refuses what is
//! composed before it goes anywhere.
//!
//! Nor does a handler here, or in any crate without tables, write SQL: what runs in the transaction of a change is a
//! `Commit`, and making one takes a value that only a crate over `oaken-store` can name.
//!
//! ```compile_fail,E0433
//! let commit = oaken_gate::Commit::new(oaken_store::TableOwner, |_| Ok(()));
//! ```

mod compose;

pub use compose::{SendMessage, SendMessageInput, SendMessageOutput};

include!(concat!(env!("OUT_DIR"), "/operations.rs"));
