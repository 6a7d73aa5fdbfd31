//! Gathers the FETCH answers of one command into one value a message.
//!
//! A server may answer for one message in pieces, twice, unasked, or with OK and no data; it may refuse a whole
//! command for one message. None of this may cost another message (cases C02, C05).

use std::collections::HashMap;

use crate::command::Command;
use crate::exec::Wire;
use crate::fetch::Fetched;
use crate::response::Response;
use crate::sets::{self, Batch};
use crate::{Phase, Reason, WireError};

/// How a fetch went, beside what it delivered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FetchReport {
    /// How many messages were delivered.
    pub delivered: u32,
    /// Asked for and not answered: gone, or, if `unreadable` is not 0, perhaps answered beyond reading.
    pub absent: Vec<u32>,
    /// Answered without the data that was asked for, or refused: each wants a placeholder.
    pub damaged: Vec<u32>,
    /// Answers of which not even the UID could be read.
    pub unreadable: u32,
    /// Told to be `\Seen` unasked, while its bytes were fetched: marked by somebody else meanwhile, or by the server
    /// because it was read, which must not go on (P2).
    pub seen: Vec<u32>,
}

/// What one message's answers came to.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub flags: Option<Vec<String>>,
    pub internal_date: Option<Option<i64>>,
    pub size: Option<u64>,
    pub modseq: Option<u64>,
    pub data: Option<Vec<u8>>,
}

/// What is asked for.
pub(super) struct Request<'a> {
    /// Between the brackets of the command.
    pub items: String,
    /// The section of the body that must come, in upper case.
    pub section: Option<&'a str>,
    /// FLAGS must come.
    pub flags: bool,
    /// Where the section begins.
    pub origin: u32,
    /// MODSEQ was asked for.
    pub modseq: bool,
    /// INTERNALDATE was asked for.
    pub date: bool,
    /// UIDs in one command.
    pub at_once: usize,
}

impl Request<'_> {
    /// Enough to make something of.
    fn sufficient(&self, g: &Gathered) -> bool {
        (!self.flags || g.flags.is_some()) && (self.section.is_none() || g.data.is_some())
    }

    /// All there is to come.
    fn complete(&self, g: &Gathered) -> bool {
        self.sufficient(g)
            && (!self.modseq || g.modseq.is_some())
            && (!self.date || g.internal_date.is_some())
            && (self.section.is_none() || g.size.is_some())
    }

    fn merge(&self, g: &mut Gathered, f: Fetched<'_>) {
        g.flags = f.flags.or(g.flags.take());
        g.internal_date = f.internal_date.or(g.internal_date);
        g.size = f.size.or(g.size);
        g.modseq = f.modseq.or(g.modseq);
        if let (Some(section), Some(body), None) = (self.section, f.body, &g.data)
            && body.section == section.as_bytes()
            && body.origin.unwrap_or(0) == self.origin
            && let Some(data) = body.data
        {
            g.data = Some(data.into_owned());
        }
    }
}

/// Fetches for these UIDs; `on` gets each message as soon as it is complete.
pub(super) async fn gather(
    wire: &mut Wire,
    request: &Request<'_>,
    uids: &[u32],
    mut on: impl FnMut(u32, Gathered) -> bool + Send,
) -> Result<FetchReport, WireError> {
    let mut report = FetchReport::default();
    for batch in sets::batches(uids, wire.limits().command_line, request.at_once) {
        let (mut left, refused) = one(wire, request, &batch, &mut on, &mut report).await?;
        if !refused {
            settle(request, left, &mut on, &mut report);
            continue;
        }
        // One message can make a server refuse them all: ask for each by itself.
        for uid in batch.uids {
            let Some(already) = left.remove(&uid) else {
                continue;
            };
            let single = Batch {
                text: uid.to_string(),
                uids: vec![uid],
            };
            let (rest, refused) = one(wire, request, &single, &mut on, &mut report).await?;
            if refused {
                let known = rest.into_values().flatten().next().or(already);
                settle(
                    request,
                    HashMap::from([(uid, Some(known.unwrap_or_default()))]),
                    &mut on,
                    &mut report,
                );
            } else {
                settle(request, rest, &mut on, &mut report);
            }
        }
    }
    Ok(report)
}

/// UIDs that were not delivered yet, with what came of them so far.
type Left = HashMap<u32, Option<Gathered>>;

async fn one(
    wire: &mut Wire,
    request: &Request<'_>,
    batch: &Batch,
    on: &mut (impl FnMut(u32, Gathered) -> bool + Send),
    report: &mut FetchReport,
) -> Result<(Left, bool), WireError> {
    let mut left: Left = batch.uids.iter().map(|uid| (*uid, None)).collect();
    let command = Command::new(
        Phase::Fetch,
        &format!("UID FETCH {} ({})", batch.text, request.items),
    );
    let done = wire
        .exec(command, |response| {
            let Response::Fetch(fetched) = response else {
                return Ok(());
            };
            let Some(uid) = fetched.uid else {
                report.unreadable += u32::from(fetched.damaged);
                return Ok(());
            };
            let seen = fetched
                .flags
                .as_ref()
                .is_some_and(|flags| flags.iter().any(|f| f == "\\Seen"));
            if !request.flags && seen && batch.uids.binary_search(&uid).is_ok() && !report.seen.contains(&uid)
            {
                report.seen.push(uid);
            }
            // Not asked for, or delivered already.
            let Some(slot) = left.get_mut(&uid) else {
                return Ok(());
            };
            let gathered = slot.get_or_insert_default();
            request.merge(gathered, fetched);
            if request.complete(gathered) {
                let whole = std::mem::take(gathered);
                left.remove(&uid);
                hand_over(uid, whole, on, report);
            }
            Ok(())
        })
        .await;
    match done {
        Ok(_) => Ok((left, false)),
        Err(e) if matches!(e.reason, Reason::No(..)) => Ok((left, true)),
        Err(e) => Err(e),
    }
}

fn settle(
    request: &Request<'_>,
    left: Left,
    on: &mut (impl FnMut(u32, Gathered) -> bool + Send),
    report: &mut FetchReport,
) {
    let mut left: Vec<_> = left.into_iter().collect();
    left.sort_unstable_by_key(|(uid, _)| *uid);
    for (uid, gathered) in left {
        match gathered {
            None => report.absent.push(uid),
            Some(g) if request.sufficient(&g) => hand_over(uid, g, on, report),
            Some(_) => report.damaged.push(uid),
        }
    }
}

fn hand_over(
    uid: u32,
    gathered: Gathered,
    on: &mut (impl FnMut(u32, Gathered) -> bool + Send),
    report: &mut FetchReport,
) {
    if on(uid, gathered) {
        report.delivered += 1;
    } else {
        report.damaged.push(uid);
    }
}
