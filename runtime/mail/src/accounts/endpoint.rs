//! Moving an account to another server, port, TLS mode or login. Its password was given for the old one: it is dropped.

use oaken_core::{AccountId, Error, Result, clock};
use oaken_gate::{Changes, Commit};
use oaken_store::rusqlite::params;
use oaken_store::{OrFault, TableOwner};

use super::row::{ImapPlace, Place};
use crate::Cx;

/// Changes where an account's mail lies. Where anything that a password is sealed to differs, the sealed password is
/// erased and the account waits for a person; a command or a file stays, it is read anew each time.
///
/// # Errors
/// `not_found`; `invalid_input` for an account that is no server's.
pub fn change_endpoint(cx: &Cx<Changes>, id: &AccountId, to: ImapPlace) -> Result<Commit> {
    let account = cx.services.store.read(|c| super::load(c, id))?;
    let Place::Imap(from) = account.place else {
        return Err(Error::invalid_field(
            "/account_id",
            "is a Maildir and has no server",
        ));
    };
    let same = (&from.host, from.port, from.tls, &from.login) == (&to.host, to.port, to.tls, &to.login);
    Ok(Commit::new(TableOwner, move |tx| {
        tx.execute(
            "UPDATE account_row SET host = ?2, port = ?3, tls = ?4, login = ?5, ca_file = ?6 WHERE row = ?1",
            params![
                account.row,
                to.host,
                to.port,
                to.tls.word(),
                to.login,
                to.ca_file.as_ref().and_then(|f| f.to_str())
            ],
        )
        .or_fault()?;
        if !same {
            // What was seen of the old server, and said of it, holds for no other.
            tx.execute(
                "UPDATE account_row SET marks_on_read = 0, marking_accepted = 0, peek_proved = 0 WHERE row = ?1",
                [account.row],
            )
            .or_fault()?;
            tx.execute(
                "UPDATE account_row SET secret = NULL, credential = 'none', state = 'waiting_for_person',
                    reason = 'password_missing', since = ?2, next_try = NULL
                 WHERE row = ?1 AND credential = 'password'",
                params![account.row, clock::wall()],
            )
            .or_fault()?;
        }
        Ok(())
    }))
}
