//! Every artefact of the real spec: the same each time, and of the dialect that its readers take.

use std::path::Path;

use serde_json::Value;

use super::*;
use crate::compile;

fn spec() -> Spec {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the package lies in the repository");
    let attributes = [root.join("runtime/read_state/src"), root.join("runtime/send/src")];
    compile(&root.join("spec"), &attributes).0
}

#[test]
fn two_runs_print_the_same() {
    let (one, two) = (spec(), spec());
    assert!(!one.operations.is_empty());
    for artefact in ARTEFACTS {
        assert!(
            (artefact.emit)(&one) == (artefact.emit)(&two),
            "{} differs",
            artefact.name
        );
    }
}

#[test]
fn generated_rust_is_rust() {
    let spec = spec();
    for artefact in ARTEFACTS {
        if let Dest::OutDir(file) = artefact.dest {
            syn::parse_file(&(artefact.emit)(&spec)).unwrap_or_else(|e| panic!("{file}: {e}"));
        }
    }
}

#[test]
fn no_mcp_schema_has_a_shape_that_clients_break_on() {
    let document: Value = serde_json::from_str(&mcp::emit(&spec())).expect("JSON");
    let tools = document["tools"].as_array().expect("tools");
    assert!(tools.len() > 5);
    for tool in tools {
        for key in ["inputSchema", "outputSchema"] {
            if let Some(schema) = tool.get(key) {
                assert_eq!(schema["type"], "object", "{}", tool["name"]);
                portable(schema, &format!("{}/{key}", tool["name"]));
            }
        }
    }
}

#[track_caller]
fn portable(schema: &Value, at: &str) {
    let schema = schema.as_object().unwrap_or_else(|| panic!("{at} is no object"));
    for word in ["$ref", "$defs", "anyOf", "oneOf", "allOf", "not", "nullable"] {
        assert!(!schema.contains_key(word), "{at} has {word}");
    }
    match schema.get("type") {
        None => assert!(schema.contains_key("description"), "{at} says nothing"),
        Some(Value::String(ty)) => match ty.as_str() {
            "object" => {
                assert_eq!(schema["additionalProperties"], false, "{at}");
                assert!(
                    schema
                        .get("required")
                        .is_none_or(|r| r.as_array().is_some_and(|r| !r.is_empty())),
                    "{at}"
                );
                for (name, inner) in schema["properties"].as_object().expect("properties") {
                    portable(inner, &format!("{at}/{name}"));
                }
            }
            "array" => {
                assert!(schema["maxItems"].is_u64(), "{at} has no bound");
                portable(&schema["items"], &format!("{at}/*"));
            }
            "integer" if at.contains("/inputSchema") => {
                assert!(schema["minimum"].is_i64() && schema["maximum"].is_i64(), "{at}");
            }
            "integer" | "string" | "boolean" => {}
            other => panic!("{at} is {other}"),
        },
        Some(other) => panic!("{at} has the type {other}"),
    }
}

#[test]
fn every_reference_of_the_openapi_document_leads_somewhere() {
    let document: Value = serde_json::from_str(&openapi::emit(&spec())).expect("JSON");
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 50);
    for reference in references {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

fn collect(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(reference)) = map.get("$ref") {
                out.push(reference.clone());
            }
            map.values().for_each(|v| collect(v, out));
        }
        Value::Array(items) => items.iter().for_each(|v| collect(v, out)),
        _ => {}
    }
}

#[test]
fn a_tool_of_two_operations_takes_the_union_and_an_action() {
    let root = std::env::temp_dir().join(format!("oaken-codegen-tool-{}", std::process::id()));
    let write = |path: &str, text: &str| {
        let path = root.join("spec").join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    };
    write(
        "settings/operations.yaml",
        "section: operations\nsummary: Bounds.\nsettings:\n  max_batch_ids: { type: integer, default: 2, min: 1, max: 9, doc: Ids. }\n",
    );
    for (name, field) in [
        ("archive", ""),
        ("move", "\n  folder_id: { type: FolderId, doc: Where to. }"),
    ] {
        write(
            &format!("operations/messages/{name}_messages.yaml"),
            &format!(
                "operation: {name}_messages\nsummary: Do {name}.\nclass: mutate\nceiling: off\n\
                 input:\n  target: {{ type: Selection, doc: Which. }}{field}\noutput:\n  done: \
                 {{ type: integer, min: 0, doc: How many. }}\nmcp: {{ tool: organize_messages, action: {name} }}\n"
            ),
        );
    }
    let (spec, found) = compile(&root.join("spec"), &[]);
    std::fs::remove_dir_all(&root).expect("removed");
    assert!(
        found.is_empty(),
        "{:?}",
        found.iter().map(|d| found.line(d)).collect::<Vec<_>>()
    );
    let tools = mcp::tools(&spec);
    let tool = mcp::tool(&tools["organize_messages"], &spec);
    assert!(
        tool["description"]
            .as_str()
            .is_some_and(|d| d.starts_with("archive: Do archive.\nmove: Do move.\n"))
    );
    let input = &tool["inputSchema"];
    assert_eq!(
        input["properties"]["action"]["enum"],
        serde_json::json!(["archive", "move"])
    );
    assert_eq!(input["properties"]["target"]["properties"]["ids"]["maxItems"], 9);
    assert!(
        input["properties"]["folder_id"].is_object() && input["properties"]["proposal_token"].is_object()
    );
    assert_eq!(input["required"], serde_json::json!(["action", "target"]));
    assert_eq!(tool["outputSchema"]["required"], Value::Null);
    assert!(tool["outputSchema"]["properties"]["proposal_id"].is_object());
}
