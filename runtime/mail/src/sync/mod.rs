//! Sync: brings the rows up to the mailbox, newest first, in batches that each stand by themselves.
//!
//! Nothing here changes a mailbox: an IMAP session only examines and peeks, a Maildir is only listed and read. Of
//! several processes one syncs an account (a lease). Killed at any point it goes on where the last batch ended.
//! Deliberately absent: IDLE, QRESYNC and several connections at once.

mod failure;
mod folders;
mod imap;
mod known;
mod lease;
mod maildir;
mod record;
mod special_use;
mod state;

#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;

use oaken_core::{AccountId, Code, Error, Result, clock};
use oaken_store::Durability;

use crate::Services;
use crate::accounts::{self, Place};
use crate::{identity, journal};
use lease::Lease;

pub(crate) use failure::Failure;
pub(crate) use imap::connect;
pub(crate) use lease::settle as settle_leases;
pub(crate) use maildir::{folder_path, folders as maildir_folders, info, locate};

/// Accounts that are synced at once.
const AT_ONCE: usize = 4;

/// How far a sync is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// New messages taken in so far.
    pub messages: u64,
    /// New messages found so far; grows as folders are looked at.
    pub of: u64,
    /// Bytes read so far.
    pub bytes: u64,
}

/// Told after each batch.
pub type OnProgress = Arc<dyn Fn(Progress) + Send + Sync>;

/// Told after each batch of any account.
pub type Listener = Arc<dyn Fn(&AccountId, Progress) + Send + Sync>;

/// What a sync did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Messages that are new in a folder.
    pub new: u64,
    /// Places whose flags or labels changed.
    pub changed: u64,
    /// Places that are gone.
    pub gone: u64,
    /// Things met and left alone: links, files that cannot be read. `status` names them.
    pub left_alone: u64,
}

/// One run of a sync.
struct Run {
    services: Arc<Services>,
    account: accounts::Account,
    lease: Lease,
    on_progress: OnProgress,
    progress: Progress,
    report: Report,
}

/// Syncs an account to the end.
///
/// # Errors
/// `not_found`; `busy` where another run has it; what the server, the Maildir or the disk met. What was taken in
/// until then stays, and the account's state says why it stopped.
pub async fn run(services: &Arc<Services>, id: &AccountId, on_progress: OnProgress) -> Result<Report> {
    let account = services.store.read(|c| accounts::load(c, id))?;
    let row = account.row;
    if services.is_stopping() {
        return Err(interrupted());
    }
    let lease = Lease::take(services.clone(), row)?;
    state::begin(services, row)?;
    let open = services.store.read(|c| journal::left_open(c, row))?;
    let mut run = Run {
        services: services.clone(),
        account,
        lease,
        on_progress,
        progress: Progress::default(),
        report: Report::default(),
    };
    let done = match run.account.place.clone() {
        // A server may keep a session waiting; nothing is half done where it is dropped.
        Place::Imap(place) => tokio::select! {
            done = imap::sync(&mut run, &place) => done,
            () = services.stopping() => Err(interrupted().into()),
        },
        Place::Maildir(path) => {
            let (back, done) = tokio::task::spawn_blocking(move || {
                let done = maildir::sync(&mut run, &path);
                (run, done)
            })
            .await
            .map_err(|_| Error::internal())?;
            run = back;
            done
        }
    };
    let done = match done {
        Ok(()) => run.settle(open).await,
        Err(failure) => Err(failure),
    };
    match done {
        Ok(()) => {
            state::succeeded(services, row)?;
            Ok(run.report)
        }
        // The lease says so when it is given back, and the account is due again at once.
        Err(failure) if failure.reason == Failure::INTERRUPTED => Err(failure.error),
        Err(failure) => {
            // Where that cannot be written, giving back the lease says that the run was interrupted.
            if state::failed(services, row, &failure).is_err() {
                tracing::warn!(
                    reason = failure.reason,
                    "why a sync stopped could not be recorded"
                );
            }
            Err(failure.error)
        }
    }
}

/// Syncs every account that is due, four at a time: those that wait for a person are left, and those that failed
/// until their pause is over. What each met is in its state. Told to stop (`Services::stop_syncing`) it ends soon.
pub async fn all(services: &Arc<Services>) {
    let due = match state::due(services) {
        Ok(due) => due,
        Err(e) => {
            tracing::warn!(code = e.code().word(), "the accounts to sync cannot be read");
            return;
        }
    };
    let mut running = tokio::task::JoinSet::new();
    for id in due {
        if services.is_stopping() {
            break;
        }
        if running.len() >= AT_ONCE {
            running.join_next().await;
        }
        let services = services.clone();
        running.spawn(async move {
            if let Err(e) = run(&services, &id, services.progress_of(&id)).await {
                tracing::info!(account = id.as_str(), code = e.code().word(), "a sync stopped");
            }
        });
    }
    while running.join_next().await.is_some() {}
}

/// Whether an agent may start a sync of this account now: not one that waits for a person, since a refused password is
/// tried once, and not before a pause is over.
///
/// # Errors
/// `refused`, with the reason in the account's state; `not_found`.
pub fn check_for_agent(services: &Services, id: &AccountId) -> Result<()> {
    services.store.read(|c| accounts::load(c, id))?;
    if state::due(services)?.contains(id) {
        return Ok(());
    }
    Err(Error::new(
        Code::Refused,
        "This account is not synced now: it waits for a person, or for the pause after a failure. Its status says which.",
    )
    .next("status"))
}

/// Tells nobody.
#[must_use]
pub fn silent() -> OnProgress {
    Arc::new(|_| {})
}

fn interrupted() -> Error {
    Error::new(
        Code::Interrupted,
        "The sync was stopped. What came until then stays; it goes on with the next one.",
    )
}

impl Run {
    /// Between two batches of work that cannot be dropped.
    fn check_stop(&self) -> std::result::Result<(), Failure> {
        if self.services.is_stopping() {
            return Err(interrupted().into());
        }
        Ok(())
    }

    /// After a batch: the lease goes on, the full text follows, the caller hears of it.
    fn batch_done(&mut self, messages: u64, bytes: u64) -> std::result::Result<(), Failure> {
        self.progress.messages += messages;
        self.progress.bytes += bytes;
        self.report.new += messages;
        self.lease.renew()?;
        self.services
            .index
            .follow(&self.services.store, self.account.row)?;
        (self.on_progress)(self.progress);
        self.check_stop()
    }

    /// Every folder was scanned: what lies nowhere any more loses its text.
    async fn settle(&mut self, open: Vec<i64>) -> std::result::Result<(), Failure> {
        let (services, row) = (self.services.clone(), self.account.row);
        tokio::task::spawn_blocking(move || {
            let now = clock::wall();
            while services
                .store
                .write(Durability::Normal, |tx| identity::settle(tx, row, now))?
            {}
            services
                .store
                .write(Durability::Normal, |tx| journal::observe(tx, row, &open))?;
            services.index.follow(&services.store, row).map(|_| ())
        })
        .await
        .map_err(|_| Error::internal())??;
        Ok(())
    }
}
