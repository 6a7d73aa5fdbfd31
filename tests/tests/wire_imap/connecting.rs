//! The way to a session: TLS, its faults, the wrong mode, the login (cases C03, C08; H17, H44).

use std::time::{Duration, Instant};

use oaken_core::Secret;
use oaken_tests::dovecot::{Dovecot, certificate, certificate_for};
use oaken_tests::lying_imap::LyingImap;
use oaken_wire_imap::{
    Endpoint, Limits, Phase, Protocol, Reader, Reason, Retry, TlsFault, TlsMode, UidRange, connect, login,
};

use crate::{endpoint, limits, session};

#[tokio::test]
async fn both_ways_of_tls_lead_to_a_session() {
    let server = Dovecot::start(&["alice"]);
    for tls in [TlsMode::Implicit, TlsMode::StartTls] {
        let session = session(&server, tls, "alice").await.expect("logs in");
        // The capabilities from after the login, not those of the greeting.
        assert!(
            session.capabilities().has("QRESYNC") && !session.capabilities().has("STARTTLS"),
            "{tls:?}"
        );
        session.logout().await;
    }
    let lines = server.client_lines();
    assert!(
        lines.iter().any(|l| l.contains(" ID (\"name\" \"oaken\" ")),
        "{lines:?}"
    );
    assert!(!lines.iter().any(|l| l.contains("pw-alice")));
}

#[tokio::test]
async fn a_wrong_password_is_an_authentication_failure_for_a_person() {
    let server = Dovecot::start(&["alice"]);
    let connected = connect(
        &endpoint(server.imaps_port, TlsMode::Implicit, &server.ca_file),
        &limits(),
    )
    .await;
    let refused = login(
        connected.expect("connects"),
        "alice@oak.test",
        &Secret::new("hunter2-canary".into()),
    )
    .await;
    let e = refused.err().expect("refused");
    assert_eq!(
        (e.reason, e.retry()),
        (Reason::AuthenticationFailed, Retry::Person)
    );
    assert_eq!(e.to_string(), "localhost refused the login name or the password.");
}

