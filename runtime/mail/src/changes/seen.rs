//! Marking read. Everything here that adds `\Seen` asks for `Confirmed<MarksRead>`, which one operation ever gets.

use oaken_core::{Change, Preview, Result};
use oaken_gate::MarksRead;

use super::{Changed, Done, Mark, SeenProof, apply};
use crate::Cx;
use crate::journal::Places;
use crate::reader::Target;

/// Which of these would become read.
#[must_use]
pub fn preview_add(targets: &[Target]) -> Preview {
    super::preview(targets, Mark::Seen, true)
}

/// Marks these messages read, at every place they lie.
///
/// # Errors
/// `remote_unreachable` and `remote_refused` where nothing was changed; `unconfirmed` where something may have been.
pub async fn add(cx: &Cx<MarksRead>, targets: &[Target]) -> Result<Changed> {
    let done = Done::AddSeen(SeenProof::of(&cx.confirmed));
    apply::run(cx, "mark_read", done, targets).await
}

/// Leaves the messages whose change is kept.
#[must_use]
pub fn narrow(mut targets: Vec<Target>, keep: &dyn Fn(&Change) -> bool) -> Vec<Target> {
    targets.retain(|t| preview_add(std::slice::from_ref(t)).changes.iter().all(keep));
    targets
}

/// Leaves only these places, and says which messages would become read there.
#[must_use]
pub fn at(targets: Vec<Target>, places: &Places) -> (Preview, Vec<Target>) {
    let targets: Vec<Target> = targets.into_iter().map(|t| t.at(places)).collect();
    (preview_add(&targets), targets)
}
