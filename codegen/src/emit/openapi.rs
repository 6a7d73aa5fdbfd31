//! `openapi.json`: the HTTP door as an OpenAPI 3.1 document.
//!
//! One path an operation; models as components. Each answer is there where it can occur: what the class, the ceiling
//! and the types of an operation tell. What only a person's browser uses is deliberately absent.

use serde_json::{Map, Value, json};

use super::answer;
use super::problem;
use super::reach;
use super::schema::{Models, Options, Schemas};
use crate::ir::{Ceiling, Class, Operation, Spec};

/// The document.
#[must_use]
pub fn emit(spec: &Spec) -> String {
    format!("{:#}\n", document(spec))
}

fn document(spec: &Spec) -> Value {
    let schemas = Schemas {
        spec,
        models: Models::Components,
    };
    let mut paths = Map::new();
    for op in spec.operations.iter().filter(|o| !o.cli.only) {
        let path = format!("/api/v1/operations/{}", op.name);
        paths.insert(path, json!({ "post": operation(op, schemas) }));
    }
    paths.extend(fixed_paths());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Oaken",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Mail operations behind one gate.",
            "description": "Every operation of Oaken over HTTP, through the same gate as the command line and MCP. \
                A personal token makes a person's call; an agent's token makes an agent's, which gets a proposal \
                (202) where a person would be asked to confirm.",
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/", "description": "The daemon itself; it listens on loopback." }],
        "security": [{ "bearer": [] }],
        "tags": tags(spec),
        "paths": paths,
        "components": {
            "securitySchemes": {
                "bearer": {
                    "type": "http", "scheme": "bearer",
                    "description": "A personal token (oak_person_...) or an agent's (oak_agent_...).",
                },
            },
            "schemas": components(spec, schemas),
            "responses": problem::responses(),
        },
    })
}

fn tags(spec: &Spec) -> Vec<Value> {
    let mut areas: Vec<&str> = spec.operations.iter().map(|o| o.area.as_str()).collect();
    areas.sort_unstable();
    areas.dedup();
    let mut tags: Vec<Value> = areas
        .iter()
        .map(|a| json!({ "name": a, "description": format!("Operations on {}.", a.replace('_', " ")) }))
        .collect();
    tags.push(json!({ "name": "service", "description": "The service itself." }));
    tags
}

fn operation(op: &Operation, schemas: Schemas<'_>) -> Value {
    // Only an agent has a proposal, and only of what it may be offered.
    let proposed = proposes(op);
    let options = Options {
        confirm: true,
        proposal_token: proposed,
    };
    let mut schema = schemas.input(op, options);
    if proposed {
        let both = json!({ "confirm": { "type": "boolean" }, "proposal_token": { "type": "string" } });
        schema["not"] = json!({ "properties": both, "required": ["confirm", "proposal_token"] });
    }
    let mut content = json!({ "schema": schema });
    let examples: Map<String, Value> = op
        .examples
        .iter()
        .enumerate()
        .map(|(n, e)| (format!("example{}", n + 1), json!({ "value": e.input })))
        .collect();
    if !examples.is_empty() {
        content["examples"] = examples.into();
    }
    json!({
        "operationId": op.name,
        "tags": [op.area],
        "summary": op.summary,
        "description": description(op),
        "requestBody": { "required": true, "content": { "application/json": content } },
        "responses": responses(op, schemas),
    })
}

fn description(op: &Operation) -> String {
    let mut text = op.description.clone();
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(&format!(
        "Class `{}`; for agents: `{}`.",
        op.class.word(),
        op.ceiling.word()
    ));
    if let Some(undo) = &op.undo {
        text.push_str(&format!(" Undone by `{undo}`."));
    }
    text
}

fn responses(op: &Operation, schemas: Schemas<'_>) -> Value {
    let mut out = Map::new();
    out.insert(
        "200".into(),
        json!({
            "description": "Done.",
            "content": { "application/json": { "schema": done(op, schemas) } },
        }),
    );
    if proposes(op) {
        out.insert("202".into(), json!({ "$ref": "#/components/responses/Proposed" }));
    }
    for problem in problem::PROBLEMS
        .iter()
        .filter(|p| occurs(p.status, op, schemas.spec))
    {
        let reference = format!("#/components/responses/{}", problem.name);
        out.insert(problem.status.to_string(), json!({ "$ref": reference }));
    }
    out.into()
}

/// Whether an agent's call of it is answered by a proposal.
fn proposes(op: &Operation) -> bool {
    op.class == Class::Mutate && op.ceiling != Ceiling::Never
}

/// Whether a status can be an answer of this operation.
fn occurs(status: u16, op: &Operation, spec: &Spec) -> bool {
    match status {
        409 => op.changes() || reach::pages(op),
        424 => reach::touches_mail(op, spec),
        _ => true,
    }
}

/// The output, what was cut of it, and of a change its journal entry.
fn done(op: &Operation, schemas: Schemas<'_>) -> Value {
    let mut schema = schemas.output(op);
    schema["properties"]["cut"] = json!({ "$ref": "#/components/schemas/Cut" });
    if op.changes() {
        schema["properties"]["entry"] = answer::entry();
    }
    schema
}

fn components(spec: &Spec, schemas: Schemas<'_>) -> Map<String, Value> {
    let mut out: Map<String, Value> = spec
        .models
        .iter()
        .map(|m| {
            let mut schema = schemas.model(&m.fields);
            schema["description"] = json!(m.summary);
            (m.name.clone(), schema)
        })
        .collect();
    out.insert("Cut".into(), answer::cut());
    out.insert("Proposal".into(), answer::proposal());
    out.insert("Problem".into(), problem::schema());
    out
}

fn fixed_paths() -> Map<String, Value> {
    let text = |words: &str| {
        json!({
            "description": words, "content": { "text/plain": { "schema": { "type": "string" } } },
        })
    };
    let unready = json!({ "$ref": "#/components/responses/Busy" });
    let paths = json!({
        "/api/v1/openapi.json": { "get": {
            "operationId": "openapi", "tags": ["service"], "summary": "This document.", "security": [],
            "responses": {
                "200": { "description": "This document.", "content": { "application/json": { "schema": { "type": "object" } } } },
                "403": { "$ref": "#/components/responses/Refused" },
            },
        } },
        "/livez": { "get": {
            "operationId": "livez", "tags": ["service"], "summary": "Whether the process runs.", "security": [],
            "responses": { "200": text("It runs."), "403": { "$ref": "#/components/responses/Refused" } },
        } },
        "/readyz": { "get": {
            "operationId": "readyz", "tags": ["service"], "summary": "Whether it can serve.", "security": [],
            "responses": {
                "200": text("It can."), "403": { "$ref": "#/components/responses/Refused" }, "503": unready,
            },
        } },
    });
    match paths {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
