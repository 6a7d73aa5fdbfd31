//! What `status` says of an account's and a folder's sync: state, reason, since, last success, next try.

use oaken_core::{AccountId, Result, clock};
use oaken_store::rusqlite::{OptionalExtension, params};
use oaken_store::{Durability, OrFault, Tx};

use super::failure::{Failure, Wait};
use crate::Services;

/// The first pause after a failure, and the longest, in seconds.
const BACKOFF: (i64, i64) = (30, 3_600);
/// Things left alone that are kept by name for each account.
const ISSUES: i64 = 100;

/// A sync begins.
pub(super) fn begin(services: &Services, account: i64) -> Result<()> {
    services
        .store
        .write(Durability::Normal, |tx| set(tx, account, "syncing", None))
}

/// A sync that was under way and did not end: neither failed nor done, and due again at once.
pub(super) fn interrupted(tx: &Tx<'_>, account: i64) -> Result<()> {
    let is_under_way: bool = tx
        .query_row(
            "SELECT EXISTS (SELECT 1 FROM account_row WHERE row = ?1 AND state = 'syncing')",
            [account],
            |r| r.get(0),
        )
        .or_fault()?;
    if !is_under_way {
        return Ok(());
    }
    folders_failed(tx, account, "interrupted")?;
    set(tx, account, "failing", Some("interrupted"))
}

/// A sync came to its end: all mail is here.
pub(super) fn succeeded(services: &Services, account: i64) -> Result<()> {
    services.store.write(Durability::Normal, |tx| {
        tx.execute(
            "UPDATE account_row SET last_success = ?2, next_try = NULL, failures = 0, complete_back_to = 0
             WHERE row = ?1",
            params![account, clock::wall()],
        )
        .or_fault()?;
        set(tx, account, "ok", None)
    })
}

/// A sync stopped. Repeated failures wait longer each time, with jitter, so that clients do not come back together.
pub(super) fn failed(services: &Services, account: i64, failure: &Failure) -> Result<()> {
    services.store.write(Durability::Normal, |tx| {
        let now = clock::wall();
        let failures: Option<i64> = tx
            .query_row(
                "UPDATE account_row SET failures = failures + 1 WHERE row = ?1 RETURNING failures",
                [account],
                |r| r.get(0),
            )
            .optional()
            .or_fault()?;
        let next = match failure.wait {
            Wait::Person => None,
            Wait::Seconds(seconds) => Some(now + seconds),
            Wait::Backoff => Some(now + backoff(failures.unwrap_or(1), jitter())),
        };
        tx.execute(
            "UPDATE account_row SET next_try = ?2 WHERE row = ?1",
            params![account, next],
        )
        .or_fault()?;
        let state = if failure.wait == Wait::Person {
            "waiting_for_person"
        } else {
            "failing"
        };
        folders_failed(tx, account, failure.reason)?;
        set(tx, account, state, Some(failure.reason))
    })
}

/// The accounts that are due, the longest waiting first.
pub(super) fn due(services: &Services) -> Result<Vec<AccountId>> {
    services.store.read(|c| {
        let mut statement = c
            .prepare_cached(
                "SELECT id FROM account_row WHERE state <> 'waiting_for_person' AND coalesce(next_try, 0) <= ?1
                 ORDER BY coalesce(last_success, 0), row",
            )
            .or_fault()?;
        let ids = statement
            .query_map([clock::wall()], |r| r.get::<_, String>(0))
            .or_fault()?
            .collect::<oaken_store::rusqlite::Result<Vec<_>>>()
            .or_fault()?;
        Ok(ids.iter().filter_map(|id| AccountId::parse(id)).collect())
    })
}

/// How far back an account's and its folders' mail is here while more is to come; 0 is all of it. What was complete
/// stays so: new mail is newer than everything.
pub(super) fn complete_back_to(tx: &Tx<'_>, account: i64, folder: Option<i64>, back_to: i64) -> Result<()> {
    tx.prepare_cached(
        "UPDATE account_row SET complete_back_to = ?2 WHERE row = ?1 AND coalesce(complete_back_to, 1) <> 0",
    )
    .or_fault()?
    .execute([account, back_to])
    .or_fault()?;
    tx.prepare_cached(
        "UPDATE folder_row SET complete_back_to = ?3
         WHERE account = ?1 AND (?2 IS NULL OR row = ?2) AND coalesce(complete_back_to, 1) <> 0",
    )
    .or_fault()?
    .execute(params![account, folder, back_to])
    .or_fault()?;
    Ok(())
}

