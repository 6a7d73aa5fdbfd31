//! An account as its row has it. The sealed password is read with it and opened only where it is used.

use std::path::PathBuf;

use oaken_core::{AccountId, Error, Result};
use oaken_store::OrFault;
use oaken_store::rusqlite::{Connection, OptionalExtension, Row};

use crate::vault::SealedTo;

/// How a connection is secured. There is no third way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tls {
    /// From the first byte.
    Implicit,
    /// STARTTLS, required.
    Starttls,
}

impl Tls {
    /// As it is stored and sealed.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Tls::Implicit => "implicit",
            Tls::Starttls => "starttls",
        }
    }

    /// The usual port.
    #[must_use]
    pub const fn port(self) -> u16 {
        match self {
            Tls::Implicit => 993,
            Tls::Starttls => 143,
        }
    }
}

/// A mailbox on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImapPlace {
    /// The host.
    pub host: String,
    /// The port.
    pub port: u16,
    /// How the connection is secured.
    pub tls: Tls,
    /// The login.
    pub login: String,
    /// A private CA in PEM.
    pub ca_file: Option<PathBuf>,
}

impl ImapPlace {
    /// What a password for it is sealed to.
    pub(crate) fn sealed_to<'a>(&'a self, account: &'a AccountId) -> SealedTo<'a> {
        SealedTo {
            account: account.as_str(),
            host: &self.host,
            port: self.port,
            tls: self.tls.word(),
            login: &self.login,
        }
    }
}

/// Where the mail lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// On a server.
    Imap(ImapPlace),
    /// In a folder of this machine.
    Maildir(PathBuf),
}

/// How an account is opened.
#[derive(Clone)]
pub(crate) enum Credential {
    /// Not at all: a Maildir, or a secret that was dropped.
    None,
    /// A sealed password.
    Sealed(Vec<u8>),
    /// What a command prints.
    Command(String),
    /// The first line of a file.
    File(PathBuf),
}

/// An account.
#[derive(Clone)]
pub(crate) struct Account {
    pub row: i64,
    pub id: AccountId,
    pub place: Place,
    pub credential: Credential,
    /// Its server was seen to mark mail read by itself, and nobody said to read on.
    pub marks_on_read: bool,
    /// A person said to read on nevertheless.
    pub marking_accepted: bool,
    pub peek_proved: bool,
}

/// Whether some account's password is sealed.
pub(crate) fn any_sealed(store: &oaken_store::Store) -> Result<bool> {
    store.read(|c| {
        c.query_row(
            "SELECT EXISTS (SELECT 1 FROM account_row WHERE secret IS NOT NULL)",
            [],
            |r| r.get(0),
        )
        .or_fault()
    })
}

/// The account of an id. Whether a caller may know of it was asked before.
pub(crate) fn load(c: &Connection, id: &AccountId) -> Result<Account> {
    c.prepare_cached(
        "SELECT row, id, kind, host, port, tls, login, ca_file, path, credential, credential_source, secret,
            marks_on_read, marking_accepted, peek_proved
         FROM account_row WHERE id = ?1",
    )
    .or_fault()?
    .query_row([id.as_str()], |r| Ok(read(r)))
    .optional()
    .or_fault()?
    .unwrap_or_else(|| Err(Error::not_found("/account_id")))
}

fn read(r: &Row<'_>) -> Result<Account> {
    let text = |name: &str| r.get::<_, Option<String>>(name).or_fault();
    let needed = |name: &str| text(name)?.ok_or_else(Error::internal);
    let place = match needed("kind")?.as_str() {
        "imap" => Place::Imap(ImapPlace {
            host: needed("host")?,
            port: r.get("port").or_fault()?,
            tls: match needed("tls")?.as_str() {
                "starttls" => Tls::Starttls,
                _ => Tls::Implicit,
            },
            login: needed("login")?,
            ca_file: text("ca_file")?.map(PathBuf::from),
        }),
        _ => Place::Maildir(PathBuf::from(needed("path")?)),
    };
    let credential = match needed("credential")?.as_str() {
        "password" => r
            .get::<_, Option<Vec<u8>>>("secret")
            .or_fault()?
            .map_or(Credential::None, Credential::Sealed),
        "command" => Credential::Command(needed("credential_source")?),
        "file" => Credential::File(PathBuf::from(needed("credential_source")?)),
        _ => Credential::None,
    };
    let marking_accepted: bool = r.get("marking_accepted").or_fault()?;
    Ok(Account {
        row: r.get("row").or_fault()?,
        id: AccountId::parse(&needed("id")?).ok_or_else(Error::internal)?,
        place,
        credential,
        marks_on_read: r.get::<_, bool>("marks_on_read").or_fault()? && !marking_accepted,
        marking_accepted,
        peek_proved: r.get("peek_proved").or_fault()?,
    })
}
