//! Flags on a server: folder by folder, told message by message. The wire's writer takes the gate's leave itself and
//! has one method that adds `\Seen`, for `Confirmed<MarksRead>`.

use std::collections::BTreeMap;

use oaken_gate::{Changes, Confirmed, MarksRead};
use oaken_wire_imap::{NotChanged, Outcome, Reason, Session, Settable, Stored, Writer, Writes};

use super::local::Written;
use super::{Edit, PlaceOutcome};
use crate::Services;
use crate::accounts::{Account, ImapPlace};
use crate::reader::Place;
use crate::sync::{self, Failure};

/// How a kind of leave stores what it allows.
pub(crate) trait Stores: Writes + Sized {
    /// Stores at these UIDs of the open folder. `edit` is absent for what `Self` alone allows: adding `\Seen`.
    fn store(
        writer: &mut Writer,
        leave: &Confirmed<Self>,
        edit: Option<Edit>,
        uids: &[u32],
    ) -> impl Future<Output = Stored> + Send;
}

impl Stores for MarksRead {
    async fn store(writer: &mut Writer, leave: &Confirmed<Self>, _: Option<Edit>, uids: &[u32]) -> Stored {
        let since = writer.state().highest_modseq;
        writer.add_seen(leave, uids, since).await
    }
}

impl Stores for Changes {
    async fn store(writer: &mut Writer, leave: &Confirmed<Self>, edit: Option<Edit>, uids: &[u32]) -> Stored {
        let since = writer.state().highest_modseq;
        let flagged = [Settable::Flagged];
        match edit {
            Some(Edit::RemoveSeen) => writer.remove_seen(leave, uids, since).await,
            Some(Edit::AddFlagged) => writer.store_flags(leave, uids, &flagged, &[], since).await,
            Some(Edit::RemoveFlagged) => writer.store_flags(leave, uids, &[], &flagged, since).await,
            None => Stored::default(),
        }
    }
}

/// What became of the places of one account.
#[derive(Default)]
pub(super) struct Told {
    pub outcomes: Vec<(i64, PlaceOutcome)>,
    pub written: Vec<Written>,
    /// What stopped the rest, if something did; its places are not told.
    pub failure: Option<Failure>,
}

/// Changes the places of one account, one session for all its folders.
pub(super) async fn change<E: Stores + 'static>(
    services: &Services,
    account: &Account,
    server: &ImapPlace,
    leave: &Confirmed<E>,
    edit: Option<Edit>,
    places: &[&Place],
) -> Told {
    let mut told = Told::default();
    let mut folders: BTreeMap<(&str, Option<i64>), Vec<&Place>> = BTreeMap::new();
    for place in places {
        folders
            .entry((place.wire_name(), place.uid_validity()))
            .or_default()
            .push(place);
    }
    let mut session: Option<Session> = None;
    for ((folder, validity), places) in folders {
        let open = match session.take() {
            Some(open) => open,
            None => match sync::connect(services, account, server).await {
                Ok(open) => open,
                Err(failure) => {
                    told.failure = Some(failure);
                    return told;
                }
            },
        };
        let Some(validity) = validity.and_then(|v| u32::try_from(v).ok()) else {
            told.all(&places, PlaceOutcome::Stale);
            session = Some(open);
            continue;
        };
        let mut writer = match Writer::open(open, folder, validity, leave).await {
            Ok(writer) => writer,
            Err(e) => match e.reason {
                Reason::UidValidityChanged => {
                    told.all(&places, PlaceOutcome::Stale);
                    continue;
                }
                Reason::No(..) | Reason::ReadOnly => {
                    told.all(&places, PlaceOutcome::Refused);
                    continue;
                }
                _ => {
                    told.failure = Some(e.into());
                    return told;
                }
            },
        };
        let uids: Vec<u32> = places
            .iter()
            .filter_map(|p| u32::try_from(p.uid()).ok())
            .collect();
        let stored = E::store(&mut writer, leave, edit, &uids).await;
        told.read(&places, &stored);
        if let Some(e) = stored.failure {
            told.failure = Some(e.into());
            return told;
        }
        session = Some(writer.into_session());
    }
    if let Some(session) = session {
        session.logout().await;
    }
    told
}

impl Told {
    fn all(&mut self, places: &[&Place], outcome: PlaceOutcome) {
        self.outcomes.extend(places.iter().map(|p| (p.row(), outcome)));
    }

    fn read(&mut self, places: &[&Place], stored: &Stored) {
        let by_uid: BTreeMap<i64, Outcome> = stored
            .outcomes
            .iter()
            .map(|(uid, o)| (i64::from(*uid), *o))
            .collect();
        for place in places {
            let outcome = match by_uid.get(&place.uid()) {
                Some(Outcome::Done { modseq }) => {
                    self.written.push(Written {
                        location: place.row(),
                        modseq: modseq.and_then(|m| i64::try_from(m).ok()),
                        file: None,
                    });
                    PlaceOutcome::Done
                }
                Some(Outcome::AlreadySo) => {
                    self.written.push(Written {
                        location: place.row(),
                        modseq: None,
                        file: None,
                    });
                    PlaceOutcome::Already
                }
                Some(Outcome::NotThere) => PlaceOutcome::NotThere,
                Some(Outcome::NotChanged(NotChanged::Modified)) => PlaceOutcome::Stale,
                Some(Outcome::NotChanged(_)) => PlaceOutcome::Refused,
                Some(Outcome::Unconfirmed) => PlaceOutcome::Unconfirmed,
                Some(Outcome::NotTried) | None => continue,
            };
            self.outcomes.push((place.row(), outcome));
        }
    }
}
