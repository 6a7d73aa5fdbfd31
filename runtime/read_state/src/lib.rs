//! `mark_read`: the one operation that marks mail read, and the one crate that is given the leave to.
//!
//! Absent on purpose: everything else. What reads, lists, searches or summarises cannot name this crate.

mod marks;

pub use marks::{MarkRead, MarkReadInput, MarkReadOutput};

include!(concat!(env!("OUT_DIR"), "/operations.rs"));
