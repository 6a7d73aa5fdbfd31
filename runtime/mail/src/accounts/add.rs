//! Adding an account: checked, opened once, sealed, and only then a row.

use std::path::PathBuf;

use oaken_core::{AccountId, Error, Fault, Result, Secret, clock};
use oaken_gate::{Changes, Commit};
use oaken_store::rusqlite::params;
use oaken_store::{OrFault, TableOwner};

use super::row::{Account, Credential, Place};
use super::{credential, probe, workspaces};
use crate::Cx;

/// How a new account is opened.
pub enum NewCredential {
    /// Not at all; a Maildir.
    None,
    /// A password, to be sealed.
    Password(Secret),
    /// A command that prints it.
    Command(String),
    /// A file whose first line it is.
    File(PathBuf),
}

/// What a person says of a new account.
pub struct NewAccount {
    /// What it is called; no other account is.
    pub name: String,
    /// Its mail address.
    pub address: String,
    /// The workspace it belongs to.
    pub workspace: String,
    /// Where its mail lies.
    pub place: Place,
    /// How it is opened.
    pub credential: NewCredential,
}

/// Opens the new account once (logs in, or reads the Maildir's folders), and returns its id and the row to be.
///
/// # Errors
/// `invalid_input` for what no account can have, `not_found` for a workspace that is none, and what opening it met:
/// `remote_unreachable`, `remote_refused`, `refused`.
pub async fn add(cx: &Cx<Changes>, new: NewAccount) -> Result<(AccountId, Commit)> {
    check(&new)?;
    let services = &cx.services;
    let workspace = services.store.read(|c| workspaces::row(c, &new.workspace))?;
    let taken: bool = services.store.read(|c| {
        c.query_row(
            "SELECT EXISTS (SELECT 1 FROM account_row WHERE name = ?1)",
            [&new.name],
            |r| r.get(0),
        )
        .or_fault()
    })?;
    if taken {
        return Err(name_taken());
    }
    let id = AccountId::random();
    let (word, source, secret) = match (&new.place, &new.credential) {
        (Place::Imap(place), NewCredential::Password(secret)) => (
            "password",
            None,
            Some(services.vault.seal(&place.sealed_to(&id), secret)?),
        ),
        (_, NewCredential::Command(line)) => ("command", Some(line.clone()), None),
        (_, NewCredential::File(path)) => ("file", Some(text(path, "/password_file")?), None),
        _ => ("none", None, None),
    };
    let account = Account {
        row: 0,
        id: id.clone(),
        place: new.place.clone(),
        credential: match (&secret, &new.credential) {
            (Some(sealed), _) => Credential::Sealed(sealed.clone()),
            (_, NewCredential::Command(line)) => Credential::Command(line.clone()),
            (_, NewCredential::File(path)) => Credential::File(path.clone()),
            _ => Credential::None,
        },
        marks_on_read: false,
        marking_accepted: false,
        peek_proved: false,
    };
    probe::open(services, &account).await?;

    let (host, port, tls, login, ca_file, path) = match &new.place {
        Place::Imap(p) => {
            let ca_file = p.ca_file.as_ref().map(|f| text(f, "/ca_file")).transpose()?;
            (
                Some(p.host.clone()),
                Some(p.port),
                Some(p.tls.word()),
                Some(p.login.clone()),
                ca_file,
                None,
            )
        }
        Place::Maildir(path) => (None, None, None, None, None, Some(text(path, "/path")?)),
    };
    let kind = if path.is_some() { "maildir" } else { "imap" };
    let made = id.clone();
    let commit = Commit::new(TableOwner, move |tx| {
        let now = clock::wall();
        tx.execute(
            "INSERT INTO account_row (id, workspace, name, address, kind, created, host, port, tls, login, ca_file,
                path, credential, credential_source, secret, since)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?6)",
            params![
                made.as_str(),
                workspace,
                new.name,
                new.address.to_lowercase(),
                kind,
                now,
                host,
                port,
                tls,
                login,
                ca_file,
                path,
                word,
                source,
                secret
            ],
        )
        .or_fault()?;
        Ok(())
    });
    Ok((id, commit))
}

fn check(new: &NewAccount) -> Result<()> {
    let mut faults = Vec::new();
    match (&new.place, &new.credential) {
        (Place::Imap(_), NewCredential::None) => faults.push(Fault::new("/password", "is missing").accepts(
            "exactly one of password, password_command and password_file",
            vec![],
        )),
        (Place::Imap(p), _) => {
            let host = &p.host;
            if host.is_empty()
                || !host
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || ".-:[]".contains(c))
            {
                faults.push(Fault::new("/host", "is no host").accepts("a DNS name or an IP address", vec![]));
            }
            if p.login.is_empty() || p.login.chars().any(char::is_control) {
                faults.push(
                    Fault::new("/login", "is no login").accepts("text without control characters", vec![]),
                );
            }
            if p.port == 0 {
                faults.push(Fault::new("/port", "is no port"));
            }
        }
        (Place::Maildir(path), credential) => {
            if !path.is_absolute() {
                faults.push(Fault::new("/path", "is not absolute").accepts("an absolute path", vec![]));
            }
            if !matches!(credential, NewCredential::None) {
                faults.push(Fault::new("/password", "does not apply to a Maildir"));
            }
        }
    }
    if let NewCredential::Command(line) = &new.credential {
        credential::split(line)?;
    }
    // A process's working directory is not part of an account.
    if let NewCredential::File(path) = &new.credential
        && !path.is_absolute()
    {
        faults.push(Fault::new("/password_file", "is not absolute").accepts("an absolute path", vec![]));
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(Error::invalid(faults))
    }
}

fn text(path: &std::path::Path, field: &'static str) -> Result<String> {
    path.to_str()
        .map(str::to_owned)
        .ok_or_else(|| Error::invalid_field(field, "is not valid UTF-8"))
}

fn name_taken() -> Error {
    Error::invalid(vec![
        Fault::new("/name", "is the name of another account").accepts("a name that no account has", vec![]),
    ])
}
