//! STORE, told per message: flags are read first, sent only where they differ, and read again afterwards. A server's
//! OK is not proof: some drop keywords they do not keep, and none says OK message by message.

use std::collections::{BTreeMap, HashMap};

use crate::command::Command;
use crate::flag::same;
use crate::login::Session;
use crate::mailbox::BoxState;
use crate::response::{Hint, Response};
use crate::sets::{self, Batch};
use crate::{Phase, Reason, WireError};

/// What became of the messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// Each UID that was named, once, in order.
    pub outcomes: Vec<(u32, Outcome)>,
    /// What stopped the rest, if something did.
    pub failure: Option<WireError>,
}

/// What became of one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Changed, and seen to be so; its mod-sequence now, with CONDSTORE.
    Done {
        /// MODSEQ.
        modseq: Option<u64>,
    },
    /// Was so before; nothing was sent.
    AlreadySo,
    /// No such message.
    NotThere,
    /// Not changed.
    NotChanged(NotChanged),
    /// The command went out and its effect was not seen.
    Unconfirmed,
    /// No command went out.
    NotTried,
}

/// Why a message was not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotChanged {
    /// Somebody changed it after the mod-sequence that was named.
    Modified,
    /// The mailbox does not keep this flag (PERMANENTFLAGS).
    NotPermanent,
    /// The server said OK and did not keep it.
    NotKept,
    /// The server said NO.
    Refused,
}

#[derive(Clone)]
struct Now {
    flags: Vec<String>,
    modseq: Option<u64>,
}

impl Now {
    fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|f| same(f, flag))
    }

    fn lacks_one(&self, add: &[String]) -> bool {
        add.iter().any(|f| !self.has(f))
    }

    fn has_one(&self, remove: &[String]) -> bool {
        remove.iter().any(|f| self.has(f))
    }
}

pub(crate) async fn store(
    session: &mut Session,
    state: &BoxState,
    uids: &[u32],
    add: &[String],
    remove: &[String],
    unchanged_since: Option<u64>,
) -> Stored {
    let mut outcomes: BTreeMap<u32, Outcome> = uids.iter().map(|uid| (*uid, Outcome::NotTried)).collect();
    outcomes.entry(0).and_modify(|o| *o = Outcome::NotThere);
    let add: Vec<String> = add
        .iter()
        .filter(|a| !remove.iter().any(|r| same(a, r)))
        .cloned()
        .collect();
    let failure = if unchanged_since.is_some() && !state.keeps_modseq(session) {
        Some(session.wire.error(Reason::Unsupported("CONDSTORE")))
    } else {
        let limits = session.wire.limits();
        let mut failure = None;
        for batch in sets::batches(uids, limits.command_line, limits.headers_at_once) {
            let change = Change {
                add: &add,
                remove,
                unchanged_since,
                state,
            };
            if let Err(e) = change.apply(session, &batch, &mut outcomes).await {
                failure = Some(e);
                break;
            }
        }
        failure
    };
    Stored {
        outcomes: outcomes.into_iter().collect(),
        failure,
    }
}

struct Change<'a> {
    add: &'a [String],
    remove: &'a [String],
    unchanged_since: Option<u64>,
    state: &'a BoxState,
}

