//! The five ways to an operation, and what came of a call in one form.

use std::collections::BTreeSet;

use oaken_core::{Ceiling, Class, Descriptor, McpResult};
use oaken_tests::daemon::Daemon;
use oaken_tests::http::Http;
use oaken_tests::installation::Installation;
use oaken_tests::mcp::{McpHttp, McpStdio, ToolResult};
use serde_json::{Value, json};

use crate::descriptors;
use crate::schemas::Schemas;

/// A way to an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// `oaken call`, as a person.
    Cli,
    /// HTTP with a personal token.
    Http,
    /// HTTP with the agent's token: an agent all the same.
    AgentHttp,
    /// MCP on standard input and output.
    Stdio,
    /// MCP over HTTP.
    Mcp,
}

/// Those of a person.
pub const PERSON: [Door; 2] = [Door::Cli, Door::Http];
/// Those of an agent.
pub const AGENT: [Door; 3] = [Door::AgentHttp, Door::Stdio, Door::Mcp];
/// All.
pub const ALL: [Door; 5] = [Door::Cli, Door::Http, Door::AgentHttp, Door::Stdio, Door::Mcp];

/// What came of a call: the answer, or the error object.
pub type Said = Result<Value, Value>;

/// A demo and its doors.
pub struct Doors {
    pub oaken: Installation,
    person: Http,
    agent: Http,
    stdio: McpStdio,
    mcp: McpHttp,
    pub schemas: Schemas,
    /// The operations that ran to their end.
    pub succeeded: BTreeSet<&'static str>,
    // Last, since the connections end before it does.
    _daemon: Daemon,
}

impl Doors {
    /// A fresh demo, a token that may change things, and an agent.
    pub fn open() -> Self {
        let oaken = Installation::new();
        let daemon = Daemon::demo(&oaken);
        let token = oaken.add_agent("every door");
        let mut doors = Doors {
            person: daemon.http(&oaken.create_token("every door", "change")),
            agent: daemon.http(&token),
            stdio: McpStdio::start(&oaken, &token),
            mcp: McpHttp::new(daemon.http(&token)),
            oaken,
            schemas: Schemas::default(),
            succeeded: BTreeSet::new(),
            _daemon: daemon,
        };
        doors.schemas = Schemas::of(&doors.tools());
        doors
    }

    /// Every workspace, a person's limits, and whatever a ceiling allows.
    pub fn give_the_agent_what_a_person_has(&mut self) {
        for (name, value) in [
            ("mcp.workspaces", "all"),
            ("operations.mcp_max_results", "50"),
            ("operations.mcp_max_chars", "20000"),
            ("operations.mcp_gist_chars", "240"),
            ("operations.max_pending_per_agent", "1000"),
        ] {
            self.oaken
                .call("set_setting", &json!({ "name": name, "value": value }));
        }
        for d in descriptors().into_iter().filter(|d| d.ceiling == Ceiling::Off) {
            self.oaken.call(
                "set_operation_exposure",
                &json!({ "operation": d.name, "exposure": "on" }),
            );
        }
        self.schemas = Schemas::of(&self.tools());
    }

    /// The definitions of the agent's tools; both MCP servers have the same.
    pub fn tools(&mut self) -> Value {
        let tools = self.stdio.request("tools/list", &json!({}))["tools"].clone();
        assert_eq!(tools, self.mcp.request("tools/list", &json!({}))["tools"]);
        tools
    }

    /// A tool's result as it goes over the wire.
    pub fn raw(&mut self, d: &Descriptor, input: &Value) -> Value {
        self.mcp
            .request("tools/call", &json!({ "name": tool(d), "arguments": input }))
    }

    /// Calls an operation. What it answers satisfies the published schemas.
    pub fn ask(&mut self, door: Door, d: &'static Descriptor, input: &Value) -> Said {
        self.ask_with(door, d, input, &Value::Null)
    }

    /// Calls with a yes, or with an agent's token.
    pub fn ask_with(
        &mut self,
        door: Door,
        d: &'static Descriptor,
        input: &Value,
        confirmation: &Value,
    ) -> Said {
        let mut given = input.clone();
        match confirmation {
            Value::Null => {}
            Value::Bool(_) => given["confirm"] = confirmation.clone(),
            token => given["proposal_token"] = token.clone(),
        }
        let said = self.call(door, d.name, tool(d), &given);
        if let Ok(answer) = &said {
            self.schemas.check(door, d, answer);
            if d.class == Class::Read || !confirmation.is_null() {
                self.succeeded.insert(d.name);
            }
        }
        said
    }

    /// Calls by name, whatever the name.
    pub fn call(&mut self, door: Door, operation: &str, tool: &str, input: &Value) -> Said {
        match door {
            Door::Cli => {
                let outcome = self
                    .oaken
                    .oaken_given(&["call", operation, "--input", "-"], &input.to_string());
                if outcome.exit == 0 {
                    Ok(outcome.done())
                } else {
                    Err(outcome.error())
                }
            }
            Door::Http => over_http(&mut self.person, operation, input),
            Door::AgentHttp => over_http(&mut self.agent, operation, input),
            Door::Stdio => over_mcp(self.stdio.call(tool, input)),
            Door::Mcp => over_mcp(self.mcp.call(tool, input)),
        }
    }

    /// The answer of a read, which has to succeed.
    #[track_caller]
    pub fn answer(&mut self, door: Door, d: &'static Descriptor, input: &Value) -> Value {
        self.ask(door, d, input)
            .unwrap_or_else(|e| panic!("{} of {input} at {door:?}: {e}", d.name))
    }
}

/// The doors that can answer an operation alike: an agent's too where its ceiling allows it.
pub fn doors_of(d: &Descriptor) -> &'static [Door] {
    if d.ceiling == Ceiling::Never {
        &PERSON
    } else {
        &ALL
    }
}

/// Whether a door answers text instead of the output as JSON.
pub fn is_text(door: Door, d: &Descriptor) -> bool {
    matches!(door, Door::Stdio | Door::Mcp) && d.mcp.result == McpResult::Text
}

/// The operation of a name.
pub fn operation(name: &str) -> &'static Descriptor {
    descriptors()
        .into_iter()
        .find(|d| d.name == name)
        .unwrap_or_else(|| panic!("no operation {name}"))
}

fn tool(d: &Descriptor) -> &'static str {
    assert!(
        d.mcp.action.is_none() && !d.mcp.tool.contains('.'),
        "{} is part of a tool",
        d.name
    );
    d.mcp.tool
}

/// An error is the same object at every door; HTTP adds three members of RFC 9457.
fn over_http(http: &mut Http, operation: &str, input: &Value) -> Said {
    let reply = http.call(operation, input);
    let mut body = reply.json();
    if matches!(reply.status, 200 | 202) {
        assert_eq!(
            reply.status == 202,
            body.get("proposal_token").is_some(),
            "{body}"
        );
        return Ok(body);
    }
    assert_eq!(reply.header("content-type"), Some("application/problem+json"));
    let problem = body.as_object_mut().expect("a problem is an object");
    assert_eq!(problem.shift_remove("status"), Some(json!(reply.status)));
    for member in ["type", "title"] {
        assert!(problem.shift_remove(member).is_some(), "no {member}");
    }
    Err(body)
}

fn over_mcp(result: ToolResult) -> Said {
    if result.is_error {
        Err(result.answer)
    } else {
        Ok(result.answer)
    }
}
