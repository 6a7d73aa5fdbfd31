//! Accounts in reach, and how each stands. Never its host, login or secret: those are no reading.

use oaken_core::model::{
    Account, AccountKind, AccountState, AccountStateState, FolderState, FolderStateState, LeftAlone,
};
use oaken_core::{AccountId, Address, Error, FolderId, Result, Timestamp, clock};
use oaken_store::OrFault;
use oaken_store::rusqlite::Connection;

use super::{Reader, shown};

impl Reader {
    /// The accounts in reach, by name.
    ///
    /// # Errors
    /// What reading the database meets.
    pub fn accounts(&self) -> Result<Vec<Account>> {
        self.with(|c| {
            let mut statement = c
                .prepare_cached("SELECT id, name, address, kind, workspace FROM account ORDER BY name, row")
                .or_fault()?;
            let mut rows = statement.query([]).or_fault()?;
            let mut accounts = Vec::new();
            while let Some(r) = rows.next().or_fault()? {
                let text = |n: usize| r.get::<_, String>(n).or_fault();
                accounts.push(Account {
                    account_id: AccountId::parse(&text(0)?).ok_or_else(Error::internal)?,
                    name: shown::line(&text(1)?),
                    address: Address::new(text(2)?),
                    kind: AccountKind::from_word(&text(3)?).ok_or_else(Error::internal)?,
                    workspace: text(4)?,
                });
            }
            Ok(accounts)
        })
    }

    /// What the last sync of an account met and left alone, by name; at most `most`.
    ///
    /// # Errors
    /// What reading the database meets.
    pub fn left_alone(&self, account: &AccountId, most: i64) -> Result<Vec<LeftAlone>> {
        self.with(|c| {
            let mut statement = c
                .prepare_cached(
                    "SELECT i.reason, i.name FROM sync_issue i JOIN account a ON a.row = i.account
                     WHERE a.id = ?1 ORDER BY i.name LIMIT ?2",
                )
                .or_fault()?;
            let rows = statement
                .query_map((account.as_str(), most), |r| {
                    Ok(LeftAlone {
                        reason: r.get(0)?,
                        name: shown::line(&r.get::<_, String>(1)?),
                    })
                })
                .or_fault()?;
            rows.collect::<oaken_store::rusqlite::Result<_>>().or_fault()
        })
    }

    /// Folders in reach whose sync is not up to date, by account and name; at most `most`.
    ///
    /// # Errors
    /// What reading the database meets.
    pub fn folder_states(&self, most: i64) -> Result<Vec<FolderState>> {
        self.with(|c| {
            let mut statement = c
                .prepare_cached(
                    "SELECT f.id, a.id, f.state, f.reason, f.since, f.last_success, f.complete_back_to
                     FROM account a JOIN folder f ON f.account = a.row
                     WHERE f.state <> 'ok' AND f.selectable ORDER BY a.name, f.name LIMIT ?1",
                )
                .or_fault()?;
            let mut rows = statement.query([most]).or_fault()?;
            let mut states = Vec::new();
            while let Some(r) = rows.next().or_fault()? {
                let word = |n: usize| r.get::<_, String>(n).or_fault();
                let time = |n: usize| -> Result<Option<Timestamp>> {
                    Ok(r.get::<_, Option<i64>>(n).or_fault()?.map(Timestamp::from_unix))
                };
                states.push(FolderState {
                    folder_id: FolderId::parse(&word(0)?).ok_or_else(Error::internal)?,
                    account_id: AccountId::parse(&word(1)?).ok_or_else(Error::internal)?,
                    state: FolderStateState::from_word(&word(2)?).ok_or_else(Error::internal)?,
                    reason: r.get(3).or_fault()?,
                    since: time(4)?,
                    last_success: time(5)?,
                    complete_back_to: time(6)?,
                });
            }
            Ok(states)
        })
    }

