//! `mcp-tools.json`: every tool that could ever be offered to an agent, as `tools/list` would show it.
//!
//! While Oaken runs only the tools that a caller may use are listed, and live bounds join the descriptions.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::schema::{Models, Options, Schemas};
use crate::ir::{Ceiling, Class, McpResult, Operation, Spec};

/// The document.
#[must_use]
pub fn emit(spec: &Spec) -> String {
    let tools: Vec<Value> = tools(spec).values().map(|ops| tool(ops, spec)).collect();
    let document = json!({ "tools": tools });
    format!("{document:#}\n")
}

/// The operations that may be offered over MCP, by the tool that carries them.
#[must_use]
pub fn tools(spec: &Spec) -> BTreeMap<&str, Vec<&Operation>> {
    let mut tools: BTreeMap<&str, Vec<&Operation>> = BTreeMap::new();
    for op in &spec.operations {
        if op.ceiling != Ceiling::Never && op.class != Class::Send && !op.cli.only {
            tools.entry(&op.mcp.tool).or_default().push(op);
        }
    }
    tools
}

/// One tool. Operations of one tool have one class and one approval (R403).
#[must_use]
pub fn tool(ops: &[&Operation], spec: &Spec) -> Value {
    let Some(first) = ops.first() else {
        return Value::Null;
    };
    let schemas = Schemas {
        spec,
        models: Models::Inline,
    };
    let options = Options {
        confirm: false,
        proposal_token: true,
    };
    let reads = ops.iter().all(|o| !o.changes());
    let mut tool = json!({
        "name": first.mcp.tool,
        "title": first.title,
        "description": description(ops),
        "inputSchema": schemas.tool_input(ops, options),
    });
    if ops.iter().all(|o| o.mcp.result == McpResult::Structured) {
        tool["outputSchema"] = schemas.tool_output(ops);
    }
    tool["annotations"] = json!({
        "title": first.title,
        "readOnlyHint": reads,
        "destructiveHint": ops.iter().any(|o| o.destroys),
        // A second call with the same token is refused, so a repeat changes nothing more.
        "idempotentHint": true,
        "openWorldHint": false,
    });
    tool
}

/// Summary and description of each operation; of a change also how it is confirmed.
fn description(ops: &[&Operation]) -> String {
    let mut lines: Vec<String> = ops
        .iter()
        .map(|op| {
            let text = format!("{} {}", op.summary, op.description);
            match &op.mcp.action {
                Some(action) => format!("{action}: {}", text.trim_end()),
                None => text.trim_end().to_owned(),
            }
        })
        .collect();
    if ops.iter().any(|o| o.changes()) {
        let confirm = "The first call changes nothing: it answers a proposal. Call again with the same input and its \
            proposal_token to do it.";
        lines.push(confirm.to_owned());
    }
    lines.join("\n")
}
