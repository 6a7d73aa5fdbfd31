//! The schemas that a door makes while it runs are those that `cargo codegen` wrote into the contract.

use std::collections::BTreeMap;
use std::path::Path;

use oaken_codegen::emit::schema::{Models, Options, Schemas};
use oaken_codegen::{Spec, build, compile, emit};
use oaken_core::{Descriptor, schema};
use serde_json::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the package lies in the repository")
}

fn spec() -> Spec {
    let (spec, found) = compile(&root().join("spec"), &build::attribute_sources(root()));
    assert!(
        found.is_empty(),
        "{:?}",
        found.iter().map(|d| found.line(d)).collect::<Vec<_>>()
    );
    spec
}

/// Every descriptor of the crates that have operations, by name.
fn descriptors() -> BTreeMap<&'static str, &'static Descriptor> {
    [
        oaken_operations::DESCRIPTORS,
        oaken_read_state::DESCRIPTORS,
        oaken_send::DESCRIPTORS,
    ]
    .into_iter()
    .flatten()
    .map(|d| (d.name, *d))
    .collect()
}

#[test]
fn every_operation_of_the_spec_is_in_the_binary_and_the_reverse() {
    let spec = spec();
    let declared: Vec<&str> = spec.operations.iter().map(|o| o.name.as_str()).collect();
    assert_eq!(declared, descriptors().into_keys().collect::<Vec<_>>());
}

#[test]
fn inputs_and_outputs_agree() {
    let (spec, descriptors) = (spec(), descriptors());
    let written = Schemas {
        spec: &spec,
        models: Models::Inline,
    };
    for confirmed in [false, true] {
        let ours = schema::Options {
            account_required: false,
            confirm: confirmed,
            proposal_token: confirmed,
        };
        let theirs = Options {
            confirm: confirmed,
            proposal_token: confirmed,
        };
        for op in &spec.operations {
            let d = descriptors[op.name.as_str()];
            same(&op.name, &schema::input(d, ours), &written.input(op, theirs));
            same(&op.name, &schema::output(d), &written.output(op));
        }
    }
}

#[test]
fn tools_agree() {
    let (spec, descriptors) = (spec(), descriptors());
    let options = schema::Options {
        proposal_token: true,
        ..schema::Options::default()
    };
    for (name, ops) in emit::mcp::tools(&spec) {
        let tool = emit::mcp::tool(&ops, &spec);
        let descriptors: Vec<&Descriptor> = ops.iter().map(|o| descriptors[o.name.as_str()]).collect();
        same(
            name,
            &schema::tool_input(&descriptors, options),
            &tool["inputSchema"],
        );
        if let Some(output) = tool.get("outputSchema") {
            same(name, &schema::tool_output(&descriptors), output);
        }
    }
}

#[test]
fn a_restricted_caller_must_name_the_account_and_nothing_else_changes() {
    let d = descriptors()["list_messages"];
    let open = schema::input(d, schema::Options::default());
    let restricted = schema::input(
        d,
        schema::Options {
            account_required: true,
            ..schema::Options::default()
        },
    );
    assert_eq!(open["required"], Value::Null);
    assert_eq!(restricted["required"], serde_json::json!(["account_id"]));
    assert_eq!(open["properties"], restricted["properties"]);
}

/// Equal to the letter: the order of fields too, which a person reads.
#[track_caller]
fn same(what: &str, ours: &Value, theirs: &Value) {
    assert_eq!(ours.to_string(), theirs.to_string(), "{what}");
}

#[test]
fn a_problem_document_lists_every_code_there_is() {
    use oaken_core::Code::{
        Budget, Busy, ConfirmRequired, Internal, Interrupted, InvalidInput, NotAvailable, NotFound,
        OverLimit, PresenceRequired, Refused, RemoteRefused, RemoteUnreachable, Stale, Unauthenticated,
        Unconfirmed,
    };
    let codes = [
        Internal,
        InvalidInput,
        ConfirmRequired,
        Unauthenticated,
        PresenceRequired,
        NotAvailable,
        Refused,
        OverLimit,
        Budget,
        NotFound,
        Stale,
        RemoteUnreachable,
        RemoteRefused,
        Unconfirmed,
        Busy,
        Interrupted,
    ];
    let words: Vec<&str> = codes.iter().map(|c| c.word()).collect();
    assert_eq!(emit::problem::CODES, words);
    for code in codes {
        let status = code.http();
        assert!(
            emit::problem::PROBLEMS.iter().any(|p| p.status == status),
            "{status} is not documented"
        );
    }
}
