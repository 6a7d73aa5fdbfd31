//! Reading mail: everything an operation may see of it, through one [`Reader`] that exists only for a grant.
//!
//! A reader's connection sees temporary views over the base tables, filtered by the grant's reach; SQLite's
//! authorizer refuses the base tables themselves. Everything a stranger wrote passes `oaken_mime`'s cleaner here.
//! Deliberately absent: every write, a public way to the connection, and what governs.

mod accounts;
mod counts;
mod coverage;
mod cursor;
mod filter;
mod found;
mod labels;
mod mailbox;
mod message;
mod messages;
mod open;
mod raw;
mod resolve;
mod row;
mod scan;
mod shown;
mod target;
mod thread;

pub use found::{Coverage, FoundQuery};
pub use mailbox::{MailboxQuery, View};
pub use messages::MessageQuery;
pub use open::Reader;
pub use raw::Raw;
pub use target::{Place, Target};
pub use thread::ThreadPage;

use oaken_core::Timestamp;

/// One page of a listing.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<T> {
    /// Its rows, in the order of the listing.
    pub rows: Vec<T>,
    /// How many rows there are in all.
    pub total: i64,
    /// What to give as `cursor` for the next page; absent on the last.
    pub next_cursor: Option<String>,
    /// Mail before this may still be missing; absent where everything asked for is here.
    pub complete_back_to: Option<Timestamp>,
}

impl<T> Page<T> {
    /// How many of how many: `10 of 4321`.
    #[must_use]
    pub fn showing(&self) -> String {
        format!("{} of {}", self.rows.len(), self.total)
    }
}

#[cfg(test)]
mod tests;
