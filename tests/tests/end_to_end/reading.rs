//! 500 real messages on Dovecot: every read at every door leaves FLAGS and HIGHESTMODSEQ as they were, marking at each
//! door marks exactly what it names, and no command ever asked for a body without PEEK.

use oaken_tests::daemon::Daemon;
use oaken_tests::dovecot::Dovecot;
use oaken_tests::http::Http;
use oaken_tests::imap_probe::Probe;
use oaken_tests::installation::Installation;
use oaken_tests::mcp::{McpHttp, McpStdio, ToolResult};
use serde_json::{Value, json};

use crate::setting_up::{FOLDERS, Server, add_account, changed, deliver, look_at};

const USER: &str = "alice";
const MESSAGES: usize = 500;

#[test]
fn reading_leaves_no_trace_and_marking_marks_what_it_names() {
    let server = Dovecot::start(&[USER]);
    deliver(&server, USER, MESSAGES);
    let before = look_at(&server, USER);
    assert_eq!(before.values().map(|f| f.flags.len()).sum::<usize>(), MESSAGES);

    let oaken = Installation::new();
    let account = add_account(&oaken, &server, USER, &server.password(USER)).done()["account_id"].clone();
    oaken
        .oaken(&["accounts", "sync", account.as_str().expect("an id"), "--yes"])
        .done();
    unchanged(&server, &before, "the first sync");

    for operation in ["mark_read", "mark_unread", "undo"] {
        oaken.call(
            "set_operation_exposure",
            &json!({ "operation": operation, "exposure": "on" }),
        );
    }
    oaken.call(
        "set_setting",
        &json!({ "name": "operations.max_raw_bytes", "value": "26214400" }),
    );
    let daemon = Daemon::start(&oaken);
    let token = oaken.add_agent("reader");
    let mut doors = Doors {
        http: daemon.http(&oaken.create_token("reader", "change")),
        stdio: McpStdio::start(&oaken, &token),
        mcp: McpHttp::new(daemon.http(&token)),
        oaken: &oaken,
        account,
    };

    let ids = doors.http_reads();
    assert_eq!(ids.len(), MESSAGES);
    unchanged(&server, &before, "every read over HTTP");
    doors.command_line_reads(&ids);
    unchanged(&server, &before, "every read at the command line");
    doors.agent_reads(&ids);
    unchanged(&server, &before, "every read over MCP");
    let read_so_far = server.client_lines();
    only_reads(&read_so_far);

    doors.bytes_are_the_servers(&server, &ids);
    doors.mark_at_each_door(&server, &before);
    only_peeks(&server.client_lines());
}

struct Doors<'a> {
    http: Http,
    stdio: McpStdio,
    mcp: McpHttp,
    oaken: &'a Installation,
    account: Value,
}

