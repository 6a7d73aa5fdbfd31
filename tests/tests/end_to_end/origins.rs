//! Host and Origin (T21): six hosts, six origins and four kinds of request at the API and at MCP. Only exact names are
//! served, and nothing runs for a page elsewhere.

use oaken_tests::daemon::Daemon;
use oaken_tests::installation::Installation;
use serde_json::json;

const PREFLIGHT: [(&str, &str); 2] = [
    ("Access-Control-Request-Method", "POST"),
    ("Access-Control-Request-Headers", "authorization"),
];

#[test]
fn only_the_exact_host_and_origin_are_served() {
    let oaken = Installation::new();
    let daemon = Daemon::demo(&oaken);
    let (person, agent) = (oaken.create_token("origins", "read"), oaken.add_agent("origins"));
    let port = daemon.address.rsplit(':').next().expect("a port");
    let hosts = [
        (daemon.address.clone(), true),
        (format!("localhost:{port}"), true),
        ("127.0.0.1".to_owned(), false),
        (format!("0.0.0.0:{port}"), false),
        (format!("evil.example:{port}"), false),
        (format!("{}.evil.example", daemon.address), false),
    ];
    let origins = [
        (None, true),
        (Some(format!("http://{}", daemon.address)), true),
        (Some(format!("https://{}", daemon.address)), false),
        (Some("http://127.0.0.1:1".to_owned()), false),
        (Some("http://evil.example".to_owned()), false),
        (Some("null".to_owned()), false),
    ];
    let frame = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} }).to_string();
    let mut asked = 0;
    for (path, token, body) in [
        ("/api/v1/operations/status", &person, "{}"),
        ("/mcp", &agent, &frame),
    ] {
        let bearer = format!("Bearer {token}");
        for ((host, host_fits), (origin, origin_fits)) in
            hosts.iter().flat_map(|h| origins.iter().map(move |o| (h, o)))
        {
            for (method, kind) in [
                ("GET", None),
                ("POST", Some("application/json")),
                ("POST", Some("text/plain")),
                ("OPTIONS", None),
            ] {
                let mut headers = vec![
                    ("Host", host.as_str()),
                    ("Authorization", bearer.as_str()),
                    ("Accept", "application/json, text/event-stream"),
                    ("MCP-Protocol-Version", "2025-11-25"),
                ];
                headers.extend(origin.as_ref().map(|o| ("Origin", o.as_str())));
                headers.extend(kind.map(|k| ("Content-Type", k)));
                if method == "OPTIONS" {
                    headers.extend(PREFLIGHT);
                }
                let content = if method == "POST" { body.as_bytes() } else { b"" };
                let reply = daemon.http("").send(method, path, &headers, content);
                let what = format!(
                    "{method} {path} Host {host} Origin {origin:?} {kind:?}: {}",
                    reply.status
                );
                match (*host_fits && *origin_fits, kind) {
                    (false, _) => assert_eq!(reply.status, 403, "{what}"),
                    (true, Some("application/json")) => assert_eq!(reply.status, 200, "{what}"),
                    (true, _) => assert!([404, 405, 415].contains(&reply.status), "{what}"),
                }
                assert!(
                    reply.header("access-control-allow-origin").is_none(),
                    "{what} allows another origin"
                );
                asked += 1;
            }
        }
    }
    assert_eq!(asked, 2 * 6 * 6 * 4);
}
