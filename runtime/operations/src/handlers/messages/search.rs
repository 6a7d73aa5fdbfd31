//! `search`: messages that hold every word and phrase, newest first.

use oaken_core::Result;
use oaken_mail::handler::{Read, ReadCx};
use oaken_retrieval::SearchQuery;

use crate::{Search, SearchInput, SearchOutput};

impl Read for Search {
    async fn run(cx: &ReadCx, input: &SearchInput) -> Result<SearchOutput> {
        let found = oaken_retrieval::search(
            &cx.mail,
            &cx.services,
            &SearchQuery {
                query: &input.query,
                account: input.account_id.as_ref(),
                since: input.since,
                before: input.before,
                cursor: input.cursor.as_deref(),
            },
        )?;
        Ok(SearchOutput {
            total: found.page.total,
            next_cursor: found.page.next_cursor,
            complete_back_to: found.page.complete_back_to,
            messages: found.page.rows,
            indexed: found.indexed,
            searched: found.searched,
        })
    }
}
