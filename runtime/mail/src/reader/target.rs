//! What a change acts on: messages resolved by a reader, with the places they lie at.
//!
//! Private fields and no other maker: a change cannot act on an id that nobody resolved.

use std::collections::HashSet;

use oaken_core::{AccountId, Code, Error, Fault, FolderId, MessageId, Result};
use oaken_store::OrFault;
use oaken_store::rusqlite::{Connection, OptionalExtension, Row};

use crate::Flags;
use crate::journal::Places;

use super::Reader;

/// A message in reach, as it was when the reader looked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    id: MessageId,
    row: i64,
    account: AccountId,
    account_row: i64,
    content_hash: Vec<u8>,
    places: Vec<Place>,
}

/// One place of a message: a folder and a UID, or a Maildir file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    row: i64,
    folder: FolderId,
    folder_row: i64,
    wire_name: String,
    special_use: Option<String>,
    personal: bool,
    uid_validity: Option<i64>,
    uid: i64,
    modseq: i64,
    flags: Flags,
    name: Option<String>,
    file: Option<String>,
}

impl Target {
    /// The message.
    #[must_use]
    pub fn id(&self) -> &MessageId {
        &self.id
    }
    /// Its row.
    #[must_use]
    pub fn row(&self) -> i64 {
        self.row
    }
    /// Its account.
    #[must_use]
    pub fn account(&self) -> &AccountId {
        &self.account
    }
    /// Its account's row.
    #[must_use]
    pub fn account_row(&self) -> i64 {
        self.account_row
    }
    /// The hash of its header block and text.
    #[must_use]
    pub fn content_hash(&self) -> &[u8] {
        &self.content_hash
    }
    /// Where it lies; nowhere, where it is gone.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.places
    }
    /// Leaves of it only these of its places.
    pub(crate) fn at(mut self, places: &Places) -> Self {
        self.places.retain(|p| places.holds(p.row));
        self
    }
    /// Whether a flag is set at every place. `false` for one that lies nowhere.
    #[must_use]
    pub fn has_everywhere(&self, flag: Flags) -> bool {
        !self.places.is_empty() && self.places.iter().all(|p| p.flags.has(flag))
    }
    /// Whether a flag is set at some place.
    #[must_use]
    pub fn has_somewhere(&self, flag: Flags) -> bool {
        self.places.iter().any(|p| p.flags.has(flag))
    }
}

impl Place {
    /// Its row in `location_row`.
    #[must_use]
    pub fn row(&self) -> i64 {
        self.row
    }
    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &FolderId {
        &self.folder
    }
    /// The folder's row.
    #[must_use]
    pub fn folder_row(&self) -> i64 {
        self.folder_row
    }
    /// The folder's name as the server, or the directory, has it.
    #[must_use]
    pub fn wire_name(&self) -> &str {
        &self.wire_name
    }
    /// What the folder is for, as a word of RFC 6154 in lower case.
    #[must_use]
    pub fn special_use(&self) -> Option<&str> {
        self.special_use.as_deref()
    }
    /// Whether the folder is of the personal namespace.
    #[must_use]
    pub fn is_personal(&self) -> bool {
        self.personal
    }
    /// The folder's UIDVALIDITY when it was last synced.
    #[must_use]
    pub fn uid_validity(&self) -> Option<i64> {
        self.uid_validity
    }
    /// The UID; a Maildir's local number.
    #[must_use]
    pub fn uid(&self) -> i64 {
        self.uid
    }
    /// The last MODSEQ seen; 0 where the server has none.
    #[must_use]
    pub fn modseq(&self) -> i64 {
        self.modseq
    }
    /// The flags of the place.
    #[must_use]
    pub fn flags(&self) -> Flags {
        self.flags
    }
    /// A Maildir file's unique part.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
    /// And its path below the folder when last seen.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }
}

