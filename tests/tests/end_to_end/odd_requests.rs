//! Requests that are odd in themselves, whatever operation they ask for: refused before anybody else reads them, in
//! Oaken's own words, and never with a word of what was sent.

use std::io::{Read, Write};

use oaken_tests::daemon::Daemon;
use oaken_tests::http::Reply;
use oaken_tests::installation::Installation;
use oaken_tests::mcp::McpStdio;
use serde_json::{Value, json};

/// Stands in what is odd.
const MARKER: &str = "hunter2marker";

struct Mcp {
    daemon: Daemon,
    token: String,
}

impl Mcp {
    fn open() -> (Installation, Mcp) {
        let oaken = Installation::new();
        let daemon = Daemon::start(&oaken);
        let token = oaken.add_agent("odd requests");
        (oaken, Mcp { daemon, token })
    }

    /// A POST with these headers in place of the usual ones.
    fn post(&self, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        self.send("POST", path, headers, body)
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let bearer = format!("Bearer {}", self.token);
        let mut all = vec![
            ("Host", self.daemon.address.as_str()),
            ("Authorization", bearer.as_str()),
            ("Accept", "application/json, text/event-stream"),
            ("Content-Type", "application/json"),
            ("MCP-Protocol-Version", "2025-11-25"),
        ];
        all.retain(|(name, _)| headers.iter().all(|(given, _)| given != name));
        all.extend_from_slice(headers);
        let reply = self.daemon.http("").send(method, path, &all, body.as_bytes());
        assert!(
            !String::from_utf8_lossy(&reply.body).contains(MARKER),
            "{method} {path} repeats what was sent: {}",
            String::from_utf8_lossy(&reply.body)
        );
        reply
    }
}

fn frame(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#)
}

#[test]
fn mcp_over_http_is_refused_in_words_of_its_own() {
    let (_oaken, mcp) = Mcp::open();
    let list = frame("tools/list", "{}");
    assert_eq!(mcp.post("/mcp", &[], &list).status, 200);
    for path in ["/mcp/", "/mcp/anything", "/MCP"] {
        assert_eq!(mcp.post(path, &[], &list).status, 404, "{path}");
    }
    for method in ["GET", "PUT", "DELETE", "PATCH"] {
        let reply = mcp.send(method, "/mcp", &[], "");
        assert_eq!(
            (reply.status, reply.header("allow")),
            (405, Some("POST")),
            "{method}"
        );
        assert_eq!(reply.json()["code"], "invalid_input", "{method}");
    }
    let text = [("Content-Type", "text/plain")];
    let reply = mcp.post("/mcp", &text, &list);
    assert_eq!(
        (reply.status, &reply.json()["code"]),
        (415, &json!("invalid_input"))
    );
    for version in [
        "2099-01-01",
        MARKER,
        &MARKER.repeat(500),
        "2025-11-25, 2025-11-25",
    ] {
        let reply = mcp.post("/mcp", &[("MCP-Protocol-Version", version)], &list);
        assert_eq!(
            (reply.status, &reply.json()["code"]),
            (400, &json!("invalid_input"))
        );
    }
    let call = |params: &str| frame("tools/call", params);
    for (body, code) in [
        (format!(r#"{{"id":1,"id":2,"method":"{MARKER}"}}"#), -32700),
        (
            call(&format!(
                r#"{{"name":"status","arguments":{{"a":1,"a":"{MARKER}"}}}}"#
            )),
            -32700,
        ),
        (format!("{{{MARKER}"), -32700),
        ("[".repeat(100_000), -32700),
        ("[]".to_owned(), -32600),
        (
            call(&format!(r#"{{"name":"status","arguments":["{MARKER}"]}}"#)),
            -32602,
        ),
        (call(&format!(r#"{{"name":["{MARKER}"]}}"#)), -32602),
    ] {
        let reply = mcp.post("/mcp", &[], &body);
        assert_eq!(
            (reply.status, &reply.json()["error"]["code"]),
            (400, &json!(code)),
            "{:.80}",
            body
        );
    }
    let unknown = mcp.post("/mcp", &[], &frame(MARKER, "{}"));
    assert_eq!(unknown.json()["error"]["code"], -32601, "{}", unknown.json());
}

#[test]
fn a_line_that_is_no_frame_is_answered_and_the_next_is_served() {
    let (oaken, mcp) = Mcp::open();
    let mut agent = McpStdio::start(&oaken, &mcp.token);
    for (line, code) in [
        (
            format!(r#"{{"jsonrpc":"2.0","id":9,"method":"tools/list","method":"{MARKER}"}}"#),
            -32700,
        ),
        (MARKER.to_owned(), -32700),
        ("[".repeat(50_000), -32700),
        (format!("\"{}\"", "x".repeat(2_000_000)), -32700),
        (frame("tools/call", r#"{"name":"status","arguments":[]}"#), -32602),
        (frame(MARKER, "{}"), -32601),
    ] {
        let answer: Value = agent.line(&line);
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert!(!answer.to_string().contains(MARKER), "{answer}");
    }
    assert!(!agent.call("status", &json!({})).is_error);
}

#[test]
fn a_target_or_a_body_that_is_odd_reaches_no_operation() {
    let (_oaken, mcp) = Mcp::open();
    let path = "/api/v1/operations/status";
    let address = &mcp.daemon.address;
    assert_eq!(mcp.post(path, &[], "{}").status, 200);
    assert_eq!(
        mcp.post(&format!("http://{address}{path}"), &[], "{}").status,
        200
    );
    for host in ["evil.example", "localhost:1", "me@127.0.0.1"] {
        let reply = mcp.post(&format!("http://{host}{path}"), &[], "{}");
        assert_eq!(reply.status, 403, "{host}");
    }
    let mut stream = std::net::TcpStream::connect(address).expect("the daemon listens");
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\n{MARKER}\r\n",
        mcp.token
    );
    stream.write_all(head.as_bytes()).expect("sent");
    let mut said = String::new();
    let _ = stream.read_to_string(&mut said);
    assert!(
        said.starts_with("HTTP/1.1 400 ") && !said.contains(MARKER),
        "{said}"
    );
}
