//! Requests a second over kept connections: Oaken's HTTP and MCP doors against the bare servers, turn about.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use oaken_tests::http::Http;
use serde_json::json;

use crate::median;

const REPEATS: usize = 5;
const EACH: Duration = Duration::from_secs(2);

/// What is asked, where.
struct Target<'a> {
    address: String,
    token: &'a str,
    path: &'static str,
    body: String,
}

/// Measures a running demo.
pub fn measure(address: &str, person: &str, agent: &str) {
    let (bare_axum, bare_rmcp) = (Bare::start("bare-axum"), Bare::start("bare-rmcp"));
    let operation = |address: &str, token| Target {
        address: address.to_owned(),
        token,
        path: "/api/v1/operations/list_accounts",
        body: "{}".to_owned(),
    };
    let tool = |address: &str, token| {
        Target {
        address: address.to_owned(),
        token,
        path: "/mcp",
        body: json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "list_accounts", "arguments": {} } })
            .to_string(),
    }
    };
    println!("| requests a second | connections | bare | Oaken | ratio |\n|---|---|---|---|---|");
    for connections in [1, 16] {
        let row = |name: &str, bare: &Target<'_>, ours: &Target<'_>| {
            let (mut bares, mut oakens) = (vec![], vec![]);
            for _ in 0..REPEATS {
                bares.push(rate(bare, connections));
                oakens.push(rate(ours, connections));
            }
            let (bare, ours) = (median(bares), median(oakens));
            println!(
                "| {name} | {connections} | {bare:.0} | {ours:.0} | {:.2} |",
                ours / bare
            );
        };
        row(
            "HTTP, list_accounts, a person",
            &operation(&bare_axum.address, ""),
            &operation(address, person),
        );
        row(
            "MCP, list_accounts, an agent",
            &tool(&bare_rmcp.address, ""),
            &tool(address, agent),
        );
    }
}

/// Requests a second that this many connections get answered.
fn rate(target: &Target<'_>, connections: usize) -> f64 {
    let begin = Instant::now();
    let answered: usize = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..connections)
            .map(|_| scope.spawn(|| asks(target, begin)))
            .collect();
        clients
            .into_iter()
            .map(|c| c.join().expect("a client ends well"))
            .sum()
    });
    answered as f64 / begin.elapsed().as_secs_f64()
}

fn asks(target: &Target<'_>, begin: Instant) -> usize {
    let mut http = Http::connect(&target.address, target.token);
    let headers = [
        ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", "2025-11-25"),
    ];
    let mut answered = 0;
    while begin.elapsed() < EACH {
        let reply = http.post(target.path, &headers, target.body.as_bytes());
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
        answered += 1;
    }
    answered
}

/// A bare server as a process of its own, as Oaken is.
struct Bare {
    child: Child,
    address: String,
}

impl Bare {
    fn start(which: &str) -> Self {
        let program = std::env::current_exe().expect("this program's path");
        let mut child = Command::new(program)
            .arg(which)
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut address = String::new();
        BufReader::new(child.stdout.take().expect("a pipe"))
            .read_line(&mut address)
            .expect("its address");
        Bare {
            child,
            address: address.trim().to_owned(),
        }
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