    /// How each account in reach stands, by name.
    ///
    /// # Errors
    /// What reading the database meets.
    pub fn account_states(&self) -> Result<Vec<AccountState>> {
        let now = clock::wall();
        self.with(|c| {
            let mut statement = c
                .prepare_cached(
                    "SELECT id, row, state, reason, since, last_success, next_try, complete_back_to
                     FROM account ORDER BY name, row",
                )
                .or_fault()?;
            let mut rows = statement.query([]).or_fault()?;
            let mut states = Vec::new();
            while let Some(r) = rows.next().or_fault()? {
                let time = |n: usize| r.get::<_, Option<i64>>(n).or_fault();
                let id = AccountId::parse(&r.get::<_, String>(0).or_fault()?).ok_or_else(Error::internal)?;
                let last_success = time(5)?;
                let stored: String = r.get(2).or_fault()?;
                let stored = AccountStateState::from_word(&stored).ok_or_else(Error::internal)?;
                let state = grown_stale(stored, last_success, now, self.limits.stale_after);
                let back_to = time(7)?;
                let reason: Option<String> = r.get(3).or_fault()?;
                states.push(AccountState {
                    mend: mend(state, reason.as_deref(), &id),
                    account_id: id,
                    state,
                    reason,
                    since: time(4)?.map(Timestamp::from_unix),
                    last_success: last_success.map(Timestamp::from_unix),
                    next_try: time(6)?.map(Timestamp::from_unix),
                    // Where nothing came yet, all mail before now may be missing.
                    complete_back_to: match back_to {
                        Some(0) => None,
                        Some(at) => Some(Timestamp::from_unix(at)),
                        None => Some(Timestamp::from_unix(now)),
                    },
                    messages: messages(c, r.get(1).or_fault()?)?,
                    left_alone: left_alone(c, r.get(1).or_fault()?)?,
                });
            }
            Ok(states)
        })
    }
}

/// How many things the last sync met and left alone.
fn left_alone(c: &Connection, account: i64) -> Result<i64> {
    c.prepare_cached("SELECT count(*) FROM sync_issue WHERE account = ?1")
        .or_fault()?
        .query_row([account], |r| r.get(0))
        .or_fault()
}

/// How many messages of an account are here.
pub(super) fn messages(c: &Connection, account: i64) -> Result<i64> {
    // The bound on time names an index that has all the count needs.
    c.prepare_cached(
        "SELECT count(*) FROM message m WHERE m.account = ?1 AND m.received > -9000000000000000000",
    )
    .or_fault()?
    .query_row([account], |r| r.get(0))
    .or_fault()
}

/// An account that synced well, but too long ago.
fn grown_stale(
    state: AccountStateState,
    last_success: Option<i64>,
    now: i64,
    after_seconds: i64,
) -> AccountStateState {
    match (state, last_success) {
        (AccountStateState::Ok, Some(at)) if now.saturating_sub(at) > after_seconds => {
            AccountStateState::Stale
        }
        _ => state,
    }
}

/// The command that mends a state, where one can.
fn mend(state: AccountStateState, reason: Option<&str>, id: &AccountId) -> Option<String> {
    match state {
        AccountStateState::WaitingForPerson if reason == Some("marks_on_read") => {
            Some(format!("oaken accounts accept-marking {id}"))
        }
        // Neither the place nor the password is at fault: a test would find nothing.
        AccountStateState::Failing if matches!(reason, Some("disk_full" | "interrupted" | "busy")) => {
            Some(format!("oaken accounts sync {id}"))
        }
        AccountStateState::New | AccountStateState::Stale => Some(format!("oaken accounts sync {id}")),
        AccountStateState::Failing | AccountStateState::WaitingForPerson => {
            Some(format!("oaken accounts test {id}"))
        }
        AccountStateState::Ok | AccountStateState::Syncing => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(state: AccountStateState, last_success: Option<i64>, expected: AccountStateState) {
        assert_eq!(grown_stale(state, last_success, 1000, 300), expected);
    }

    #[test]
    fn what_a_test_would_not_find_is_mended_by_a_sync() {
        let id = AccountId::random();
        for (reason, command) in [
            ("disk_full", "sync"),
            ("interrupted", "sync"),
            ("busy", "sync"),
            ("unreachable", "test"),
            ("refused", "test"),
        ] {
            assert_eq!(
                mend(AccountStateState::Failing, Some(reason), &id),
                Some(format!("oaken accounts {command} {id}"))
            );
        }
    }

    #[test]
    fn only_what_synced_well_grows_stale() {
        check(AccountStateState::Ok, Some(700), AccountStateState::Ok);
        check(AccountStateState::Ok, Some(699), AccountStateState::Stale);
        check(AccountStateState::Ok, Some(2000), AccountStateState::Ok);
        check(AccountStateState::Failing, Some(1), AccountStateState::Failing);
        check(AccountStateState::New, None, AccountStateState::New);
    }
}
