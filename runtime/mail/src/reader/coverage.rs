//! Which accounts a question is about, and how far back their mail is here.

use oaken_core::{AccountId, Error, Result, Timestamp, clock};
use oaken_store::OrFault;
use oaken_store::rusqlite::{Connection, OptionalExtension};

/// An account in reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reached {
    pub row: i64,
    pub id: AccountId,
    /// All mail since then is here; 0: everything; `None`: nothing was fetched yet.
    pub complete_back_to: Option<i64>,
}

/// The account that was asked for, or every one in reach.
pub(super) fn accounts(c: &Connection, asked: Option<&AccountId>) -> Result<Vec<Reached>> {
    let mut statement = c
        .prepare_cached(
            "SELECT row, id, complete_back_to FROM account WHERE ?1 IS NULL OR id = ?1 ORDER BY name, row",
        )
        .or_fault()?;
    let mut rows = statement.query([asked.map(AccountId::as_str)]).or_fault()?;
    let mut found = Vec::new();
    while let Some(r) = rows.next().or_fault()? {
        found.push(Reached {
            row: r.get(0).or_fault()?,
            id: AccountId::parse(&r.get::<_, String>(1).or_fault()?).ok_or_else(Error::internal)?,
            complete_back_to: r.get(2).or_fault()?,
        });
    }
    if asked.is_some() && found.is_empty() {
        return Err(Error::not_found("/account_id"));
    }
    Ok(found)
}

/// From when on the mail of all these accounts is here, where an answer since `since` may miss some.
pub(super) fn complete_back_to(accounts: &[Reached], since: Option<i64>) -> Option<Timestamp> {
    latest(accounts.iter().map(|a| a.complete_back_to), since)
}

/// The same for one folder.
pub(super) fn folder_complete_back_to(
    c: &Connection,
    folder: i64,
    since: Option<i64>,
) -> Result<Option<Timestamp>> {
    let back_to: Option<Option<i64>> = c
        .prepare_cached("SELECT complete_back_to FROM folder WHERE row = ?1")
        .or_fault()?
        .query_row([folder], |r| r.get(0))
        .optional()
        .or_fault()?;
    Ok(latest(back_to.into_iter(), since))
}

fn latest(each: impl Iterator<Item = Option<i64>>, since: Option<i64>) -> Option<Timestamp> {
    let back_to = each.map(|at| at.unwrap_or_else(clock::wall)).max()?;
    let covered = back_to <= 0 || since.is_some_and(|since| since >= back_to);
    (!covered).then(|| Timestamp::from_unix(back_to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(back_to: &[Option<i64>], since: Option<i64>, expected: Option<i64>) {
        let got = latest(back_to.iter().copied(), since).map(Timestamp::unix);
        assert_eq!(got, expected, "{back_to:?} since {since:?}");
    }

    #[test]
    fn only_a_range_that_is_not_covered_is_said() {
        check(&[Some(0), Some(0)], None, None);
        check(&[Some(0), Some(500)], None, Some(500));
        check(&[Some(900), Some(500)], None, Some(900));
        check(&[Some(900)], Some(900), None);
        check(&[Some(900)], Some(899), Some(900));
        check(&[], None, None);
        assert!(latest([None].into_iter(), None).is_some(), "nothing fetched yet");
    }
}