impl Change<'_> {
    async fn apply(
        &self,
        session: &mut Session,
        batch: &Batch,
        outcomes: &mut BTreeMap<u32, Outcome>,
    ) -> Result<(), WireError> {
        let before = flags(session, self.state, batch).await?;
        let (mut adding, mut removing) = (vec![], vec![]);
        for uid in &batch.uids {
            let outcome = match before.get(uid) {
                None => Outcome::NotThere,
                Some(now) if !now.lacks_one(self.add) && !now.has_one(self.remove) => Outcome::AlreadySo,
                Some(_) if !self.permitted() => Outcome::NotChanged(NotChanged::NotPermanent),
                Some(now) if self.passed(now) => Outcome::NotChanged(NotChanged::Modified),
                Some(now) => {
                    if now.lacks_one(self.add) {
                        adding.push(*uid);
                    }
                    if now.has_one(self.remove) {
                        removing.push(*uid);
                    }
                    Outcome::NotTried
                }
            };
            outcomes.insert(*uid, outcome);
        }
        // A message whose flags were just added has a new mod-sequence of our own making.
        let (both, removing): (Vec<u32>, Vec<u32>) = removing.into_iter().partition(|u| adding.contains(u));
        let mut answers = HashMap::new();
        self.send(
            session,
            "+",
            self.add,
            &adding,
            self.unchanged_since,
            outcomes,
            &mut answers,
        )
        .await?;
        self.send(
            session,
            "-",
            self.remove,
            &removing,
            self.unchanged_since,
            outcomes,
            &mut answers,
        )
        .await?;
        let both: Vec<u32> = both
            .into_iter()
            .filter(|u| answers.get(u) == Some(&Answer::Ok))
            .collect();
        self.send(session, "-", self.remove, &both, None, outcomes, &mut answers)
            .await?;
        if answers.is_empty() {
            return Ok(());
        }
        let after = flags(session, self.state, batch).await?;
        for (uid, answer) in answers {
            let outcome = match (after.get(&uid), answer) {
                (None, _) => Outcome::NotThere,
                (Some(now), _) if !now.lacks_one(self.add) && !now.has_one(self.remove) => {
                    Outcome::Done { modseq: now.modseq }
                }
                (_, Answer::Modified) => Outcome::NotChanged(NotChanged::Modified),
                (Some(now), Answer::No) if self.passed(now) => Outcome::NotChanged(NotChanged::Modified),
                (_, Answer::No) => Outcome::NotChanged(NotChanged::Refused),
                (_, Answer::Ok) => Outcome::NotChanged(NotChanged::NotKept),
            };
            outcomes.insert(uid, outcome);
        }
        Ok(())
    }

    /// One STORE. Until its effect was seen its messages are unconfirmed.
    #[allow(clippy::too_many_arguments)]
    async fn send(
        &self,
        session: &mut Session,
        sign: &str,
        flags: &[String],
        uids: &[u32],
        unchanged_since: Option<u64>,
        outcomes: &mut BTreeMap<u32, Outcome>,
        answers: &mut HashMap<u32, Answer>,
    ) -> Result<(), WireError> {
        let limits = session.wire.limits();
        for batch in sets::batches(uids, limits.command_line, usize::MAX) {
            let condition = unchanged_since
                .map(|m| format!(" (UNCHANGEDSINCE {m})"))
                .unwrap_or_default();
            let text = format!(
                "UID STORE {}{condition} {sign}FLAGS ({})",
                batch.text,
                flags.join(" ")
            );
            let sent = session
                .wire
                .exec(Command::new(Phase::Store, &text).changing(), |_| Ok(()))
                .await;
            let unseen = match &sent {
                Err(e) if !e.unconfirmed && !matches!(e.reason, Reason::No(..)) => Outcome::NotTried,
                _ => Outcome::Unconfirmed,
            };
            for uid in &batch.uids {
                outcomes.insert(*uid, unseen);
            }
            let answer = match sent {
                Ok(Some(Hint::Modified(ranges))) => {
                    for uid in &batch.uids {
                        let modified = ranges.iter().any(|r| r.contains(uid));
                        answers.insert(*uid, if modified { Answer::Modified } else { Answer::Ok });
                    }
                    continue;
                }
                Ok(_) => Answer::Ok,
                Err(e) if matches!(e.reason, Reason::No(..)) => Answer::No,
                Err(e) => return Err(e),
            };
            answers.extend(batch.uids.iter().map(|uid| (*uid, answer)));
        }
        Ok(())
    }

    fn permitted(&self) -> bool {
        let Some(kept) = &self.state.permanent_flags else {
            return true;
        };
        let any = kept.iter().any(|k| k == "\\*");
        let keeps = |flag: &String| kept.iter().any(|k| same(k, flag)) || (any && !flag.starts_with('\\'));
        self.add.iter().chain(self.remove).all(keeps)
    }

    /// Whether a message was changed after the mod-sequence that was named.
    fn passed(&self, now: &Now) -> bool {
        matches!((self.unchanged_since, now.modseq), (Some(since), Some(modseq)) if modseq > since)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Ok,
    Modified,
    No,
}

async fn flags(
    session: &mut Session,
    state: &BoxState,
    batch: &Batch,
) -> Result<HashMap<u32, Now>, WireError> {
    let modseq = if state.keeps_modseq(session) {
        " MODSEQ"
    } else {
        ""
    };
    let text = format!("UID FETCH {} (UID FLAGS{modseq})", batch.text);
    let mut found: HashMap<u32, Now> = HashMap::new();
    session
        .wire
        .exec(Command::new(Phase::Fetch, &text), |response| {
            if let Response::Fetch(f) = response
                && let (Some(uid), Some(flags)) = (f.uid, f.flags)
                && batch.uids.binary_search(&uid).is_ok()
            {
                found.insert(
                    uid,
                    Now {
                        flags,
                        modseq: f.modseq,
                    },
                );
            }
            Ok(())
        })
        .await?;
    Ok(found)
}
