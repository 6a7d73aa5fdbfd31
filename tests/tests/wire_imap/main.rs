//! `oaken-wire-imap` against a real Dovecot and against a liar over real TLS. Fails, and says what to install, where
//! Dovecot or openssl is missing.

mod connecting;
mod reading;
mod writing;

use std::path::Path;
use std::time::Duration;

use oaken_core::Secret;
use oaken_tests::dovecot::Dovecot;
use oaken_wire_imap::{Endpoint, Limits, Reader, Session, TlsMode, WireError, connect, login};

fn endpoint(port: u16, tls: TlsMode, ca_file: &Path) -> Endpoint {
    Endpoint {
        host: "localhost".into(),
        port,
        tls,
        ca_file: Some(ca_file.into()),
        pinned_sha256: None,
    }
}

fn limits() -> Limits {
    Limits {
        greeting_probe: Duration::from_millis(500),
        ..Limits::default()
    }
}

async fn session(server: &Dovecot, tls: TlsMode, user: &str) -> Result<Session, WireError> {
    let port = if tls == TlsMode::Implicit {
        server.imaps_port
    } else {
        server.imap_port
    };
    let connected = connect(&endpoint(port, tls, &server.ca_file), &limits()).await?;
    login(
        connected,
        &server.login(user),
        &Secret::new(server.password(user)),
    )
    .await
}

async fn reader(server: &Dovecot, user: &str) -> Reader {
    Reader::new(session(server, TlsMode::Implicit, user).await.expect("logs in"))
}

fn message(n: u32) -> Vec<u8> {
    format!(
        "From: a{n}@oak.test\r\nTo: alice@oak.test\r\nSubject: number {n}\r\nMessage-ID: <m{n}@oak.test>\r\n\
         Date: Mon, 30 Nov 2026 10:00:00 +0000\r\n\r\nThis is text {n}.\r\n"
    )
    .into_bytes()
}
