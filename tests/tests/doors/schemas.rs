//! What is answered against what is published: the output of the operation, and the result of the MCP tool.

use std::collections::BTreeMap;

use jsonschema::Validator;
use oaken_core::{Descriptor, schema};
use serde_json::{Value, json};

use crate::descriptors;
use crate::doors::{Door, is_text};

/// Validators with formats on, made once.
#[derive(Default)]
pub struct Schemas {
    outputs: BTreeMap<&'static str, Validator>,
    tools: BTreeMap<String, Validator>,
    added: Option<Validator>,
}

impl Schemas {
    /// Of every operation and of these tool definitions.
    pub fn of(tools: &Value) -> Self {
        let listed = tools.as_array().into_iter().flatten();
        let published =
            listed.filter_map(|t| Some((t["name"].as_str()?.to_owned(), validator(t.get("outputSchema")?))));
        let added = json!({
            "type": "object", "additionalProperties": false,
            "properties": { "cut": schema::cut(), "entry": schema::entry() },
        });
        Schemas {
            outputs: descriptors()
                .iter()
                .map(|d| (d.name, validator(&schema::output(d))))
                .collect(),
            tools: published.collect(),
            added: Some(validator(&added)),
        }
    }

    /// An answer satisfies what its door publishes of it.
    #[track_caller]
    pub fn check(&self, door: Door, d: &Descriptor, answer: &Value) {
        if is_text(door, d) {
            assert!(
                !self.tools.contains_key(d.mcp.tool),
                "{}: text, and a schema is published",
                d.name
            );
            return;
        }
        if matches!(door, Door::Stdio | Door::Mcp) {
            let tool = self
                .tools
                .get(d.mcp.tool)
                .unwrap_or_else(|| panic!("{} publishes no outputSchema", d.mcp.tool));
            satisfies(tool, d, answer);
        }
        if answer.get("proposal_token").is_some() {
            satisfies(&validator(&schema::proposal()), d, answer);
            return;
        }
        let mut output = answer.clone();
        let mut added = json!({});
        for name in ["cut", "entry"] {
            if let Some(value) = output.as_object_mut().and_then(|o| o.shift_remove(name)) {
                added[name] = value;
            }
        }
        satisfies(&self.outputs[d.name], d, &output);
        satisfies(self.added.as_ref().expect("made with the others"), d, &added);
    }
}

#[track_caller]
fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::options()
        .should_validate_formats(true)
        .build(schema)
        .unwrap_or_else(|e| panic!("no schema: {e}: {schema}"))
}

#[track_caller]
fn satisfies(validator: &Validator, d: &Descriptor, value: &Value) {
    let faults: Vec<String> = validator
        .iter_errors(value)
        .map(|e| format!("{} ({})", e.instance_path(), e.schema_path()))
        .collect();
    assert!(
        faults.is_empty(),
        "{} answers what its schema refuses at {faults:?}: {value}",
        d.name
    );
}