#[tokio::test]
async fn the_wrong_mode_is_named_within_seconds() {
    let server = Dovecot::start(&["alice"]);
    for (port, tls, fault, sentence) in [
        (
            server.imap_port,
            TlsMode::Implicit,
            TlsFault::PlainServer,
            "answered in clear text, so implicit TLS cannot work there; try STARTTLS.",
        ),
        (
            server.imaps_port,
            TlsMode::StartTls,
            TlsFault::TlsServer,
            "speaks TLS from the first byte, so STARTTLS cannot work there; try implicit TLS.",
        ),
    ] {
        let start = Instant::now();
        let e = connect(&endpoint(port, tls, &server.ca_file), &limits())
            .await
            .err()
            .expect("cannot work");
        assert_eq!(e.reason, Reason::Tls(fault));
        assert_eq!(e.to_string(), format!("localhost, port {port}, {sentence}"));
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}

#[tokio::test]
async fn only_the_right_certificate_is_trusted() {
    let server = Dovecot::start(&["alice"]);
    let fate = async |change: &dyn Fn(&mut Endpoint)| {
        let mut to = endpoint(server.imaps_port, TlsMode::Implicit, &server.ca_file);
        change(&mut to);
        connect(&to, &limits()).await.map(|_| ()).map_err(|e| e.reason)
    };
    let der = std::process::Command::new("openssl")
        .args(["x509", "-outform", "DER", "-in"])
        .arg(&server.cert_file)
        .output()
        .expect("openssl runs")
        .stdout;
    let digest: [u8; 32] = sha2::Digest::finalize(sha2::Digest::chain_update(
        <sha2::Sha256 as sha2::Digest>::new(),
        der,
    ))
    .into();
    let fault = |f| Err(Reason::Tls(f));
    assert_eq!(fate(&|e| e.host = "127.0.0.1".into()).await, Ok(()));
    assert_eq!(fate(&|e| e.ca_file = None).await, fault(TlsFault::UnknownIssuer));
    assert_eq!(
        fate(&|e| e.ca_file = Some("missing.pem".into())).await,
        fault(TlsFault::CaFile)
    );
    assert_eq!(
        fate(&|e| e.pinned_sha256 = Some([7; 32])).await,
        fault(TlsFault::NotPinned)
    );
    assert_eq!(
        fate(&|e| (e.ca_file, e.pinned_sha256) = (None, Some(digest))).await,
        Ok(())
    );
    let dir = tempfile::tempdir().expect("a directory");
    let ca = dir.path().join("ca.pem");
    for (names, days, expected) in [
        ("DNS:other.test", 30, TlsFault::WrongHost),
        ("DNS:localhost", -1, TlsFault::Expired),
    ] {
        certificate_for(dir.path(), names, days);
        let liar = LyingImap::start(dir.path(), &["T:\nS: * OK hi"]).await;
        let e = connect(&endpoint(liar.port, TlsMode::Implicit, &ca), &limits())
            .await
            .err()
            .expect("refused");
        assert_eq!(e.reason, Reason::Tls(expected), "{names}");
    }
}

#[tokio::test]
async fn what_cannot_be_reached_is_said() {
    let dir = tempfile::tempdir().expect("a directory");
    certificate(dir.path());
    let ca = dir.path().join("ca.pem");
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr()
        .expect("an address")
        .port();
    let fate = async |host: &str, port| {
        let to = Endpoint {
            host: host.into(),
            ..endpoint(port, TlsMode::Implicit, &ca)
        };
        connect(&to, &limits()).await.err().map(|e| e.reason)
    };
    assert_eq!(fate("localhost", free).await, Some(Reason::Unreachable));
    assert_eq!(fate("nowhere.invalid", 993).await, Some(Reason::Unresolved));
    assert_eq!(fate("no host\r\n", 993).await, Some(Reason::Argument("host")));
    let liar = LyingImap::start(dir.path(), &["W: 5000"]).await;
    let quick = Limits {
        tls: Duration::from_millis(400),
        greeting: Duration::from_millis(600),
        greeting_probe: Duration::from_millis(200),
        ..limits()
    };
    for (tls, phase) in [
        (TlsMode::Implicit, Phase::Tls),
        (TlsMode::StartTls, Phase::Greeting),
    ] {
        let e = connect(&endpoint(liar.port, tls, &ca), &quick)
            .await
            .err()
            .expect("silence");
        assert_eq!(e.reason, Reason::Timeout(phase));
    }
}

#[tokio::test]
async fn a_liar_hears_no_credential_before_tls() {
    let dir = tempfile::tempdir().expect("a directory");
    certificate(dir.path());
    let ca = dir.path().join("ca.pem");
    let cases = [
        ("S: * PREAUTH in", TlsFault::Preauth),
        (
            "S: * OK [CAPABILITY IMAP4rev1 AUTH=PLAIN LOGIN] hi\nC: STARTTLS\nS: {tag} NO never",
            TlsFault::StartTlsRefused,
        ),
        (
            "S: * OK hi\nC: STARTTLS\nS~ {tag} OK go\\r\\n* PREAUTH in\\r\\n\nT:",
            TlsFault::Injected,
        ),
        (
            "S: * OK hi\nC: STARTTLS\nS: {tag} OK go\nW: 200\nS: * PREAUTH in\nT:",
            TlsFault::Injected,
        ),
    ];
    for (script, fault) in cases {
        let liar = LyingImap::start(dir.path(), &[script]).await;
        let e = connect(&endpoint(liar.port, TlsMode::StartTls, &ca), &limits())
            .await
            .err()
            .expect("refused");
        assert_eq!(e.reason, Reason::Tls(fault), "{script}");
        tokio::time::sleep(Duration::from_millis(300)).await;
        for heard in liar.received() {
            let clear = String::from_utf8_lossy(&heard.in_clear).into_owned();
            assert!(
                clear.is_empty() || clear.starts_with("o1 STARTTLS\r\n"),
                "{clear}"
            );
            assert!(
                !clear.contains("LOGIN") && !clear.contains("AUTHENTICATE"),
                "{clear}"
            );
        }
    }
}

#[tokio::test]
async fn what_was_said_before_tls_is_forgotten() {
    let dir = tempfile::tempdir().expect("a directory");
    certificate(dir.path());
    let script = "S: * OK [CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR] hi\nC: STARTTLS\nS: * CAPABILITY AUTH=PLAIN X-EVIL\nS: {tag} OK go\nT:\n\
                  C: CAPABILITY\nS: * CAPABILITY IMAP4rev1\nS: {tag} OK x\nC: LOGIN\nS: {tag} OK in\n\
                  C: CAPABILITY\nS: * CAPABILITY IMAP4rev1 MOVE\nS: {tag} OK x";
    let liar = LyingImap::start(dir.path(), &[script]).await;
    let to = endpoint(liar.port, TlsMode::StartTls, &dir.path().join("ca.pem"));
    let connected = connect(&to, &limits()).await.expect("connects");
    let session = login(connected, "bob", &Secret::new("pw".into()))
        .await
        .expect("logs in");
    assert_eq!(
        session.capabilities().iter().collect::<Vec<_>>(),
        ["IMAP4REV1", "MOVE"]
    );
    drop(session);
    tokio::time::sleep(Duration::from_millis(100)).await;
    let heard = liar.received();
    assert_eq!(heard[0].in_clear, b"o1 STARTTLS\r\n");
    assert!(String::from_utf8_lossy(&heard[0].under_tls).contains("LOGIN \"bob\" \"pw\""));
}

#[tokio::test]
async fn a_server_that_ends_in_the_middle_of_an_answer_is_an_error() {
    let dir = tempfile::tempdir().expect("a directory");
    certificate(dir.path());
    let script = "T:\nS: * OK [CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR] hi\nC: AUTHENTICATE\nS: {tag} OK [CAPABILITY IMAP4rev1] in\n\
                  C: EXAMINE\nS: * 2 EXISTS\nS: * OK [UIDVALIDITY 1] x\nS: {tag} OK [READ-ONLY] x\n\
                  C: UID FETCH\nS: * 1 FETCH (UID 1 FLAGS ())\nX:";
    let liar = LyingImap::start(dir.path(), &[script]).await;
    let to = endpoint(liar.port, TlsMode::Implicit, &dir.path().join("ca.pem"));
    let session = login(
        connect(&to, &limits()).await.expect("connects"),
        "bob",
        &Secret::new("pw".into()),
    )
    .await;
    let mut reader = Reader::new(session.expect("logs in"));
    reader.examine("INBOX", true).await.expect("opens");
    let mut seen = vec![];
    let e = reader
        .fetch_flags(UidRange::all(), None, |f| seen.push(f.uid))
        .await
        .expect_err("cut");
    assert_eq!((e.reason, seen), (Reason::Eof, vec![1]));
    let e = connect(
        &endpoint(liar.port, TlsMode::StartTls, &dir.path().join("ca.pem")),
        &limits(),
    )
    .await
    .err();
    assert!(matches!(
        e.map(|e| e.reason),
        Some(Reason::Tls(TlsFault::TlsServer) | Reason::Protocol(Protocol::Greeting))
    ));
}
