//! The shapes that several operations share, from `spec/models`: a struct each, and its description for the doors.
//!
//! Plain data. What fills them is in the crate that owns the tables.

include!(concat!(env!("OUT_DIR"), "/models.rs"));
