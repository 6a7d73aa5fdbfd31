//! MCP as a client speaks it (2025-11-25): to a child on its standard input and output, and over HTTP.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::http::Http;
use crate::installation::{Installation, TOKEN_VARIABLE};

/// What a tool answered.
#[derive(Debug)]
pub struct ToolResult {
    /// Whether it is an error.
    pub is_error: bool,
    /// The structured content, or the text parsed as JSON, or the text.
    pub answer: Value,
}

/// A server as a child process.
pub struct McpStdio {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next_id: u64,
}

/// A server over HTTP.
pub struct McpHttp {
    http: Http,
    next_id: u64,
}

impl McpStdio {
    /// Starts `oaken mcp` with an agent's token and shakes hands. What it logs goes to `mcp.log` in the installation's
    /// home.
    ///
    /// # Panics
    /// When the server does not answer as the protocol says.
    #[must_use]
    pub fn start(on: &Installation, token: &str) -> Self {
        let mut command = on.command();
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(on.home().join("mcp.log"))
            .expect("a log");
        command.arg("mcp").env(TOKEN_VARIABLE, token);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log);
        let mut child = command.spawn().expect("oaken can be started");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut client = McpStdio {
            child,
            input,
            output,
            next_id: 0,
        };
        client.request("initialize", &hello());
        client.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    /// Sends a request and waits for its result.
    ///
    /// # Panics
    /// When standard output holds anything but frames, or the result is a protocol error.
    pub fn request(&mut self, method: &str, params: &Value) -> Value {
        self.next_id += 1;
        let id = self.next_id;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).expect("standard output is read") > 0,
                "the server ended"
            );
            let frame: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not a frame: {line}"));
            assert_eq!(frame["jsonrpc"], "2.0", "not a frame: {line}");
            if frame["id"] == json!(id) {
                assert!(frame["error"].is_null(), "{}", frame["error"]);
                return frame["result"].clone();
            }
        }
    }

    /// Calls a tool.
    ///
    /// # Panics
    /// As [`McpStdio::request`].
    pub fn call(&mut self, tool: &str, arguments: &Value) -> ToolResult {
        result(&self.request("tools/call", &json!({ "name": tool, "arguments": arguments })))
    }

    /// The names of the tools that are listed.
    ///
    /// # Panics
    /// As [`McpStdio::request`].
    pub fn tools(&mut self) -> Vec<String> {
        names(&self.request("tools/list", &json!({})))
    }

    /// Sends a line as it is and reads the next line that the server writes.
    ///
    /// # Panics
    /// When the server ends or standard output holds anything but frames.
    pub fn line(&mut self, line: &str) -> Value {
        self.write(line);
        let mut answer = String::new();
        self.output
            .read_line(&mut answer)
            .expect("standard output is read");
        serde_json::from_str(&answer).unwrap_or_else(|_| panic!("not a frame: {answer}"))
    }

    fn write(&mut self, frame: &(impl std::fmt::Display + ?Sized)) {
        writeln!(self.input, "{frame}")
            .and_then(|()| self.input.flush())
            .expect("the server takes frames");
    }
}

impl Drop for McpStdio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl McpHttp {
    /// A client on one connection.
    #[must_use]
    pub fn new(http: Http) -> Self {
        McpHttp { http, next_id: 0 }
    }

    /// Sends a request and waits for its result.
    ///
    /// # Panics
    /// When the reply is no JSON-RPC result.
    pub fn request(&mut self, method: &str, params: &Value) -> Value {
        self.next_id += 1;
        let frame = json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params });
        let headers = [
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2025-11-25"),
        ];
        let reply = self.http.post("/mcp", &headers, frame.to_string().as_bytes());
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
        let frame = reply.json();
        assert!(frame["error"].is_null(), "{}", frame["error"]);
        frame["result"].clone()
    }

    /// Calls a tool.
    ///
    /// # Panics
    /// As [`McpHttp::request`].
    pub fn call(&mut self, tool: &str, arguments: &Value) -> ToolResult {
        result(&self.request("tools/call", &json!({ "name": tool, "arguments": arguments })))
    }
}

fn hello() -> Value {
    json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "oaken-tests", "version": "1" } })
}

fn names(listed: &Value) -> Vec<String> {
    listed["tools"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|t| t["name"].as_str().map(str::to_owned))
        .collect()
}

fn result(result: &Value) -> ToolResult {
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    let answer = match &result["structuredContent"] {
        Value::Null => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())),
        structured => structured.clone(),
    };
    ToolResult {
        is_error: result["isError"].as_bool().unwrap_or(false),
        answer,
    }
}
