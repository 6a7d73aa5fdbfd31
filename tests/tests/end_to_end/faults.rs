//! What goes wrong outside: a wrong password, a server that is gone or speaks garbage, a database that is newer or
//! broken, a Maildir with links. Each is a stable code and a sentence, alike at the doors, and leaves nothing half done.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::{Duration, Instant};

use oaken_tests::daemon::Daemon;
use oaken_tests::dovecot::Dovecot;
use oaken_tests::installation::{Installation, Outcome};
use serde_json::{Value, json};

use crate::setting_up::{add_account, deliver};

#[track_caller]
fn no_account_was_added(oaken: &Installation) {
    assert_eq!(
        oaken.oaken(&["accounts", "list"]).done(),
        json!({ "accounts": [] })
    );
}

#[track_caller]
fn check(outcome: &Outcome, exit: i32, code: &str) {
    let error = outcome.error();
    assert_eq!((outcome.exit, &error["code"]), (exit, &json!(code)), "{error}");
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|m| m.ends_with('.') || m.ends_with('?')),
        "{error}"
    );
}

#[test]
fn a_wrong_password_is_refused_once_and_nothing_is_kept() {
    let server = Dovecot::start(&["alice"]);
    let oaken = Installation::new();
    check(
        &add_account(&oaken, &server, "alice", "not the password"),
        9,
        "remote_refused",
    );
    no_account_was_added(&oaken);
    let tries = server.log().matches("auth failed").count();
    assert!(
        tries <= 1,
        "{tries} tries with a password that was refused: {}",
        server.log()
    );
    add_account(&oaken, &server, "alice", &server.password("alice")).done();
}

/// `oaken accounts add` for a server on this port.
fn add_at(oaken: &Installation, port: u16) -> Outcome {
    let port = port.to_string();
    let arguments = [
        "accounts",
        "add",
        "--name",
        "x",
        "--address",
        "x@oak.test",
        "--host",
        "127.0.0.1",
        "--port",
        &port,
        "--password-stdin",
        "--yes",
    ];
    oaken.oaken_given(&arguments, "any password\n")
}

#[test]
fn a_server_that_is_not_there_is_said_and_nothing_is_kept() {
    let oaken = Installation::new();
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = free.local_addr().expect("an address").port();
    drop(free);
    check(&add_at(&oaken, port), 9, "remote_unreachable");
    no_account_was_added(&oaken);
}

#[test]
fn a_server_that_speaks_garbage_is_left_in_time_and_nothing_is_kept() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut hello = [0; 512];
            let _ = stream.read(&mut hello);
            let _ = stream.write_all(&b"\x16\x03\x01garbage \x1b]0;x\x07 {999999999999}\r\n".repeat(1000));
        }
    });
    let oaken = Installation::new();
    let begin = Instant::now();
    let outcome = add_at(&oaken, port);
    assert_eq!(outcome.exit, 9, "{}", outcome.stderr);
    assert!(
        begin.elapsed() < Duration::from_secs(60),
        "took {:?}",
        begin.elapsed()
    );
    assert!(
        !outcome.stderr.contains("garbage"),
        "the server's words were repeated: {}",
        outcome.stderr
    );
    no_account_was_added(&oaken);
}

#[test]
fn a_server_that_went_away_leaves_what_was_synced_readable_and_is_said_alike_at_each_door() {
    let server = Dovecot::start(&["alice"]);
    deliver(&server, "alice", 20);
    let oaken = Installation::new();
    let account =
        add_account(&oaken, &server, "alice", &server.password("alice")).done()["account_id"].clone();
    let id = account.as_str().expect("an id").to_owned();
    oaken.oaken(&["accounts", "sync", &id, "--yes"]).done();
    let token = oaken.create_token("faults", "change");
    drop(server);

    let at_the_command_line = oaken.oaken(&["accounts", "sync", &id, "--yes"]);
    check(&at_the_command_line, 9, "remote_unreachable");
    let daemon = Daemon::start(&oaken);
    let over_http = daemon
        .http(&token)
        .call("sync_account", &json!({ "account_id": account, "confirm": true }));
    assert_eq!(over_http.status, 424, "{}", over_http.json());
    for part in ["code", "message"] {
        assert_eq!(
            over_http.json()[part],
            at_the_command_line.error()[part],
            "{part}"
        );
    }
    let listed = daemon
        .http(&token)
        .call("list_messages", &json!({ "account_id": account }))
        .done();
    assert_eq!(listed["total"], 20);
    let status = oaken.oaken(&["status"]).done();
    let state = &status["accounts"][0];
    assert!(
        ["failing", "stale"].contains(&state["state"].as_str().unwrap_or_default()),
        "{state}"
    );
}

