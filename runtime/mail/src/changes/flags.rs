//! Marking unread, flagging, and taking the flag away.

use oaken_core::{Change, Preview, Result};
use oaken_gate::Changes;

use super::{Changed, Done, Edit, apply};
use crate::Cx;
use crate::journal::Places;
use crate::reader::Target;

/// Which of these would change.
#[must_use]
pub fn preview(targets: &[Target], edit: Edit) -> Preview {
    let (mark, set) = edit.parts();
    super::preview(targets, mark, set)
}

/// Changes these messages, at every place they lie.
///
/// # Errors
/// `remote_unreachable` and `remote_refused` where nothing was changed; `unconfirmed` where something may have been.
pub async fn apply(cx: &Cx<Changes>, targets: &[Target], edit: Edit) -> Result<Changed> {
    let operation = match edit {
        Edit::RemoveSeen => "mark_unread",
        Edit::AddFlagged | Edit::RemoveFlagged => "flag_messages",
    };
    apply::run(cx, operation, Done::Edit(edit), targets).await
}

/// Leaves the messages whose change is kept.
#[must_use]
pub fn narrow(mut targets: Vec<Target>, edit: Edit, keep: &dyn Fn(&Change) -> bool) -> Vec<Target> {
    targets.retain(|t| preview(std::slice::from_ref(t), edit).changes.iter().all(keep));
    targets
}

/// Leaves only these places, and says which messages that would change.
#[must_use]
pub fn at(targets: Vec<Target>, edit: Edit, places: &Places) -> (Preview, Vec<Target>) {
    let targets: Vec<Target> = targets.into_iter().map(|t| t.at(places)).collect();
    (preview(&targets, edit), targets)
}
