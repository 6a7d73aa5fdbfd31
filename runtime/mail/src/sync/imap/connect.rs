//! A logged-in session: the password is fetched here, used once, and dropped.

use std::time::Duration;

use oaken_wire_imap::{Endpoint, Limits, Session, TlsMode};

use crate::Services;
use crate::accounts::{self, Account, ImapPlace, Tls};
use crate::sync::failure::Failure;

/// Connects and logs in. A refused password is not tried again.
pub(crate) async fn connect(
    services: &Services,
    account: &Account,
    place: &ImapPlace,
) -> std::result::Result<Session, Failure> {
    let endpoint = Endpoint {
        host: place.host.clone(),
        port: place.port,
        tls: match place.tls {
            Tls::Implicit => TlsMode::Implicit,
            Tls::Starttls => TlsMode::StartTls,
        },
        ca_file: place.ca_file.clone(),
        pinned_sha256: None,
    };
    let seconds = services
        .governance()
        .settings()?
        .integer("sync.command_seconds", false);
    let limits = Limits {
        command: Duration::from_secs(u64::try_from(seconds).unwrap_or(0).max(5)),
        ..Limits::default()
    };
    // First the connection, whose host the certificate proves; only then the password.
    let connected = oaken_wire_imap::connect(&endpoint, &limits).await?;
    let password = accounts::password(&services.vault, account)
        .await
        .map_err(|e| Failure::person(e, "password_unavailable"))?;
    Ok(oaken_wire_imap::login(connected, &place.login, &password).await?)
}
