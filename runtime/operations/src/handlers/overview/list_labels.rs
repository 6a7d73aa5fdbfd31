//! `list_labels`: the labels in use.

use oaken_core::Result;
use oaken_mail::handler::{Read, ReadCx};

use crate::{ListLabels, ListLabelsInput, ListLabelsOutput};

impl Read for ListLabels {
    async fn run(cx: &ReadCx, input: &ListLabelsInput) -> Result<ListLabelsOutput> {
        Ok(ListLabelsOutput {
            labels: cx.mail.labels(input.account_id.as_ref())?,
        })
    }
}
