//! `mcp-tools.json`: every tool that could ever be offered to an agent, as `tools/list` would show it.
//!
//! While Oaken runs only the tools that a caller may use are listed, and live bounds join the descriptions.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::reach;
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
        "title": title(ops),
        "description": description(ops),
        "inputSchema": schemas.tool_input(ops, options),
    });
    if ops.iter().all(|o| o.mcp.result == McpResult::Structured) {
        tool["outputSchema"] = schemas.tool_output(ops);
    }
    tool["annotations"] = json!({
        "title": title(ops),
        "readOnlyHint": reads,
        "destructiveHint": ops.iter().any(|o| o.destroys),
        "idempotentHint": reads || ops.iter().all(|o| o.undo.is_some()),
        "openWorldHint": ops.iter().any(|o| reach::touches_mail(o, spec)),
    });
    tool
}

/// The operation's title; of a tool of several the tool's name in words.
fn title(ops: &[&Operation]) -> String {
    match ops {
        [one] => one.title.clone(),
        _ => {
            let words = ops[0].mcp.tool.replace('_', " ");
            let mut chars = words.chars();
            chars.next().map_or_else(String::new, |c| {
                c.to_ascii_uppercase().to_string() + chars.as_str()
            })
        }
    }
}

fn description(ops: &[&Operation]) -> String {
    let text = |op: &Operation| format!("{} {}", op.summary, op.description).trim_end().to_owned();
    match ops {
        [one] => text(one),
        _ => {
            let lines = ops
                .iter()
                .map(|op| format!("{}: {}", op.mcp.action.as_deref().unwrap_or(&op.name), text(op)));
            lines.collect::<Vec<_>>().join("\n")
        }
    }
}
