//! Bad input is refused alike at every door: the same code, the same fields, and never a word of what was sent (T30).

use std::collections::BTreeMap;

use oaken_tests::daemon::Daemon;
use oaken_tests::http::Http;
use oaken_tests::installation::Installation;
use oaken_tests::mcp::McpStdio;
use oaken_tests::program::repository;
use serde_json::{Value, json};

/// Stands in every bad value and name.
const MARKER: &str = "hunter2marker";

struct Doors {
    oaken: Installation,
    daemon: Daemon,
    http: Http,
    agent: McpStdio,
    account: String,
}

impl Doors {
    fn open() -> Self {
        let oaken = Installation::new();
        let daemon = Daemon::demo(&oaken);
        let mut agent = McpStdio::start(&oaken, &oaken.add_agent("bad input"));
        let accounts = agent.call("list_accounts", &json!({})).answer;
        let account = accounts["accounts"][0]["account_id"]
            .as_str()
            .expect("an account")
            .to_owned();
        let http = daemon.http(&oaken.create_token("bad input", "change"));
        Doors {
            http,
            oaken,
            daemon,
            agent,
            account,
        }
    }

    /// The same refusal at the command line, over HTTP and over MCP.
    #[track_caller]
    fn check(&mut self, operation: &str, input: Value, code: &str) {
        let command = self
            .oaken
            .oaken(&["call", operation, "--input", &input.to_string()]);
        let reply = self.http.call(operation, &input);
        let agent = self.agent.call(operation, &input);
        assert!(agent.is_error, "MCP took {operation}: {}", agent.answer);
        for (door, error) in [
            ("CLI", &command.error()),
            ("HTTP", &reply.json()),
            ("MCP", &agent.answer),
        ] {
            assert_eq!(error["code"], code, "{door}: {error}");
            assert_eq!(error["fields"], command.error()["fields"], "{door}");
            assert_eq!(error["message"], command.error()["message"], "{door}");
            assert!(
                !error.to_string().contains(MARKER),
                "{door} repeats what was sent: {error}"
            );
        }
        assert!(
            !command.stdout.contains(MARKER) && !command.stderr.contains(MARKER),
            "{}",
            command.stderr
        );
    }
}

#[test]
fn every_door_refuses_in_the_same_words() {
    let mut doors = Doors::open();
    let account = doors.account.clone();
    doors.check(
        "list_messages",
        json!({ "account_id": account, MARKER: 1 }),
        "invalid_input",
    );
    doors.check(
        "list_messages",
        json!({ "account_id": account, "unread": MARKER, "since": MARKER }),
        "invalid_input",
    );
    doors.check(
        "list_messages",
        json!({ "account_id": account, "unread": null }),
        "invalid_input",
    );
    doors.check(
        "list_messages",
        json!({ "account_id": "a_0000000000" }),
        "not_found",
    );
    doors.check(
        "list_messages",
        json!({ "account_id": account, "folder_id": "f_0000000000" }),
        "not_found",
    );
    doors.check(
        "list_messages",
        json!({ "account_id": account, "cursor": MARKER }),
        "invalid_input",
    );
    doors.check(
        "list_mailbox",
        json!({ "account_id": account, "view": MARKER }),
        "invalid_input",
    );
    doors.check(
        "read_message",
        json!({ "message_ids": ["m_0000000000"] }),
        "not_found",
    );
    doors.check("read_message", json!({ "message_ids": MARKER }), "invalid_input");
    doors.check("read_message", json!({}), "invalid_input");
    doors.check(
        "read_message",
        json!({ "message_ids": ["m_0000000000"], "offset": -1 }),
        "invalid_input",
    );
    doors.check("get_thread", json!({}), "invalid_input");
    doors.check(
        "search",
        json!({ "account_id": account, "query": "" }),
        "invalid_input",
    );
    doors.check(
        "search",
        json!({ "account_id": account, "query": MARKER.repeat(100) }),
        "invalid_input",
    );
    doors.check("mark_read", json!({ "target": {} }), "invalid_input");
    doors.check(
        "mark_read",
        json!({ "target": { "ids": ["m_0000000000"] } }),
        "not_found",
    );
    doors.check("mark_read", json!({ "target": { MARKER: [] } }), "invalid_input");
    doors.check("no_such_operation", json!({ MARKER: MARKER }), "not_available");
}

