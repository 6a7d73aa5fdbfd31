//! Personal tokens: a person's own programs, over HTTP, within a class and until a day.

use oaken_core::{Change, Class, Error, IssuedSecret, Preview, Result, Timestamp, TokenId};
use oaken_store::rusqlite::{OptionalExtension, params};
use oaken_store::{OrFault, TableOwner};

use crate::governance::{Governance, agents};
use crate::mac::hash;
use crate::{Changes, Commit, Confirmed};

/// What a token may do. There is none that sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Reads only.
    Read,
    /// Reads, and changes that it confirms.
    Change,
}

impl Limit {
    /// The word of the spec.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Limit::Read => "read",
            Limit::Change => "change",
        }
    }

    pub(crate) fn class(self) -> Class {
        match self {
            Limit::Read => Class::Read,
            Limit::Change => Class::Mutate,
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Limit> {
        [Limit::Read, Limit::Change]
            .into_iter()
            .find(|l| l.word() == word)
    }
}

/// A personal token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its id.
    pub id: TokenId,
    /// Its name.
    pub name: String,
    /// What it may do.
    pub limit: Limit,
    /// When it was made.
    pub made: Timestamp,
    /// When it lapses.
    pub expires: Option<Timestamp>,
    /// Whether it was revoked.
    pub revoked: bool,
}

/// All tokens, by name.
///
/// # Errors
/// What reading the database meets.
pub fn list(governance: &Governance) -> Result<Vec<Token>> {
    governance.0.store.read(|c| {
        let mut s = c
            .prepare_cached(
                "SELECT id, name, class, created, expires, revoked IS NOT NULL FROM token_row ORDER BY name COLLATE NOCASE",
            )
            .or_fault()?;
        let rows = s
            .query_map([], |r| {
                Ok((r.get::<_, String>(0)?, r.get(1)?, r.get::<_, String>(2)?, r.get(3)?, r.get::<_, Option<i64>>(4)?, r.get(5)?))
            })
            .or_fault()?;
        rows.map(|row| {
            let (id, name, class, made, expires, revoked) = row.or_fault()?;
            Ok(Token {
                id: TokenId::parse(&id).ok_or_else(Error::internal)?,
                name,
                limit: Limit::from_word(&class).ok_or_else(Error::internal)?,
                made: Timestamp::from_unix(made),
                expires: expires.map(Timestamp::from_unix),
                revoked,
            })
        })
        .collect()
    })
}

/// A new token of the person who confirmed, lapsing after so many days, or never.
///
/// # Errors
/// `invalid_input` for the name, as [`agents::add`]; the commit answers the same where the name was ever used.
pub fn create(
    governance: &Governance,
    confirmed: &Confirmed<Changes>,
    name: &str,
    limit: Limit,
    days: Option<i64>,
) -> Result<(TokenId, IssuedSecret, Commit)> {
    let name = agents::fit_name(name)?;
    let (id, token) = (TokenId::random(), IssuedSecret::random("oak_person"));
    let (row, digest, now) = (id.clone(), hash(token.reveal()), governance.0.clock.now());
    let person = confirmed.caller().name().to_owned();
    let expires = days.map(|d| now.saturating_add(d.saturating_mul(86_400)));
    let commit = Commit::new(TableOwner, move |tx| {
        let taken = tx
            .query_row("SELECT 1 FROM token_row WHERE name = ?1", [&name], |_| Ok(()))
            .optional()
            .or_fault()?;
        if taken.is_some() {
            return Err(Error::invalid_field(
                "/name",
                "is the name of another token, or was",
            ));
        }
        tx.execute(
            "INSERT INTO token_row (id, name, person, class, token_hash, created, expires) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![
                row.as_str(),
                name,
                person,
                limit.word(),
                digest.as_slice(),
                now,
                expires
            ],
        )
        .or_fault()?;
        Ok(())
    });
    Ok((id, token, commit))
}

/// What revoking changes.
///
/// # Errors
/// `not_found` where there is no such token or it is revoked already.
pub fn preview_revoke(governance: &Governance, id: &TokenId) -> Result<Preview> {
    let live = governance.0.store.read(|c| {
        c.query_row(
            "SELECT 1 FROM token_row WHERE id = ?1 AND revoked IS NULL",
            [id.as_str()],
            |_| Ok(()),
        )
        .optional()
        .or_fault()
    })?;
    live.map(|()| Preview {
        changes: vec![Change::gone(id, "token")],
    })
    .ok_or_else(|| Error::not_found("/token_id"))
}

/// Revokes a token; it stops working with this commit.
pub fn revoke(governance: &Governance, _: &Confirmed<Changes>, id: &TokenId) -> Commit {
    let (id, now) = (id.clone(), governance.0.clock.now());
    Commit::new(TableOwner, move |tx| {
        let done = tx
            .execute(
                "UPDATE token_row SET revoked = ?2 WHERE id = ?1 AND revoked IS NULL",
                params![id.as_str(), now],
            )
            .or_fault()?;
        if done == 0 {
            return Err(Error::not_found("/token_id"));
        }
        Ok(())
    })
}
