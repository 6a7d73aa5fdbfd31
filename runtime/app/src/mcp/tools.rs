//! The tools one agent can use: what the gate offers it, grouped by tool, in a stable order.

use std::collections::BTreeMap;
use std::sync::Arc;

use oaken_core::{Class, Descriptor, McpResult, schema};
use oaken_gate::Offer;
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::Value;

/// The operations behind each tool, by the tool's name.
pub type Groups<'a> = BTreeMap<String, Vec<&'a Offer>>;

/// The name of a tool as MCP clients take it: no dot.
pub fn name(d: &Descriptor) -> String {
    d.mcp.tool.replace('.', "__")
}

/// Groups what is offered by tool.
pub fn groups(offers: &[Offer]) -> Groups<'_> {
    let mut groups = Groups::new();
    for offer in offers {
        groups.entry(name(offer.descriptor)).or_default().push(offer);
    }
    groups
}

/// The tool definitions, all on one page.
pub fn definitions(offers: &[Offer]) -> Vec<Tool> {
    groups(offers)
        .into_iter()
        .map(|(name, group)| definition(name, &group))
        .collect()
}

fn definition(name: String, group: &[&Offer]) -> Tool {
    let descriptors: Vec<&Descriptor> = group.iter().map(|o| o.descriptor).collect();
    let options = schema::Options {
        account_required: group.iter().any(|o| o.account_required),
        confirm: false,
        proposal_token: true,
    };
    let changes = descriptors.iter().any(|d| d.class != Class::Read);
    let title = descriptors.first().map_or("", |d| d.title);
    let annotations = ToolAnnotations::from_raw(
        Some(title.to_owned()),
        Some(!changes),
        Some(descriptors.iter().any(|d| d.destroys)),
        // A second call with the same token is refused, so a repeat changes nothing more.
        Some(true),
        Some(false),
    );
    let tool = Tool::new(
        name,
        description(group, changes),
        object(schema::tool_input(&descriptors, options)),
    )
    .with_title(title)
    .with_annotations(annotations);
    if descriptors.iter().all(|d| d.mcp.result == McpResult::Structured) {
        tool.with_raw_output_schema(object(schema::tool_output(&descriptors)))
    } else {
        tool
    }
}

fn description(group: &[&Offer], changes: bool) -> String {
    let mut text = String::new();
    for offer in group {
        let d = offer.descriptor;
        if let Some(action) = d.mcp.action {
            text.push_str(&format!("{action}: "));
        }
        text.push_str(d.summary);
        if !d.description.is_empty() {
            text.push(' ');
            text.push_str(d.description);
        }
        for (setting, live) in &offer.bounds {
            text.push_str(&format!(" At most {live} ({setting})."));
        }
        text.push('\n');
    }
    if changes {
        text.push_str("The first call changes nothing: it answers a proposal. Call again with the same input and its proposal_token to do it.");
    }
    text.trim_end().to_owned()
}

fn object(schema: Value) -> Arc<serde_json::Map<String, Value>> {
    match schema {
        Value::Object(map) => Arc::new(map),
        _ => Arc::default(),
    }
}
