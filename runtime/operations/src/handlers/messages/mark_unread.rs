//! `mark_unread`: marks messages unread, at every place they lie.

use oaken_core::{Change, Preview, Result};
use oaken_gate::{Applied, Changes};
use oaken_mail::changes::{Edit, flags};
use oaken_mail::handler::{Cx, Mutate, ReadCx};
use oaken_mail::journal::Places;
use oaken_mail::reader::Target;

use crate::{MarkUnread, MarkUnreadInput, MarkUnreadOutput};

impl Mutate for MarkUnread {
    type Effect = Changes;
    type Plan = Vec<Target>;

    async fn preview(cx: &ReadCx, input: &MarkUnreadInput) -> Result<(Preview, Vec<Target>)> {
        let targets = cx.mail.targets(&input.target.ids)?;
        Ok((flags::preview(&targets, Edit::RemoveSeen), targets))
    }

    async fn apply(cx: &Cx<Changes>, targets: &Vec<Target>) -> Result<Applied<MarkUnreadOutput>> {
        let changed = flags::apply(cx, targets, Edit::RemoveSeen).await?;
        let output = MarkUnreadOutput {
            marked: changed.changed,
            not_changed: changed.not_changed,
        };
        Ok(Applied {
            output,
            commit: changed.commit,
        })
    }

    fn narrow(targets: Vec<Target>, keep: &dyn Fn(&Change) -> bool) -> Option<Vec<Target>> {
        Some(flags::narrow(targets, Edit::RemoveSeen, keep))
    }

    fn at(targets: Vec<Target>, places: &Places) -> Option<(Preview, Vec<Target>)> {
        Some(flags::at(targets, Edit::RemoveSeen, places))
    }
}
