//! Canary secrets (T29): a password, a wrong one, tokens and keys are planted, everything is exercised with the log at
//! its loudest, and none of them is in a log, an answer, a database or a command line, in any form.

use std::fs;
use std::path::Path;

use oaken_tests::canary::Canary;
use oaken_tests::daemon::Daemon;
use oaken_tests::dovecot::Dovecot;
use oaken_tests::installation::Installation;
use oaken_tests::mcp::McpStdio;
use serde_json::json;

use crate::setting_up::{add_account, deliver};

const USER: &str = "wagtail";
const WRONG: &str = "Wrong-Horse-Battery-42";
const MADE_UP: &str = "oak_person_Zm9yZ2VkLXRva2VuLW9mLW5vYm9keS1hdC1hbGwtMDA";

#[test]
fn no_secret_is_printed_logged_answered_or_stored_in_any_form() {
    let server = Dovecot::start(&[USER]);
    deliver(&server, USER, 30);
    let oaken = Installation::new();
    let refused = add_account(&oaken, &server, USER, WRONG);
    assert_eq!(refused.exit, 9, "{}", refused.stderr);
    let account = add_account(&oaken, &server, USER, &server.password(USER)).done()["account_id"].clone();
    let (person, agent) = (oaken.create_token("canary", "change"), oaken.add_agent("canary"));
    let daemon = Daemon::start(&oaken);
    let command_line = fs::read(format!("/proc/{}/cmdline", daemon.id())).unwrap_or_default();

    exercise(&oaken, &daemon, &person, &agent, &account);
    drop(server);
    // Once more with the server gone, so that what fails is logged too.
    oaken.oaken(&["accounts", "sync", account.as_str().expect("an id"), "--yes"]);

    let mut places = vec![
        ("what commands printed".to_owned(), oaken.printed()),
        ("the daemon's output".to_owned(), daemon.log()),
        (
            "the log of oaken mcp".to_owned(),
            fs::read(oaken.home().join("mcp.log")).expect("a log"),
        ),
        ("the daemon's command line".to_owned(), command_line),
    ];
    // Killed, not stopped: what lies in the write-ahead log is looked at too.
    drop(daemon);
    files(&oaken.data, &mut places);
    let database: usize = places
        .iter()
        .filter(|(name, _)| name.starts_with("oaken.db"))
        .map(|(_, bytes)| bytes.len())
        .sum();
    assert!(
        database > 50_000,
        "only {database} bytes of the database were read"
    );

    let canaries = canaries(
        &oaken,
        &[
            ("password", USER_PASSWORD),
            ("wrong password", WRONG),
            ("personal token", &person),
            ("agent's token", &agent),
            ("made-up token", MADE_UP),
        ],
    );
    let mut found = vec![];
    for (place, bytes) in &places {
        for canary in &canaries {
            found.extend(
                canary
                    .found_in(bytes)
                    .iter()
                    .map(|form| format!("{} in {form} in {place}", canary.name)),
            );
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    every_form_is_detectable(&canaries, &places);
}

const USER_PASSWORD: &str = "pw-wagtail";

/// Every door, every kind of answer, and what is wrong on purpose.
fn exercise(oaken: &Installation, daemon: &Daemon, person: &str, agent: &str, account: &serde_json::Value) {
    let id = account.as_str().expect("an id");
    for arguments in [
        &["accounts", "sync", id, "--yes"][..],
        &["accounts", "list"],
        &["accounts", "test", id],
        &["status"],
        &["settings", "list"],
        &["audit", "list"],
        &["agents", "list"],
        &["tokens", "list"],
        &["operations", "list"],
        &["messages", "list"],
        &[
            "call",
            "list_accounts",
            "--input",
            "{\"password\":\"Wrong-Horse-Battery-42\"}",
        ],
        &["check"],
        &["openapi"],
        &["mcp", "install", "--print"],
    ] {
        oaken.oaken(arguments);
    }
    for token in [person, agent, MADE_UP] {
        let mut http = daemon.http(token);
        for (operation, input) in [
            ("list_accounts", json!({})),
            ("status", json!({})),
            ("list_audit", json!({})),
            ("list_tokens", json!({})),
            ("list_messages", json!({ "account_id": account })),
            ("search", json!({ "account_id": account, "query": token })),
            ("test_account", json!({ "account_id": account })),
            ("sync_account", json!({ "account_id": account, "confirm": true })),
            (
                "add_account",
                json!({ "name": "x", "address": "x@oak.test", "password": WRONG }),
            ),
            (
                "mark_read",
                json!({ "proposal_token": token, "target": { "ids": ["m_0000000000"] } }),
            ),
        ] {
            oaken.keep(&http.call(operation, &input).body);
        }
        oaken.keep(
            &http
                .send("GET", "/api/v1/openapi.json", &[("Host", &daemon.address)], b"")
                .body,
        );
    }
    let mut mcp = McpStdio::start(oaken, agent);
    for (tool, input) in [
        ("status", json!({})),
        ("list_accounts", json!({})),
        ("search", json!({ "account_id": account, "query": agent })),
    ] {
        oaken.keep(mcp.call(tool, &input).answer.to_string().as_bytes());
    }
}

/// The secrets that were typed and issued, and the keys beside the data, as text and as the bytes that it says.
fn canaries(oaken: &Installation, secrets: &[(&str, &str)]) -> Vec<Canary> {
    let mut canaries: Vec<Canary> = secrets
        .iter()
        .map(|(name, secret)| Canary::new(name, secret.as_bytes()))
        .collect();
    let keys = oaken.data.with_file_name("data.keys");
    let mut named = 0;
    for entry in fs::read_dir(keys).expect("the keys").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let text = fs::read_to_string(entry.path()).unwrap_or_default();
        let text = text.trim();
        if !name.ends_with(".key") || text.len() < 32 {
            continue;
        }
        named += 1;
        canaries.push(Canary::new(&name, text.as_bytes()));
        let pairs = text
            .as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(&String::from_utf8_lossy(pair), 16).ok());
        if let Some(bytes) = pairs.collect::<Option<Vec<u8>>>() {
            canaries.push(Canary::new(&format!("{name}, its bytes"), &bytes));
        }
    }
    assert!(named >= 3, "{named} keys: install, audit and vault were expected");
    canaries
}

/// The positive control: planted in what was searched, each form of each secret is found.
fn every_form_is_detectable(canaries: &[Canary], places: &[(String, Vec<u8>)]) {
    let host = &places
        .iter()
        .max_by_key(|(_, bytes)| bytes.len().min(1_000_000))
        .expect("places")
        .1;
    let host = &host[..host.len().min(1_000_000)];
    for canary in canaries {
        for (form, planted) in canary.forms() {
            let mut bytes = host[..host.len() / 2].to_vec();
            bytes.extend_from_slice(planted);
            bytes.extend_from_slice(&host[host.len() / 2..]);
            assert!(
                canary.found_in(&bytes).contains(&form),
                "{} is not found in {form}",
                canary.name
            );
        }
    }
}

fn files(folder: &Path, places: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().is_dir() {
            files(&entry.path(), places);
        } else {
            places.push((
                entry.file_name().to_string_lossy().into_owned(),
                fs::read(entry.path()).expect("a file"),
            ));
        }
    }
}