#[test]
fn what_is_no_json_or_too_large_is_refused_before_it_is_looked_at() {
    let mut doors = Doors::open();
    let path = "/api/v1/operations/list_accounts";
    for body in [
        "",
        "{",
        "[]",
        "7",
        "{\"a\":1,\"a\":2}",
        "{} {}",
        "\u{feff}{}",
        "nul",
        "{\"\u{0}\":1}",
    ] {
        let reply = doors.http.post(path, &[], body.as_bytes());
        assert_eq!(
            (reply.status, &reply.json()["code"]),
            (422, &json!("invalid_input")),
            "{body:?}"
        );
        if !body.contains('\0') && !body.is_empty() {
            let command = doors.oaken.oaken(&["call", "list_accounts", "--input", body]);
            assert_eq!(
                (command.exit, &command.error()["code"]),
                (2, &json!("invalid_input")),
                "{body:?}"
            );
        }
    }
    let reply = doors.http.post(path, &[], b"{\"a\":\"\xff\xfe\"}");
    assert_eq!(reply.status, 422, "bytes that are no UTF-8");
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(
        doors.http.post(path, &[], deep.as_bytes()).status,
        422,
        "nested a hundred thousand deep"
    );
    let large = format!("{{\"a\":\"{}\"}}", "x".repeat(1_100_000));
    assert_eq!(
        doors.daemon.http("any").post(path, &[], large.as_bytes()).status,
        401,
        "who calls comes first"
    );
    assert_eq!(
        doors.http.post(path, &[], large.as_bytes()).status,
        413,
        "a request over the limit"
    );
}

#[test]
fn no_token_is_answered_in_the_same_words_whatever_is_wrong_with_it() {
    let doors = Doors::open();
    let mut answers = BTreeMap::new();
    let revoked = doors.oaken.create_token("revoked", "read");
    let tokens = doors.oaken.oaken(&["tokens", "list"]).done();
    let row = tokens["tokens"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|t| t["name"] == "revoked")
        .expect("it is listed");
    doors
        .oaken
        .oaken(&[
            "tokens",
            "revoke",
            row["token_id"].as_str().expect("an id"),
            "--yes",
        ])
        .done();
    for token in [
        "",
        "x",
        "oak_person_",
        "oak_agent_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        &revoked,
    ] {
        let reply = doors.daemon.http(token).call("status", &json!({}));
        assert_eq!(reply.status, 401, "{}", reply.json());
        assert!(
            reply
                .header("www-authenticate")
                .is_some_and(|h| h.starts_with("Bearer"))
        );
        answers.insert(reply.body, ());
    }
    assert_eq!(answers.len(), 1, "{answers:?}");
}

#[test]
fn no_answer_of_any_operation_repeats_a_bad_value() {
    let mut doors = Doors::open();
    let document =
        std::fs::read_to_string(repository().join("docs/reference/openapi.json")).expect("the document");
    let document: Value = serde_json::from_str(&document).expect("JSON");
    let mut sent = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        let Some(operation) = path.strip_prefix("/api/v1/operations/") else {
            continue;
        };
        let mut body = &item["post"]["requestBody"]["content"]["application/json"]["schema"];
        if let Some(name) = body["$ref"]
            .as_str()
            .and_then(|r| r.strip_prefix("#/components/schemas/"))
        {
            body = &document["components"]["schemas"][name];
        }
        let mut inputs = vec![json!({ MARKER: MARKER }), json!([MARKER]), json!(MARKER)];
        for field in body["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| name)
            .filter(|n| *n != "confirm")
        {
            for bad in [
                json!([MARKER]),
                json!({ MARKER: MARKER }),
                json!([{ "ids": [MARKER] }]),
                json!({ "ids": [MARKER] }),
            ] {
                inputs.push(json!({ field: bad }));
            }
            inputs.push(json!({ field: MARKER.repeat(200), MARKER: 1 }));
        }
        for input in inputs {
            let reply = doors.http.call(operation, &input);
            assert!(
                reply.status >= 400 && reply.status < 500,
                "{operation} answers {} to {input}",
                reply.status
            );
            assert!(
                !String::from_utf8_lossy(&reply.body).contains(MARKER),
                "{operation}: {}",
                reply.json()
            );
            sent += 1;
        }
    }
    assert!(sent > 300, "only {sent} inputs were sent");
    let log = String::from_utf8_lossy(&doors.daemon.log()).into_owned();
    assert!(!log.contains(MARKER), "the log repeats what was sent");
}
