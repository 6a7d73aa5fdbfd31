//! The log: an HMAC chain without gaps. A row's code covers the code of the row before it, so that none can be
//! changed, taken out or slipped in without the key; taking rows off the end shows against a head kept elsewhere.
//! It holds ids, words and counts: never mail text, an input, or a name that an agent made up.

use oaken_core::{Descriptor, Result};
use oaken_store::rusqlite::{Connection, OptionalExtension, params};
use oaken_store::{OrFault, Tx};

use crate::Caller;
use crate::mac::mac;

/// What a row tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A change that is about to be made.
    Intent,
    /// How it ended.
    Outcome,
    /// A read of an agent, or a proposal it was given.
    Read,
    /// A call that was refused.
    Refused,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Intent => "intent",
            Kind::Outcome => "outcome",
            Kind::Read => "read",
            Kind::Refused => "refused",
        }
    }
}

/// A row to append.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) at: i64,
    pub(crate) kind: Kind,
    pub(crate) door: &'static str,
    pub(crate) caller: String,
    pub(crate) operation: String,
    pub(crate) class: &'static str,
    pub(crate) intent: Option<i64>,
    pub(crate) entry: Option<String>,
    pub(crate) proposal: Option<String>,
    pub(crate) outcome: Option<&'static str>,
    pub(crate) count: usize,
    /// Ids, or changes, as JSON.
    pub(crate) detail: String,
}

impl Row {
    /// A row about a call; an operation that does not exist is not named, since its name is the caller's own words.
    pub(crate) fn of(kind: Kind, at: i64, caller: &Caller, operation: Option<&Descriptor>) -> Row {
        Row {
            at,
            kind,
            door: caller.door().word(),
            caller: caller.in_log().to_owned(),
            operation: operation.map_or("-", |d| d.name).to_owned(),
            class: operation.map_or("read", |d| d.class.word()),
            intent: None,
            entry: None,
            proposal: None,
            outcome: None,
            count: 0,
            detail: "[]".to_owned(),
        }
    }
}

/// Appends rows to the chain; returns the number of the last.
pub(crate) fn append(tx: &Tx<'_>, key: &[u8; 32], rows: &[Row]) -> Result<i64> {
    let (mut seq, mut before) = head(tx)?.unwrap_or((0, GENESIS));
    for row in rows {
        seq += 1;
        let count = i64::try_from(row.count).unwrap_or(i64::MAX);
        let kept = Kept {
            seq,
            at: row.at,
            kind: row.kind.word().into(),
            door: row.door.into(),
            caller: row.caller.clone(),
            operation: row.operation.clone(),
            class: row.class.into(),
            intent: row.intent,
            entry: row.entry.clone(),
            proposal: row.proposal.clone(),
            outcome: row.outcome.map(str::to_owned),
            count,
            detail: row.detail.clone(),
        };
        before = kept.code(key, &before)?;
        tx.prepare_cached(
            "INSERT INTO audit_row (seq, at, kind, door, caller, operation, class, intent, entry, proposal, outcome, \
             count, detail, mac) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        )
        .and_then(|mut s| {
            s.execute(params![
                seq, kept.at, kept.kind, kept.door, kept.caller, kept.operation, kept.class, kept.intent,
                kept.entry, kept.proposal, kept.outcome, kept.count, kept.detail, before.as_slice()
            ])
        })
        .or_fault()?;
    }
    Ok(seq)
}

const GENESIS: [u8; 32] = [0; 32];

/// The number and the code of the last row.
pub(crate) fn head(c: &Connection) -> Result<Option<(i64, [u8; 32])>> {
    c.prepare_cached("SELECT seq, mac FROM audit_row ORDER BY seq DESC LIMIT 1")
        .and_then(|mut s| s.query_row([], |r| Ok((r.get(0)?, r.get(1)?))).optional())
        .or_fault()
}

/// A row of the chain and its code.
pub(crate) type Link = (i64, [u8; 32]);

/// What a walk over the chain found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Rows from the first up to where the walk ended.
    pub rows: i64,
    /// The first row that is not as it was written, or the first number that is missing.
    pub broken_at: Option<i64>,
}

/// Walks the chain from its first row. With a head kept elsewhere (a number and a code in hex), that row must still
/// be there with that code.
pub(crate) fn verify(c: &Connection, key: &[u8; 32], kept_head: Option<(i64, &str)>) -> Result<Verified> {
    walk(c, key, (0, GENESIS), kept_head).map(|(verified, _)| verified)
}

