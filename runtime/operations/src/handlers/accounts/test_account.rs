//! `test_account`: logs in and tells what the server offers. Stores nothing.

use oaken_core::{Error, Result, Text};
use oaken_mail::accounts;
use oaken_mail::handler::{Read, ReadCx};

use crate::{TestAccount, TestAccountInput, TestAccountOutput};

impl Read for TestAccount {
    async fn run(cx: &ReadCx, input: &TestAccountInput) -> Result<TestAccountOutput> {
        let tested = accounts::test(cx, &input.account_id).await?;
        Ok(TestAccountOutput {
            account_id: input.account_id.clone(),
            folders: i64::try_from(tested.folders).map_err(|_| Error::internal())?,
            left_alone: cx
                .mail
                .left_alone(&input.account_id, cx.grant.setting("operations.max_governed"))?,
            capabilities: tested.capabilities.into_iter().map(Text::new).collect(),
        })
    }
}
