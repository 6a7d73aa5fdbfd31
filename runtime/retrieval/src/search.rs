//! `search`: the newest messages in reach that hold every word.

use std::sync::Arc;

use oaken_core::model::MessageRow;
use oaken_core::{AccountId, Result, Timestamp};
use oaken_mail::reader::{FoundQuery, Page};
use oaken_mail::{Reader, Services};

use crate::query;

/// What to search for, and where.
#[derive(Clone, Copy, Debug)]
pub struct SearchQuery<'a> {
    /// Words, and phrases in double quotes.
    pub query: &'a str,
    /// In this account.
    pub account: Option<&'a AccountId>,
    /// Received at or after.
    pub since: Option<Timestamp>,
    /// Received before.
    pub before: Option<Timestamp>,
    /// Where the page before ended.
    pub cursor: Option<&'a str>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The messages, newest first, and how many there are.
    pub page: Page<MessageRow>,
    /// Messages that the index holds, of those searched. Fewer than `searched`: there may be more hits.
    pub indexed: i64,
    /// Messages in reach that were searched.
    pub searched: i64,
}

/// The messages in the reader's reach that hold every word and phrase.
///
/// # Errors
/// `invalid_input` for a query without a word or a bad cursor, `not_found` for an account that is not in reach,
/// `busy`. An index that lags or is damaged is no error: what it cannot say is missing from `indexed`.
pub fn search(reader: &Reader, services: &Arc<Services>, query: &SearchQuery<'_>) -> Result<Found> {
    let expression = query::expression(query.query)?;
    let (page, coverage) = reader.found(
        services,
        &FoundQuery {
            expression: &expression,
            account: query.account,
            since: query.since,
            before: query.before,
            cursor: query.cursor,
        },
    )?;
    Ok(Found {
        page,
        indexed: coverage.indexed,
        searched: coverage.searched,
    })
}
