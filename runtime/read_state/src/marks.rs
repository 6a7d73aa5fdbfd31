//! The operation: which of the messages are unread, and marking them with the leave for exactly that.

use oaken_core::{Change, Preview, Result};
use oaken_gate::{Applied, MarksRead};
use oaken_macros::operation;
use oaken_mail::changes::seen;
use oaken_mail::handler::{Cx, Mutate, ReadCx};
use oaken_mail::journal::Places;
use oaken_mail::reader::Target;

/// Marks messages read.
#[operation(
    class = mutate,
    ceiling = off,
    marks_read,
    area = messages,
    undo = mark_unread,
    title = "Mark as read",
    summary = "Mark messages read; the only operation that does.",
    cli = "messages mark-read <target>..."
)]
pub mod mark_read {
    pub struct Input {
        /// The messages.
        pub target: Selection,
    }
    pub struct Output {
        /// Messages now read that were unread.
        #[field(bound = max_batch_ids)]
        pub marked: Vec<MessageId>,
        /// The others, and why.
        #[field(bound = max_batch_ids)]
        pub not_changed: Vec<NotChanged>,
    }
}

impl Mutate for MarkRead {
    type Effect = MarksRead;
    type Plan = Vec<Target>;

    async fn preview(cx: &ReadCx, input: &MarkReadInput) -> Result<(Preview, Vec<Target>)> {
        let targets = cx.mail.targets(&input.target.ids)?;
        Ok((seen::preview_add(&targets), targets))
    }

    async fn apply(cx: &Cx<MarksRead>, targets: &Vec<Target>) -> Result<Applied<MarkReadOutput>> {
        let changed = seen::add(cx, targets).await?;
        let output = MarkReadOutput {
            marked: changed.changed,
            not_changed: changed.not_changed,
        };
        Ok(Applied {
            output,
            commit: changed.commit,
        })
    }

    fn narrow(targets: Vec<Target>, keep: &dyn Fn(&Change) -> bool) -> Option<Vec<Target>> {
        Some(seen::narrow(targets, keep))
    }

    fn at(targets: Vec<Target>, places: &Places) -> Option<(Preview, Vec<Target>)> {
        Some(seen::at(targets, places))
    }
}
