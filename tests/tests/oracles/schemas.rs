//! The published schemas against those that schemars derives of the generated types: the same fields, required or not,
//! of the same types, and the same words of each enum.
//!
//! Bounds are not compared: types have none, and the walk is held against the schema in `inputs`.

use std::collections::BTreeMap;

use oaken_core::schema::{ADDRESS_PATTERN, TIMESTAMP_PATTERN};
use oaken_core::{
    AccountId, AgentId, AttachmentId, DraftId, EntryId, FolderId, IdKind, LabelId, MessageId, ProposalId,
    ThreadId, TokenId, schema,
};
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::derived::vocabulary::NAME;
use crate::{derived, descriptors};

#[derive(Debug, PartialEq)]
enum Kind {
    Boolean,
    Integer,
    String,
    /// A string of one of the names of `oaken_core`.
    Named(&'static str),
    Words(Vec<String>),
    List(Box<Kind>),
    Object {
        fields: BTreeMap<String, (bool, Kind)>,
        closed: bool,
    },
}

/// The ids' patterns and the names of their types.
const IDS: [(IdKind, &str); 11] = [
    (MessageId::KIND, "MessageId"),
    (ThreadId::KIND, "ThreadId"),
    (AccountId::KIND, "AccountId"),
    (FolderId::KIND, "FolderId"),
    (LabelId::KIND, "LabelId"),
    (DraftId::KIND, "DraftId"),
    (AttachmentId::KIND, "AttachmentId"),
    (EntryId::KIND, "EntryId"),
    (AgentId::KIND, "AgentId"),
    (ProposalId::KIND, "ProposalId"),
    (TokenId::KIND, "TokenId"),
];

#[derive(Clone, Copy, PartialEq)]
enum Way {
    In,
    Out,
}

#[test]
fn schemars_derives_the_same() {
    for d in descriptors() {
        let settings = || SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true);
        let inputs = settings().into_generator();
        let outputs = settings().for_serialize().into_generator();
        let (input, output) =
            derived::derived(d.name, inputs, outputs).unwrap_or_else(|| panic!("{} has no types", d.name));
        let ours = schema::input(d, schema::Options::default());
        assert_eq!(
            published(&ours, Way::In),
            derives(input.as_value(), Way::In),
            "the input of {}",
            d.name
        );
        let ours = schema::output(d);
        assert_eq!(
            published(&ours, Way::Out),
            derives(output.as_value(), Way::Out),
            "the output of {}",
            d.name
        );
    }
}

/// What a published schema says.
fn published(schema: &Value, way: Way) -> Kind {
    let pattern = schema["pattern"].as_str();
    let id = pattern.and_then(|p| IDS.iter().find(|(kind, _)| kind.pattern() == p));
    match schema["type"].as_str() {
        Some("boolean") => Kind::Boolean,
        Some("integer") => Kind::Integer,
        Some("array") => Kind::List(Box::new(published(&schema["items"], way))),
        Some("object") => {
            // Where there is a default the gate fills it in, so that the type always has it.
            let filled = |property: &Value| property.get("default").is_some();
            object(schema, way, published, filled)
        }
        Some("string") => match (id, pattern) {
            (Some((_, name)), _) => Kind::Named(name),
            (_, Some(p)) if p == ADDRESS_PATTERN => Kind::Named("Address"),
            (_, Some(p)) if p == TIMESTAMP_PATTERN => Kind::Named("Timestamp"),
            _ if schema["format"] == "date-time" => Kind::Named("Timestamp"),
            _ if schema["writeOnly"] == true => Kind::Named("Secret"),
            _ if schema["readOnly"] == true => Kind::Named("IssuedSecret"),
            _ if schema["enum"].is_array() => words(schema["enum"].as_array()),
            _ => Kind::String,
        },
        other => panic!("{other:?} in {schema}"),
    }
}

/// What a derived schema says; `null` is how schemars says that a field is optional, and the doors never say it.
fn derives(schema: &Value, way: Way) -> Kind {
    let is_null = |s: &Value| s["type"] == "null";
    if let Some(either) = schema["anyOf"].as_array() {
        let other: Vec<&Value> = either.iter().filter(|s| !is_null(s)).collect();
        assert_eq!(other.len(), 1, "{schema}");
        return derives(other[0], way);
    }
    if let Some(variants) = schema["oneOf"].as_array() {
        return Kind::Words(
            variants
                .iter()
                .filter_map(|v| v["const"].as_str().map(str::to_owned))
                .collect(),
        );
    }
    let of_type = match &schema["type"] {
        Value::Array(either) => either.iter().find(|t| *t != "null").and_then(Value::as_str),
        one => one.as_str(),
    };
    match of_type {
        Some("boolean") => Kind::Boolean,
        Some("integer") => Kind::Integer,
        Some("array") => Kind::List(Box::new(derives(&schema["items"], way))),
        Some("object") => object(schema, way, derives, |_| false),
        Some("string") => match schema[NAME].as_str() {
            Some("Text") => Kind::String,
            // An address that goes out is as somebody wrote it.
            Some("Address") if way == Way::Out => Kind::String,
            Some("Address") => Kind::Named("Address"),
            Some("Timestamp") => Kind::Named("Timestamp"),
            Some("Secret") => Kind::Named("Secret"),
            Some("IssuedSecret") => Kind::Named("IssuedSecret"),
            Some(id) => Kind::Named(IDS.iter().find(|(_, name)| *name == id).expect("an id").1),
            None if schema["enum"].is_array() => words(schema["enum"].as_array()),
            None => Kind::String,
        },
        other => panic!("{other:?} in {schema}"),
    }
}

fn words(words: Option<&Vec<Value>>) -> Kind {
    Kind::Words(
        words
            .into_iter()
            .flatten()
            .filter_map(|w| w.as_str().map(str::to_owned))
            .collect(),
    )
}

/// An object's fields. Only what comes in is closed in serde's eyes; what goes out is by being written.
fn object(schema: &Value, way: Way, kind: fn(&Value, Way) -> Kind, filled: fn(&Value) -> bool) -> Kind {
    let required = |name: &str| {
        schema["required"]
            .as_array()
            .is_some_and(|r| r.iter().any(|n| n == name))
    };
    let properties = schema["properties"].as_object().into_iter().flatten();
    Kind::Object {
        fields: properties
            .map(|(name, p)| (name.clone(), (required(name) || filled(p), kind(p, way))))
            .collect(),
        closed: way == Way::Out || schema["additionalProperties"] == false,
    }
}
