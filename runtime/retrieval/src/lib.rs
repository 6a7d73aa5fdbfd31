//! Finding mail: what somebody typed, as a full-text expression, and the hits that are in reach.
//!
//! The index and every table belong to `oaken-mail`; this crate names no database. Deliberately absent: ranking by
//! anything but time, vectors, attachments' text.

mod query;
mod search;

pub use search::{Found, SearchQuery, search};
