//! STARTTLS and greetings: no byte of a credential, and no belief, before TLS (trust notes §2.1, H17–H20).

use super::{ended, wire};
use crate::connect::greeted;
use crate::{Phase, Protocol, Reason, TlsFault, starttls};

/// What becomes of a plain connection up to the point where TLS would begin.
async fn upgrade(script: &str) -> Result<(), Reason> {
    let (mut wire, server) = wire(script);
    let result = async {
        let wait = wire.limits().greeting;
        starttls::accept(&wire.greeting(wait).await?)?;
        starttls::upgrade(wire).await.map(|_| ())
    }
    .await;
    // Whatever happened, STARTTLS is the only command that ever went out.
    ended(server).await;
    result
}

#[tokio::test]
async fn starttls_alone_goes_out_in_clear() {
    let good =
        "S: * OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] hi\nC: o1 STARTTLS\nS: * CAPABILITY EVIL\nS: o1 OK go";
    assert_eq!(upgrade(good).await, Ok(()));
}

#[tokio::test(start_paused = true)]
async fn lying_servers_get_nothing() {
    let cases = [
        ("S: * PREAUTH welcome", Reason::Tls(TlsFault::Preauth)),
        ("S: * BYE no", Reason::Bye),
        ("S: * BYE [UNAVAILABLE] later", Reason::Unavailable),
        ("S: * NO x", Reason::No(Phase::Greeting, crate::Refusal::Unsaid)),
        ("S: o1 OK tagged greeting", Reason::Protocol(Protocol::Greeting)),
        ("S: + go", Reason::Protocol(Protocol::Greeting)),
        (
            "S: HTTP/1.1 400 Bad Request",
            Reason::Protocol(Protocol::Greeting),
        ),
        ("S: * LIST () \"/\" INBOX", Reason::Protocol(Protocol::Greeting)),
        ("X:", Reason::Eof),
        ("S~ \u{16}\u{3}\u{3}\nX:", Reason::Tls(TlsFault::TlsServer)),
        ("", Reason::Timeout(Phase::Greeting)),
        (
            "S: * OK hi\nC: o1 STARTTLS\nS: o1 NO not here",
            Reason::Tls(TlsFault::StartTlsRefused),
        ),
        (
            "S: * OK hi\nC: o1 STARTTLS\nS: o1 BAD what",
            Reason::Tls(TlsFault::StartTlsRefused),
        ),
        (
            "S: * OK hi\nC: o1 STARTTLS\nS: o2 OK another tag",
            Reason::Protocol(Protocol::Response),
        ),
        ("S: * OK hi\nC: o1 STARTTLS\nX:", Reason::Eof),
        (
            "S: * OK hi\nC: o1 STARTTLS\nS: + more",
            Reason::Protocol(Protocol::Response),
        ),
        ("S: * OK hi\nC: o1 STARTTLS", Reason::Timeout(Phase::StartTls)),
        (
            "S: * OK hi\nC: o1 STARTTLS\nS~ o1 OK go\\r\\n* CAPABILITY IMAP4rev1 AUTH=PLAIN\\r\\n",
            Reason::Tls(TlsFault::Injected),
        ),
        (
            "S: * OK hi\nC: o1 STARTTLS\nS~ o1 OK go\\r\\n*",
            Reason::Tls(TlsFault::Injected),
        ),
    ];
    for (script, expected) in cases {
        assert_eq!(upgrade(script).await, Err(expected), "{script}");
    }
}

#[tokio::test]
async fn preauth_under_tls_is_refused_too() {
    let (wire, server) = wire("S: * PREAUTH welcome");
    assert_eq!(greeted(wire).await.err(), Some(Reason::Tls(TlsFault::Preauth)));
    ended(server).await;
}