impl Doors<'_> {
    /// Every read there is, every page of every list, and every message in full. Answers the ids of all messages.
    fn http_reads(&mut self) -> Vec<String> {
        let mut ids = vec![];
        for (operation, input) in overviews(&self.account) {
            self.http.call(operation, &input).done();
        }
        let mut cursor = Value::Null;
        loop {
            let mut input = json!({ "account_id": self.account });
            if !cursor.is_null() {
                input["cursor"] = cursor;
            }
            let page = self.http.call("list_messages", &input).done();
            ids.extend(strings(&page["messages"], "message_id"));
            assert_eq!(page["total"], MESSAGES);
            cursor = page["next_cursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        for few in ids.chunks(5) {
            let read = self
                .http
                .call("read_message", &json!({ "message_ids": few }))
                .done();
            assert_eq!(strings(&read["messages"], "message_id"), few);
        }
        for id in ids.iter().step_by(25) {
            let thread = self.http.call("get_thread", &json!({ "message_id": id })).done();
            assert!(
                strings(&thread["messages"], "message_id").contains(id),
                "{id} is not in its own thread"
            );
            self.http
                .call("get_raw_message", &json!({ "message_id": id }))
                .done();
        }
        ids
    }

    fn command_line_reads(&mut self, ids: &[String]) {
        for (operation, input) in overviews(&self.account) {
            self.oaken
                .oaken(&["call", operation, "--input", &input.to_string()])
                .done();
        }
        let account = self.account.as_str().expect("an id");
        let rows = self
            .oaken
            .oaken(&["messages", "list", "--account-id", account, "--all"]);
        assert_eq!(
            (rows.exit, rows.stdout.lines().count()),
            (0, MESSAGES),
            "{}",
            rows.stderr
        );
        for id in ids.iter().step_by(50) {
            self.oaken.oaken(&["messages", "read", id]).done();
            self.oaken.oaken(&["messages", "raw", id]).done();
            self.oaken.oaken(&["threads", "read", "--message-id", id]).done();
        }
        self.oaken.oaken(&["accounts", "test", account]).done();
    }

    fn agent_reads(&mut self, ids: &[String]) {
        let offered = overviews(&self.account);
        for (operation, input) in offered
            .iter()
            .filter(|(o, _)| o.starts_with("list_m") || !o.starts_with("list_"))
        {
            succeeds(&self.stdio.call(operation, input));
            succeeds(&self.mcp.call(operation, input));
        }
        for (n, few) in ids.chunks(5).enumerate() {
            let input = json!({ "message_ids": few });
            succeeds(&if n % 2 == 0 {
                self.stdio.call("read_message", &input)
            } else {
                self.mcp.call("read_message", &input)
            });
        }
        for id in ids.iter().step_by(50) {
            succeeds(&self.stdio.call("get_thread", &json!({ "message_id": id })));
            assert!(
                self.stdio
                    .call("get_raw_message", &json!({ "message_id": id }))
                    .is_error
            );
        }
    }

    /// Some messages are, byte for byte, what the server holds.
    fn bytes_are_the_servers(&mut self, server: &Dovecot, ids: &[String]) {
        let mut probe = Probe::login(server.imap_port, &server.login(USER), &server.password(USER));
        let mut held = vec![];
        for folder in FOLDERS {
            let uids: Vec<u32> = probe.folder(folder).flags.into_keys().collect();
            held.extend(uids.into_iter().map(|uid| probe.bytes(uid)));
        }
        for id in ids.iter().step_by(20) {
            let raw = self
                .http
                .call("get_raw_message", &json!({ "message_id": id }))
                .done();
            let bytes = decoded(&raw);
            assert!(
                held.contains(&bytes),
                "{id} is {} bytes that the server does not hold",
                bytes.len()
            );
        }
    }

    /// Marks three other unread messages at each door, and takes it back.
    fn mark_at_each_door(&mut self, server: &Dovecot, before: &Server) {
        let unread = self
            .http
            .call(
                "list_messages",
                &json!({ "account_id": self.account, "unread": true }),
            )
            .done();
        let unread = strings(&unread["messages"], "message_id");
        let mut probe = Probe::login(server.imap_port, &server.login(USER), &server.password(USER));
        for (door, ids) in ["command line", "HTTP", "MCP over stdio", "MCP over HTTP"]
            .iter()
            .zip(unread.chunks(3))
        {
            let entry = self.mark(door, ids);
            let after = look_at(server, USER);
            let changes = changed(before, &after);
            assert_eq!(changes.len(), 3, "{door}: {changes:?}");
            assert!(
                changes
                    .iter()
                    .all(|(_, _, then, now)| then.is_empty() && now == &["\\Seen"]),
                "{door}: {changes:?}"
            );
            // They are the very messages that were named.
            let named: Vec<Vec<u8>> = ids
                .iter()
                .map(|id| {
                    decoded(
                        &self
                            .http
                            .call("get_raw_message", &json!({ "message_id": id }))
                            .done(),
                    )
                })
                .collect();
            for (folder, uid, _, _) in &changes {
                assert!(
                    after[folder].highest_modseq > before[folder].highest_modseq,
                    "{door}: {folder}"
                );
                probe.folder(folder);
                assert!(
                    named.contains(&probe.bytes(*uid)),
                    "{door}: another message was marked"
                );
            }
            self.oaken.oaken(&["undo", &entry, "--yes"]).done();
            assert_eq!(changed(before, &look_at(server, USER)), vec![], "{door}: undo");
        }
    }

    /// Marks messages read at a door; answers the journal entry.
    fn mark(&mut self, door: &str, ids: &[String]) -> String {
        let input = json!({ "target": { "ids": ids } });
        let done = match door {
            "command line" => {
                let mut arguments = vec!["messages", "mark-read"];
                arguments.extend(ids.iter().map(String::as_str));
                let asked = self.oaken.oaken(&arguments);
                assert_eq!(asked.exit, 3, "without a yes: {}", asked.stderr);
                arguments.push("--yes");
                self.oaken.oaken(&arguments).done()
            }
            "HTTP" => {
                let asked = self.http.call("mark_read", &input);
                assert_eq!(
                    (asked.status, &asked.json()["code"]),
                    (409, &json!("confirm_required"))
                );
                let mut confirmed = input.clone();
                confirmed["confirm"] = json!(true);
                self.http.call("mark_read", &confirmed).done()
            }
            "MCP over stdio" => {
                let proposal = self.stdio.call("mark_read", &input);
                self.stdio
                    .call("mark_read", &with_token(&input, &proposal))
                    .answer
            }
            _ => {
                let proposal = self.mcp.call("mark_read", &input);
                self.mcp.call("mark_read", &with_token(&input, &proposal)).answer
            }
        };
        assert_eq!(
            done["marked"].as_array().map(Vec::len),
            Some(ids.len()),
            "{door}: {done}"
        );
        done["entry"]
            .as_str()
            .unwrap_or_else(|| panic!("{door}: no entry: {done}"))
            .to_owned()
    }
}

