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
