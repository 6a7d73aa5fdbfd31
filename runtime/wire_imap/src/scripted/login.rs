//! The login: which command, which bytes, which reason.

use oaken_core::Secret;

use super::{capabilities, ended, wire};
use crate::{Capabilities, Connected, Phase, Protocol, Reason, Refusal, login};

async fn try_login(offered: Option<&str>, script: &str) -> Result<Capabilities, Reason> {
    try_login_as("bob", "pw", offered, script).await
}

async fn try_login_as(
    user: &str,
    pw: &str,
    offered: Option<&str>,
    script: &str,
) -> Result<Capabilities, Reason> {
    let (wire, server) = wire(script);
    let connected = Connected {
        wire,
        greeted: offered.map(capabilities),
    };
    let result = login(connected, user, &Secret::new(pw.into())).await;
    let result = result.map(|s| s.capabilities().clone()).map_err(|e| {
        assert!(
            !e.to_string().contains("pw") && !e.to_string().contains("secret"),
            "{e}"
        );
        assert!(!e.unconfirmed);
        e.reason
    });
    ended(server).await;
    result
}

#[tokio::test]
async fn plain_at_once_where_sasl_ir_is_offered() {
    let script = "C: o1 AUTHENTICATE PLAIN AGJvYgBwdw==\nS: o1 OK [CAPABILITY IMAP4rev1 IDLE] in";
    assert_eq!(
        try_login(Some("SASL-IR AUTH=PLAIN"), script).await,
        Ok(capabilities("IMAP4rev1 IDLE"))
    );
}

#[tokio::test]
async fn plain_when_asked_and_capabilities_anew() {
    let script = "C: o1 CAPABILITY\nS: * CAPABILITY IMAP4rev1  AUTH=PLAIN\nS: o1 OK x\n\
                  C: o2 AUTHENTICATE PLAIN\nS: +\nC: AGJvYgBwdw==\nS: o2 OK in\n\
                  C: o3 CAPABILITY\nS: * CAPABILITY IMAP4rev1 ID\nS: o3 OK x\n\
                  C: o4 ID (\"name\" \"oaken\" \"version\" \"0.1.0\")\nS: * ID NIL\nS: o4 OK x";
    assert_eq!(try_login(None, script).await, Ok(capabilities("IMAP4rev1 ID")));
}

#[tokio::test]
async fn login_where_plain_is_not_offered() {
    let script = "C: o1 LOGIN \"bob\" \"p\\\\w\\\"{5}\"\nS: * CAPABILITY IMAP4rev1\nS: o1 OK in";
    let script = script.replace("\\\\", "\\").replacen("p\\w\\\"", "p\\\\w\\\"", 1);
    assert_eq!(
        try_login_as("bob", "p\\w\"{5}", Some("IMAP4rev1"), &script).await,
        Ok(capabilities("IMAP4rev1"))
    );
}

#[tokio::test]
async fn a_password_beyond_ascii_is_a_literal() {
    let script = "C: o1 LOGIN \"bob\" {5}\nS: + go\nC: päss\nS: * CAPABILITY IMAP4rev1\nS: o1 OK in";
    assert_eq!(
        try_login_as("bob", "päss", Some("IMAP4rev1"), script).await,
        Ok(capabilities("IMAP4rev1"))
    );
}

#[tokio::test]
async fn a_server_that_refuses_id_has_not_refused_us() {
    for answer in ["NO no", "BAD what"] {
        let script = format!(
            "C: o1 LOGIN \"bob\" \"pw\"\nS: o1 OK [CAPABILITY IMAP4rev1 ID] in\n\
             C: o2 ID (\"name\" \"oaken\" \"version\" \"0.1.0\")\nS: o2 {answer}"
        );
        assert_eq!(
            try_login(Some("IMAP4rev1"), &script).await,
            Ok(capabilities("IMAP4rev1 ID"))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn refusals() {
    let plain = Some("AUTH=PLAIN SASL-IR");
    let sent = "C: o1 AUTHENTICATE PLAIN AGJvYgBwdw==";
    let cases = [
        (
            "S: o1 NO [AUTHENTICATIONFAILED] pw is wrong",
            Reason::AuthenticationFailed,
        ),
        ("S: o1 NO bad pw", Reason::AuthenticationFailed),
        ("S: o1 NO [UNAVAILABLE] x", Reason::Unavailable),
        ("S: o1 NO [EXPIRED] x", Reason::Expired),
        (
            "S: * BYE Request is throttled. Suggested Backoff Time: 90000 milliseconds",
            Reason::Throttled { seconds: Some(90) },
        ),
        ("S: o1 BAD secret", Reason::No(Phase::Login, Refusal::Bad)),
        ("S: + again", Reason::Protocol(Protocol::Response)),
        ("X:", Reason::Eof),
        ("", Reason::Timeout(Phase::Login)),
    ];
    for (script, expected) in cases {
        assert_eq!(
            try_login(plain, &format!("{sent}\n{script}")).await,
            Err(expected),
            "{script}"
        );
    }
}

#[tokio::test]
async fn nothing_goes_out_where_no_password_can() {
    assert_eq!(
        try_login(Some("AUTH=XOAUTH2 LOGINDISABLED"), "").await,
        Err(Reason::NoPasswordLogin)
    );
    for (user, pw, argument) in [
        ("", "pw", "login"),
        ("b\0b", "pw", "login"),
        ("bob", "p\0w", "password"),
    ] {
        assert_eq!(
            try_login_as(user, pw, Some("AUTH=PLAIN"), "").await,
            Err(Reason::Argument(argument))
        );
    }
    let injected = "x\r\no2 DELETE INBOX";
    assert_eq!(
        try_login_as("bob", injected, Some("IMAP4rev1"), "").await,
        Err(Reason::Argument("password"))
    );
    assert_eq!(
        try_login_as(injected, "pw", Some("IMAP4rev1"), "").await,
        Err(Reason::Argument("login"))
    );
}