fn with_token(input: &Value, proposal: &ToolResult) -> Value {
    assert!(!proposal.is_error, "{}", proposal.answer);
    let mut confirmed = input.clone();
    confirmed["proposal_token"] = proposal.answer["proposal_token"].clone();
    confirmed
}

/// The reads that take no message, those of people among them.
fn overviews(account: &Value) -> Vec<(&'static str, Value)> {
    let mut all = vec![
        ("status", json!({})),
        ("list_accounts", json!({})),
        ("list_operations", json!({})),
        ("list_workspaces", json!({})),
        ("list_agents", json!({})),
        ("list_settings", json!({})),
        ("list_audit", json!({})),
        ("mailbox_counts", json!({ "account_id": account })),
        ("list_labels", json!({ "account_id": account })),
        ("list_messages", json!({ "account_id": account, "from": "com" })),
        ("search", json!({ "account_id": account, "query": "linux" })),
        (
            "search",
            json!({ "account_id": account, "query": "\"mailing list\"" }),
        ),
    ];
    for view in ["inbox", "unread", "flagged", "sent"] {
        all.push(("list_mailbox", json!({ "account_id": account, "view": view })));
    }
    all
}

#[track_caller]
fn succeeds(result: &ToolResult) {
    assert!(!result.is_error, "{}", result.answer);
}

#[track_caller]
fn unchanged(server: &Dovecot, before: &Server, by: &str) {
    assert_eq!(&look_at(server, USER), before, "changed by {by}");
}

/// No line opens a folder for writing, writes, or fetches what marks a message.
#[track_caller]
fn only_reads(lines: &[String]) {
    assert!(lines.iter().any(|l| l.contains("EXAMINE")), "nothing was opened");
    for line in lines {
        for word in [
            "SELECT", "STORE", "APPEND", "COPY", "MOVE", "EXPUNGE", "CLOSE", "CREATE", "DELETE",
        ] {
            assert!(
                !line
                    .split(' ')
                    .skip(1)
                    .take(2)
                    .any(|w| w.eq_ignore_ascii_case(word)),
                "{line}"
            );
        }
    }
    only_peeks(lines);
}

#[track_caller]
fn only_peeks(lines: &[String]) {
    assert!(
        lines.iter().any(|l| l.contains("BODY.PEEK[")),
        "no body was fetched"
    );
    for line in lines.iter().map(|l| l.to_ascii_uppercase()) {
        assert!(!line.contains("BODY["), "a body without PEEK: {line}");
        assert!(
            !line.replace("RFC822.SIZE", "").contains("RFC822"),
            "a body without PEEK: {line}"
        );
    }
}

fn decoded(raw: &Value) -> Vec<u8> {
    use base64::Engine as _;
    let text = raw["base64"].as_str().expect("base64");
    base64::engine::general_purpose::STANDARD
        .decode(text)
        .expect("base64")
}

fn strings(rows: &Value, field: &str) -> Vec<String> {
    rows.as_array()
        .into_iter()
        .flatten()
        .filter_map(|r| r[field].as_str().map(str::to_owned))
        .collect()
}
