//! `add_account`: opens the account once, seals its password, and only then keeps it.

use std::path::PathBuf;

use oaken_core::{Error, Fault, Result};
use oaken_gate::{Applied, Changes};
use oaken_mail::accounts::{self, ImapPlace, NewAccount, NewCredential, Place, Tls};
use oaken_mail::handler::{Cx, Unseen};

use crate::{AddAccount, AddAccountInput, AddAccountInputKind as Kind, AddAccountInputTls, AddAccountOutput};

impl Unseen for AddAccount {
    async fn apply(cx: &Cx<Changes>, input: &AddAccountInput) -> Result<Applied<AddAccountOutput>> {
        let faults = misplaced(input);
        if !faults.is_empty() {
            return Err(Error::invalid(faults));
        }
        let new = NewAccount {
            name: input.name.clone(),
            address: input.address.as_str().to_owned(),
            workspace: input.workspace.clone(),
            place: place(input)?,
            credential: credential(input),
        };
        let (account_id, commit) = accounts::add(cx, new).await?;
        Ok(Applied {
            output: AddAccountOutput { account_id },
            commit,
        })
    }
}

/// Fields that do not go with the kind, and the credential, of which an IMAP account takes exactly one.
fn misplaced(input: &AddAccountInput) -> Vec<Fault> {
    let imap = matches!(input.kind, Kind::Imap);
    let of_imap = [
        ("/host", input.host.is_some()),
        ("/port", input.port.is_some()),
        ("/login", input.login.is_some()),
        ("/password", input.password.is_some()),
        ("/password_command", input.password_command.is_some()),
        ("/password_file", input.password_file.is_some()),
        ("/ca_file", input.ca_file.is_some()),
    ];
    let mut faults = vec![];
    if imap {
        if input.host.is_none() {
            faults.push(Fault::new("/host", "is required for an imap account"));
        }
        if input.path.is_some() {
            faults.push(Fault::new("/path", "goes with a maildir account only"));
        }
        if of_imap[3..6].iter().filter(|(_, given)| *given).count() != 1 {
            faults.push(Fault::new(
                "/password",
                "give exactly one of password, password_command and password_file",
            ));
        }
    } else {
        if input.path.is_none() {
            faults.push(Fault::new("/path", "is required for a maildir account"));
        }
        let given = of_imap.iter().filter(|(_, given)| *given);
        faults.extend(given.map(|(field, _)| Fault::new(*field, "goes with an imap account only")));
    }
    faults
}

fn place(input: &AddAccountInput) -> Result<Place> {
    let (Some(host), Kind::Imap) = (&input.host, &input.kind) else {
        let path = input.path.as_ref().ok_or_else(Error::internal)?;
        return Ok(Place::Maildir(PathBuf::from(path)));
    };
    let tls = match input.tls {
        AddAccountInputTls::Implicit => Tls::Implicit,
        AddAccountInputTls::Starttls => Tls::Starttls,
    };
    Ok(Place::Imap(ImapPlace {
        host: host.clone(),
        port: input
            .port
            .and_then(|p| u16::try_from(p).ok())
            .unwrap_or_else(|| tls.port()),
        tls,
        login: input
            .login
            .clone()
            .unwrap_or_else(|| input.address.as_str().to_owned()),
        ca_file: input.ca_file.as_ref().map(PathBuf::from),
    }))
}

fn credential(input: &AddAccountInput) -> NewCredential {
    if let Some(password) = &input.password {
        NewCredential::Password(password.clone())
    } else if let Some(command) = &input.password_command {
        NewCredential::Command(command.clone())
    } else if let Some(file) = &input.password_file {
        NewCredential::File(PathBuf::from(file))
    } else {
        NewCredential::None
    }
}
