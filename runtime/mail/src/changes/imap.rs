//! Flags on a server: folder by folder, told message by message. The wire's writer takes the gate's leave itself and
//! has one method that adds `\Seen`, for `Confirmed<MarksRead>`.

use std::collections::BTreeMap;

use oaken_gate::{Changes, Confirmed, MarksRead};
use oaken_wire_imap::{NotChanged, Outcome, Reason, Session, Settable, Stored, WireError, Writer, Writes};

use super::local::Written;
use super::same::{self, Expected};
use super::{Edit, PlaceOutcome};
use crate::Services;
use crate::accounts::{Account, ImapPlace};
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

/// Where a change is made, with what leave.
pub(super) struct At<'a, E> {
    pub services: &'a Services,
    pub account: &'a Account,
    pub server: &'a ImapPlace,
    pub leave: &'a Confirmed<E>,
    pub edit: Option<Edit>,
}

impl<E: Stores + 'static> At<'_, E> {
    /// Changes the places of one account, one session for all its folders.
    pub async fn change(&self, places: &[Expected<'_>]) -> Told {
        let mut told = Told::default();
        let mut folders: BTreeMap<(&str, Option<i64>), Vec<Expected<'_>>> = BTreeMap::new();
        for expected in places {
            let key = (expected.place.wire_name(), expected.place.uid_validity());
            folders.entry(key).or_default().push(*expected);
        }
        let mut session = None;
        for ((folder, validity), places) in folders {
            match self
                .folder(session.take(), folder, validity, &places, &mut told)
                .await
            {
                Ok(open) => session = open,
                Err(failure) => {
                    told.failure = Some(failure);
                    return told;
                }
            }
        }
        if let Some(session) = session {
            session.logout().await;
        }
        told
    }

    /// Changes the places of one folder; gives the session back where it can still be used.
    async fn folder(
        &self,
        session: Option<Session>,
        folder: &str,
        validity: Option<i64>,
        places: &[Expected<'_>],
        told: &mut Told,
    ) -> Result<Option<Session>, Failure> {
        let Some(validity) = validity.and_then(|v| u32::try_from(v).ok()) else {
            told.all(places, PlaceOutcome::Stale);
            return Ok(session);
        };
        let session = match session {
            Some(open) => open,
            None => sync::connect(self.services, self.account, self.server).await?,
        };
        let (session, same) = match same::check(session, folder, validity, places).await {
            Ok(checked) => checked,
            Err(e) => return told.refused(places, e),
        };
        let (same, others): (Vec<Expected<'_>>, Vec<_>) =
            places.iter().partition(|p| same.contains(&p.place.uid()));
        told.all(&others, PlaceOutcome::Stale);
        if same.is_empty() {
            return Ok(Some(session));
        }
        let mut writer = match Writer::open(session, folder, validity, self.leave).await {
            Ok(writer) => writer,
            Err(e) => return told.refused(&same, e),
        };
        let uids: Vec<u32> = same
            .iter()
            .filter_map(|p| u32::try_from(p.place.uid()).ok())
            .collect();
        let stored = E::store(&mut writer, self.leave, self.edit, &uids).await;
        told.read(&same, &stored);
        match stored.failure {
            Some(e) => Err(e.into()),
            None => Ok(Some(writer.into_session())),
        }
    }
}

impl Told {
    fn all(&mut self, places: &[Expected<'_>], outcome: PlaceOutcome) {
        self.outcomes
            .extend(places.iter().map(|p| (p.place.row(), outcome)));
    }

    /// A folder that could not be opened: its places are told, and the next folder gets a session of its own.
    fn refused(&mut self, places: &[Expected<'_>], e: WireError) -> Result<Option<Session>, Failure> {
        match e.reason {
            Reason::UidValidityChanged => self.all(places, PlaceOutcome::Stale),
            Reason::No(..) | Reason::ReadOnly => self.all(places, PlaceOutcome::Refused),
            _ => return Err(e.into()),
        }
        Ok(None)
    }

    fn read(&mut self, places: &[Expected<'_>], stored: &Stored) {
        let by_uid: BTreeMap<i64, Outcome> = stored
            .outcomes
            .iter()
            .map(|(uid, o)| (i64::from(*uid), *o))
            .collect();
        for Expected { place, .. } in places {
            let outcome = match by_uid.get(&place.uid()) {
                Some(Outcome::Done { modseq }) => {
                    self.written(place.row(), modseq.and_then(|m| i64::try_from(m).ok()));
                    PlaceOutcome::Done
                }
                Some(Outcome::AlreadySo) => {
                    self.written(place.row(), None);
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

    fn written(&mut self, location: i64, modseq: Option<i64>) {
        self.written.push(Written {
            location,
            modseq,
            file: None,
        });
    }
}
