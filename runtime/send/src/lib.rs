//! Sending, for people only: the operations that compose a letter. This version composes and delivers nothing.
//!
//! Absent on purpose: SMTP, an outbox, any dial. No handler here can reach the network; the gate refuses what is
//! composed before it goes anywhere.

mod compose;

pub use compose::{SendMessage, SendMessageInput, SendMessageOutput};

include!(concat!(env!("OUT_DIR"), "/operations.rs"));