impl Reader {
    /// The messages of these ids, in the order given; one that is given twice is one.
    ///
    /// # Errors
    /// `not_found` at `/target/ids/N` for one that is not in reach.
    pub fn targets(&self, ids: &[MessageId]) -> Result<Vec<Target>> {
        let mut met = HashSet::new();
        self.with(|c| {
            ids.iter()
                .enumerate()
                .filter(|(_, id)| met.insert(*id))
                .map(|(n, id)| {
                    let target =
                        target(c, id)?.ok_or_else(|| Error::not_found(format!("/target/ids/{n}")))?;
                    self.own(target).ok_or_else(|| foreign(n))
                })
                .collect()
        })
    }

    /// The same message for each that is still in reach; the others are left out.
    ///
    /// # Errors
    /// What reading the database meets.
    pub fn targets_left(&self, ids: &[MessageId]) -> Result<Vec<Target>> {
        let mut met = HashSet::new();
        self.with(|c| {
            ids.iter()
                .filter(|id| met.insert(*id))
                .filter_map(|id| target(c, id).transpose())
                .filter_map(|target| target.map(|target| self.own(target)).transpose())
                .collect()
        })
    }

    /// A message as far as its caller may change it: an agent in the person's own folders only, since what it does in
    /// another's is done to them. Nothing where it lies in no other.
    fn own(&self, mut target: Target) -> Option<Target> {
        let lies_somewhere = !target.places.is_empty();
        if self.agent.is_some() {
            target.places.retain(Place::is_personal);
        }
        (!lies_somewhere || !target.places.is_empty()).then_some(target)
    }
}

fn foreign(n: usize) -> Error {
    Error::new(
        Code::Refused,
        "An agent changes mail in the person's own folders only, and one of these messages lies in a shared one or another user's.",
    )
    .fault(Fault::new(format!("/target/ids/{n}"), "lies in a folder that is not the person's own"))
}

pub(super) fn target(c: &Connection, id: &MessageId) -> Result<Option<Target>> {
    let found: Option<(i64, Vec<u8>, i64, String)> = c
        .prepare_cached(
            "SELECT m.row, m.content_hash, a.row, a.id FROM message_once m JOIN account a ON a.row = m.account
             WHERE m.id = ?1",
        )
        .or_fault()?
        .query_row([id.as_str()], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?)))
        .optional()
        .or_fault()?;
    let Some((row, content_hash, account_row, account)) = found else {
        return Ok(None);
    };
    let mut statement = c
        .prepare_cached(
            "SELECT l.row, f.id, f.row, f.wire_name, f.special_use, f.personal, f.uid_validity, l.uid, l.modseq,
                l.flags, l.name, l.file
             FROM location l CROSS JOIN folder f ON f.row = l.folder WHERE l.message = ?1 ORDER BY l.row",
        )
        .or_fault()?;
    let mut rows = statement.query([row]).or_fault()?;
    let mut places = Vec::new();
    while let Some(r) = rows.next().or_fault()? {
        places.push(place(r)?);
    }
    Ok(Some(Target {
        id: id.clone(),
        row,
        account: AccountId::parse(&account).ok_or_else(Error::internal)?,
        account_row,
        content_hash,
        places,
    }))
}

fn place(r: &Row<'_>) -> Result<Place> {
    let id: String = r.get(1).or_fault()?;
    Ok(Place {
        row: r.get(0).or_fault()?,
        folder: FolderId::parse(&id).ok_or_else(Error::internal)?,
        folder_row: r.get(2).or_fault()?,
        wire_name: r.get(3).or_fault()?,
        special_use: r.get(4).or_fault()?,
        personal: r.get(5).or_fault()?,
        uid_validity: r.get(6).or_fault()?,
        uid: r.get(7).or_fault()?,
        modseq: r.get(8).or_fault()?,
        flags: Flags::from_bits(r.get(9).or_fault()?),
        name: r.get(10).or_fault()?,
        file: r.get(11).or_fault()?,
    })
}
