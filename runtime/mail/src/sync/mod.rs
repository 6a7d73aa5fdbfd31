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
    let lease = Lease::take(services.clone(), row)?;
    state::begin(services, row)?;
    let mut run = Run {
        services: services.clone(),
        account,
        lease,
        on_progress,
        progress: Progress::default(),
        report: Report::default(),
    };
    let done = match run.account.place.clone() {
        Place::Imap(place) => imap::sync(&mut run, &place).await,
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
        Ok(()) => run.settle().await,
        Err(failure) => Err(failure),
    };
    match done {
        Ok(()) => {
            state::succeeded(services, row)?;
            Ok(run.report)
        }
        Err(failure) => {
            state::failed(services, row, &failure)?;
            Err(failure.error)
        }
    }
}

/// Syncs every account that is due, four at a time: those that wait for a person are left, and those that failed
/// until their pause is over. What each met is in its state.
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

impl Run {
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
        Ok(())
    }

    /// Every folder was scanned: what lies nowhere any more loses its text.
    async fn settle(&mut self) -> std::result::Result<(), Failure> {
        let (services, row) = (self.services.clone(), self.account.row);
        tokio::task::spawn_blocking(move || {
            let now = clock::wall();
            while services
                .store
                .write(Durability::Normal, |tx| identity::settle(tx, row, now))?
            {}
            services
                .store
                .write(Durability::Normal, |tx| journal::observe(tx, row))?;
            services.index.follow(&services.store, row).map(|_| ())
        })
        .await
        .map_err(|_| Error::internal())??;
        Ok(())
    }
}
