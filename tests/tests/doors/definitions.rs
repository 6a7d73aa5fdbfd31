//! What an agent's context pays before it has asked anything, and for one listing.

use oaken_core::Ceiling;
use serde_json::json;

use crate::descriptors;
use crate::doors::{Door, Doors, operation};

/// DESIGN §6.
const MOST_TOOLS: usize = 20;
const MOST_BYTES: usize = 24_000;

/// The tools that are on by default; what the demo raised is put back first.
pub fn are_bounded(doors: &mut Doors) {
    for d in descriptors().into_iter().filter(|d| d.ceiling == Ceiling::Off) {
        doors.oaken.call(
            "set_operation_exposure",
            &json!({ "operation": d.name, "exposure": "default" }),
        );
    }
    let tools = doors.tools();
    let (count, bytes) = (tools.as_array().map_or(0, Vec::len), tools.to_string().len());
    println!("{count} tools are defined in {bytes} bytes");
    assert!((10..=MOST_TOOLS).contains(&count), "{count} tools");
    assert!(bytes <= MOST_BYTES, "{bytes} bytes of definitions");

    let accounts = doors.answer(Door::Stdio, operation("list_accounts"), &json!({}));
    let input = json!({ "account_id": accounts["accounts"][0]["account_id"] });
    let listed = doors.answer(Door::Mcp, operation("list_messages"), &input);
    let rows = listed["messages"].as_array().map_or(0, Vec::len);
    assert_eq!(rows, 20, "an agent's listing by default");
    let raw = doors.raw(operation("list_messages"), &input);
    let text = raw["content"][0]["text"].as_str().unwrap_or_default();
    println!(
        "{rows} rows of list_messages: {} bytes as text, {} as structured content",
        text.len(),
        listed.to_string().len()
    );
    // The same JSON in both forms, and nothing beside it.
    assert_eq!(serde_json::from_str::<serde_json::Value>(text).ok(), Some(listed));
    assert_eq!(raw["content"].as_array().map(Vec::len), Some(1));
}