#[test]
fn a_newer_database_is_refused_by_name_and_left_as_it_is() {
    let oaken = Installation::new();
    oaken.oaken(&["status"]).done();
    let file = oaken.data.join("oaken.db");
    let database = oaken_store::rusqlite::Connection::open(&file).expect("the database");
    database
        .pragma_update(None, "user_version", 9_999)
        .expect("a version");
    drop(database);
    let bytes = std::fs::read(&file).expect("the database");
    for arguments in [&["status"][..], &["accounts", "list"]] {
        check(&oaken.oaken(arguments), 5, "refused");
    }
    assert_eq!(std::fs::read(&file).expect("the database"), bytes);
}

#[test]
fn a_locked_database_is_said_to_be_busy_at_each_door_and_nothing_is_changed() {
    let oaken = Installation::new();
    let token = oaken.create_token("locked", "change");
    let daemon = Daemon::start(&oaken);
    let lock = oaken_store::rusqlite::Connection::open(oaken.data.join("oaken.db")).expect("the database");
    lock.execute_batch("BEGIN IMMEDIATE").expect("a lock");
    let input = json!({ "name": "held", "confirm": true });
    let over_http = daemon.http(&token).call("create_workspace", &input);
    assert_eq!(
        (over_http.status, &over_http.json()["code"]),
        (503, &json!("busy"))
    );
    assert!(over_http.header("retry-after").is_some(), "{over_http:?}");
    let command = oaken.oaken(&["workspaces", "create", "held", "--yes"]);
    check(&command, 11, "busy");
    assert_eq!(command.error()["retry"], true);
    lock.execute_batch("ROLLBACK").expect("the lock is let go");
    let listed = oaken.oaken(&["workspaces", "list"]).done();
    assert!(!listed.to_string().contains("held"), "{listed}");
    oaken.oaken(&["workspaces", "create", "held", "--yes"]).done();
}

#[test]
fn a_broken_database_is_said_and_left_as_it_is() {
    let oaken = Installation::new();
    oaken.oaken(&["status"]).done();
    let file = oaken.data.join("oaken.db");
    let garbage = b"this is no database, whatever it was before ".repeat(400);
    std::fs::write(&file, &garbage).expect("the database");
    let _ = std::fs::remove_file(oaken.data.join("oaken.db-wal"));
    let outcome = oaken.oaken(&["status"]);
    assert_ne!(outcome.exit, 0);
    assert!(
        outcome.error()["message"].as_str().is_some_and(|m| m.len() > 20),
        "{}",
        outcome.stderr
    );
    assert_eq!(std::fs::read(&file).expect("the database"), garbage);
}

#[test]
fn a_data_directory_that_cannot_be_made_is_said() {
    let oaken = Installation::new();
    std::fs::write(&oaken.data, "a file where a directory has to be").expect("a file");
    let outcome = oaken.oaken(&["status"]);
    assert!(
        [2, 5].contains(&outcome.exit),
        "exit {}: {}",
        outcome.exit,
        outcome.stderr
    );
    assert!(outcome.error()["code"] != "internal", "{}", outcome.stderr);
}

#[test]
fn links_in_a_maildir_are_not_followed() {
    let oaken = Installation::new();
    let (maildir, outside) = (oaken.home().join("Maildir"), oaken.home().join("outside"));
    for sub in ["cur", "new", "tmp"] {
        std::fs::create_dir_all(maildir.join(sub)).expect("a Maildir");
    }
    std::fs::create_dir_all(outside.join("cur")).expect("a folder");
    std::fs::create_dir_all(outside.join("new")).expect("a folder");
    let message = |subject: &str| {
        format!(
            "From: a@oak.test\r\nSubject: {subject}\r\nMessage-ID: <{subject}@oak.test>\r\n\r\nHello.\r\n"
        )
    };
    std::fs::write(maildir.join("cur/1.inside:2,"), message("inside")).expect("a message");
    std::fs::write(outside.join("secret"), message("linked-file")).expect("a message");
    std::fs::write(outside.join("cur/2.linked:2,"), message("linked-folder")).expect("a message");
    std::os::unix::fs::symlink(outside.join("secret"), maildir.join("cur/3.link:2,")).expect("a link");
    std::os::unix::fs::symlink(&outside, maildir.join(".Linked")).expect("a link");

    let path = maildir.to_str().expect("a path in UTF-8");
    let added = oaken
        .oaken(&[
            "accounts",
            "add",
            "--name",
            "m",
            "--address",
            "a@oak.test",
            "--kind",
            "maildir",
            "--path",
            path,
            "--yes",
        ])
        .done();
    oaken
        .oaken(&[
            "accounts",
            "sync",
            added["account_id"].as_str().expect("an id"),
            "--yes",
        ])
        .done();
    let listed = oaken.oaken(&["messages", "list"]).done();
    let subjects: Vec<&Value> = listed["messages"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|m| &m["subject"])
        .collect();
    assert_eq!(subjects, [&json!("inside")], "{listed}");
}