/// Walks on from a row that a walk reached before. Where that row is not what it was the whole chain is walked, to
/// tell where it breaks. The second value is where the walk ended, to go on from.
pub(crate) fn verify_from(c: &Connection, key: &[u8; 32], known: Option<Link>) -> Result<(Verified, Link)> {
    let Some((seq, code)) = known else {
        return walk(c, key, (0, GENESIS), None);
    };
    let there: Option<Vec<u8>> = c
        .prepare_cached("SELECT mac FROM audit_row WHERE seq = ?1 AND typeof(mac) = 'blob'")
        .and_then(|mut s| s.query_row([seq], |r| r.get(0)).optional())
        .or_fault()?;
    if there.is_some_and(|mac| mac == code) {
        return walk(c, key, (seq, code), None);
    }
    walk(c, key, (0, GENESIS), Some((seq, &crate::mac::hex(&code))))
}

fn walk(
    c: &Connection,
    key: &[u8; 32],
    (from, code): Link,
    kept_head: Option<(i64, &str)>,
) -> Result<(Verified, Link)> {
    let mut rows = c
        .prepare(
            "SELECT seq, at, kind, door, caller, operation, class, intent, entry, proposal, outcome, count, detail, mac \
             FROM audit_row WHERE seq > ?1 ORDER BY seq",
        )
        .or_fault()?;
    // From the first on, a number below it is one too many.
    let after = if from == 0 { i64::MIN } else { from };
    let mut rows = rows.query([after]).or_fault()?;
    let (mut last, mut before) = (from, code);
    let mut head_seen = kept_head.is_none_or(|(seq, _)| seq == 0);
    while let Some(row) = rows.next().or_fault()? {
        let expected = last + 1;
        let found = Verified {
            rows: last,
            broken_at: Some(expected),
        };
        let broken = Ok((found, (last, before)));
        // A value of another type than the column's is damage like any other.
        let Ok((kept, code)) = read(row) else {
            return broken;
        };
        if kept.seq != expected {
            return broken;
        }
        let written = kept.code(key, &before)?;
        if code != written {
            return broken;
        }
        before = written;
        if let Some((seq, hex)) = kept_head
            && seq == kept.seq
        {
            if crate::mac::hex(&before) != hex {
                return broken;
            }
            head_seen = true;
        }
        last = kept.seq;
    }
    let found = Verified {
        rows: last,
        broken_at: (!head_seen).then_some(last + 1),
    };
    Ok((found, (last, before)))
}

fn read(r: &oaken_store::rusqlite::Row<'_>) -> oaken_store::rusqlite::Result<(Kept, [u8; 32])> {
    Ok((
        Kept {
            seq: r.get(0)?,
            at: r.get(1)?,
            kind: r.get(2)?,
            door: r.get(3)?,
            caller: r.get(4)?,
            operation: r.get(5)?,
            class: r.get(6)?,
            intent: r.get(7)?,
            entry: r.get(8)?,
            proposal: r.get(9)?,
            outcome: r.get(10)?,
            count: r.get(11)?,
            detail: r.get(12)?,
        },
        r.get(13)?,
    ))
}

/// A row as it lies in the table.
struct Kept {
    seq: i64,
    at: i64,
    kind: String,
    door: String,
    caller: String,
    operation: String,
    class: String,
    intent: Option<i64>,
    entry: Option<String>,
    proposal: Option<String>,
    outcome: Option<String>,
    count: i64,
    detail: String,
}

impl Kept {
    fn code(&self, key: &[u8; 32], before: &[u8; 32]) -> Result<[u8; 32]> {
        let optional = |s: &Option<String>| s.as_ref().map_or_else(|| "-".to_owned(), |s| format!("+{s}"));
        let (entry, proposal, outcome) = (
            optional(&self.entry),
            optional(&self.proposal),
            optional(&self.outcome),
        );
        let intent = optional(&self.intent.map(|n| n.to_string()));
        mac(
            key,
            [
                before.as_slice(),
                &self.seq.to_be_bytes(),
                &self.at.to_be_bytes(),
                self.kind.as_bytes(),
                self.door.as_bytes(),
                self.caller.as_bytes(),
                self.operation.as_bytes(),
                self.class.as_bytes(),
                intent.as_bytes(),
                entry.as_bytes(),
                proposal.as_bytes(),
                outcome.as_bytes(),
                &self.count.to_be_bytes(),
                self.detail.as_bytes(),
            ],
        )
    }
}
