//! `flag_messages`: flags messages, or takes the flag away, at every place they lie.

use oaken_core::{Change, Preview, Result};
use oaken_gate::{Applied, Changes};
use oaken_mail::changes::{Edit, flags};
use oaken_mail::handler::{Cx, Mutate, ReadCx};
use oaken_mail::journal::Places;
use oaken_mail::reader::Target;

use crate::{FlagMessages, FlagMessagesInput, FlagMessagesOutput};

impl Mutate for FlagMessages {
    type Effect = Changes;
    type Plan = (Vec<Target>, Edit);

    async fn preview(cx: &ReadCx, input: &FlagMessagesInput) -> Result<(Preview, Self::Plan)> {
        let targets = cx.mail.targets(&input.target.ids)?;
        let edit = if input.flagged {
            Edit::AddFlagged
        } else {
            Edit::RemoveFlagged
        };
        Ok((flags::preview(&targets, edit), (targets, edit)))
    }

    async fn apply(cx: &Cx<Changes>, (targets, edit): &Self::Plan) -> Result<Applied<FlagMessagesOutput>> {
        let changed = flags::apply(cx, targets, *edit).await?;
        let output = FlagMessagesOutput {
            marked: changed.changed,
            not_changed: changed.not_changed,
        };
        Ok(Applied {
            output,
            commit: changed.commit,
        })
    }

    fn narrow((targets, edit): Self::Plan, keep: &dyn Fn(&Change) -> bool) -> Option<Self::Plan> {
        Some((flags::narrow(targets, edit, keep), edit))
    }

    fn at((targets, edit): Self::Plan, places: &Places) -> Option<(Preview, Self::Plan)> {
        let (preview, targets) = flags::at(targets, edit, places);
        Some((preview, (targets, edit)))
    }
}
