//! A small MCP client over a child's standard input and output. It speaks the protocol and knows nothing of Oaken.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use oaken_core::{Code, Error, Result};
use serde_json::{Value, json};

use crate::mcp::stdio::TOKEN_VARIABLE;
use crate::paths::Paths;

/// A client with its server.
pub struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next_id: u64,
}

impl Client {
    /// Starts `oaken mcp` and shakes hands.
    ///
    /// # Errors
    /// When the process cannot be started or does not answer as MCP says.
    pub fn start(paths: &Paths, token: &str) -> Result<Self> {
        let program = std::env::current_exe().map_err(|_| lost())?;
        let mut child = Command::new(program)
            .args(paths.flags())
            .arg("mcp")
            .env(TOKEN_VARIABLE, token)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|_| lost())?;
        let input = child.stdin.take().ok_or_else(lost)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(lost)?);
        let mut client = Client {
            child,
            input,
            output,
            next_id: 0,
        };
        client.request(
            "initialize",
            &json!({ "protocolVersion": "2025-11-25", "capabilities": {},
                     "clientInfo": { "name": "oaken-tour", "version": env!("CARGO_PKG_VERSION") } }),
        )?;
        client.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(client)
    }

    /// The names of the tools that are listed.
    ///
    /// # Errors
    /// When the server is gone.
    pub fn tools(&mut self) -> Result<Vec<String>> {
        let listed = self.request("tools/list", &json!({}))?;
        let tools = listed["tools"].as_array().into_iter().flatten();
        Ok(tools
            .filter_map(|t| t["name"].as_str().map(str::to_owned))
            .collect())
    }

    /// Calls a tool: whether it is an error, and what it answered.
    ///
    /// # Errors
    /// When the server is gone.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<(bool, Value)> {
        let result = self.request("tools/call", &json!({ "name": tool, "arguments": arguments }))?;
        let is_error = result["isError"].as_bool().unwrap_or(false);
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let answer = match &result["structuredContent"] {
            Value::Null => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())),
            structured => structured.clone(),
        };
        Ok((is_error, answer))
    }

    /// Ends the server.
    pub fn stop(mut self) {
        drop(self.input);
        let _ = self.child.wait();
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.next_id += 1;
        let id = self.next_id;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        loop {
            let mut frame = String::new();
            if self.output.read_line(&mut frame).map_err(|_| lost())? == 0 {
                return Err(lost());
            }
            let frame: Value = serde_json::from_str(&frame).map_err(|_| lost())?;
            if frame["id"] == json!(id) {
                return Ok(frame["result"].clone());
            }
        }
    }

    fn write(&mut self, frame: &Value) -> Result<()> {
        writeln!(self.input, "{frame}")
            .and_then(|()| self.input.flush())
            .map_err(|_| lost())
    }
}

fn lost() -> Error {
    Error::new(
        Code::Internal,
        "The MCP server of the tour could not be started, or wrote something that is no frame.",
    )
}