/// A folder is as the mailbox has it.
pub(super) fn folder_ok(tx: &Tx<'_>, folder: i64) -> Result<()> {
    let now = clock::wall();
    tx.prepare_cached(
        "UPDATE folder_row SET since = CASE state WHEN 'ok' THEN since ELSE ?2 END, state = 'ok', reason = NULL,
            last_success = ?2, complete_back_to = 0 WHERE row = ?1",
    )
    .or_fault()?
    .execute([folder, now])
    .or_fault()?;
    Ok(())
}

/// A folder could not be synced; the others could.
pub(super) fn folder_failed(tx: &Tx<'_>, folder: i64, reason: &str) -> Result<()> {
    tx.prepare_cached(
        "UPDATE folder_row SET since = CASE state WHEN 'failing' THEN since ELSE ?3 END, state = 'failing',
            reason = ?2 WHERE row = ?1",
    )
    .or_fault()?
    .execute(params![folder, reason, clock::wall()])
    .or_fault()?;
    Ok(())
}

/// Of an account's folders those that were under way stand as they are; the others were done, or not begun.
fn folders_failed(tx: &Tx<'_>, account: i64, reason: &str) -> Result<()> {
    tx.execute(
        "UPDATE folder_row SET state = 'failing', reason = ?2, since = ?3 WHERE account = ?1 AND state = 'syncing'",
        params![account, reason, clock::wall()],
    )
    .or_fault()?;
    Ok(())
}

/// Notes something that was met and left alone, by name, in a folder or in the account itself.
pub(super) fn issue(tx: &Tx<'_>, account: i64, folder: Option<i64>, reason: &str, name: &str) -> Result<()> {
    tx.prepare_cached(
        "INSERT OR IGNORE INTO sync_issue_row (account, folder, reason, name, at) SELECT ?1, ?2, ?3, ?4, ?5
         WHERE (SELECT count(*) FROM sync_issue_row WHERE account = ?1) < ?6",
    )
    .or_fault()?
    .execute(params![account, folder, reason, name, clock::wall(), ISSUES])
    .or_fault()?;
    Ok(())
}

/// A folder, or the account itself, is about to be looked at anew: what was left alone there is forgotten, and only
/// there. Of a folder that is not looked at it still holds.
pub(super) fn forget_issues(tx: &Tx<'_>, account: i64, folder: Option<i64>) -> Result<()> {
    tx.prepare_cached("DELETE FROM sync_issue_row WHERE account = ?1 AND folder IS ?2")
        .or_fault()?
        .execute(params![account, folder])
        .or_fault()?;
    Ok(())
}

/// How many things are known of that were left alone in a folder.
pub(super) fn issues(services: &Services, folder: i64) -> Result<u64> {
    services.store.read(|c| {
        c.prepare_cached("SELECT count(*) FROM sync_issue_row WHERE folder = ?1")
            .or_fault()?
            .query_row([folder], |r| r.get::<_, i64>(0))
            .or_fault()
            .map(|n| u64::try_from(n).unwrap_or(0))
    })
}

fn set(tx: &Tx<'_>, account: i64, state: &str, reason: Option<&str>) -> Result<()> {
    tx.execute(
        "UPDATE account_row SET since = CASE WHEN state = ?2 AND reason IS ?3 THEN since ELSE ?4 END,
            state = ?2, reason = ?3 WHERE row = ?1",
        params![account, state, reason, clock::wall()],
    )
    .or_fault()?;
    Ok(())
}

/// Doubled for each failure in a row, up to an hour, and up to a quarter longer by `jitter` in 0..=255.
fn backoff(failures: i64, jitter: u8) -> i64 {
    let doubled = BACKOFF.0 << failures.clamp(1, 10).saturating_sub(1);
    let pause = doubled.min(BACKOFF.1);
    pause + pause * i64::from(jitter) / 1_024
}

fn jitter() -> u8 {
    let mut byte = [0u8];
    // Without randomness the pause is the shortest of its kind.
    getrandom::fill(&mut byte).map_or(0, |()| byte[0])
}

#[cfg(test)]
mod tests {
    use super::backoff;

    #[test]
    fn pauses_grow_to_an_hour_and_a_quarter() {
        let pauses: Vec<i64> = [0, 1, 2, 3, 8, 9, 1_000].map(|n| backoff(n, 0)).to_vec();
        assert_eq!(pauses, [30, 30, 60, 120, 3_600, 3_600, 3_600]);
        assert_eq!(backoff(9, 255), 3_600 + 896);
    }
}
