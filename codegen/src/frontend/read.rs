//! From values to raw declarations: which keys there are and what kind of value each takes.
//!
//! Every fault of a file is reported, not the first: an unknown key with the nearest name (S002), a value of the wrong
//! kind (S003). Nothing is required here; that something is missing is lowering's to say.

use std::collections::BTreeSet;

use super::keys::Keys;
use super::{
    RawExample, RawField, RawMcp, RawModel, RawOperation, RawSection, RawSetting, RawThen, Spanned, Value,
};
use crate::{
    diagnostic::Diagnostics,
    ir::{Declared, Origin},
};

/// The keys of an operation's file.
pub const OPERATION_KEYS: &[&str] = &[
    "operation",
    "title",
    "summary",
    "description",
    "class",
    "ceiling",
    "input",
    "output",
    "undo",
    "approval",
    "mcp",
    "cli",
    "cli_only",
    "examples",
    "marks_read",
    "preview",
    "nested",
    "presence",
    "schedulable",
    "destroys",
    "then",
];
/// The keys of a field.
pub const FIELD_KEYS: &[&str] = &[
    "type",
    "doc",
    "default",
    "min",
    "max",
    "min_chars",
    "max_chars",
    "required",
];
/// The keys of a model's file.
pub const MODEL_KEYS: &[&str] = &["model", "summary", "fields"];
/// The keys of a file of settings.
pub const SECTION_KEYS: &[&str] = &["section", "summary", "settings"];
/// The keys of a setting.
pub const SETTING_KEYS: &[&str] = &["type", "default", "min", "max", "agent", "doc"];
/// The keys of `mcp`.
pub const MCP_KEYS: &[&str] = &["tool", "action", "result"];
/// The keys of `then`.
pub const THEN_KEYS: &[&str] = &["when", "run"];
/// The keys of an example.
pub const EXAMPLE_KEYS: &[&str] = &["input"];

/// An operation's file.
pub fn operation(document: &Spanned<Value>, area: Spanned<String>, found: &mut Diagnostics) -> RawOperation {
    let mut raw = RawOperation::empty(Declared::Yaml, Origin::file(&document.origin.file));
    raw.area = Some(area);
    let mut keys = Keys::new(found);
    for (key, value) in keys.mapping("the file", document) {
        let k = &mut keys;
        match key.value.as_str() {
            "operation" => raw.operation = k.string(key, value),
            "title" => raw.title = k.string(key, value),
            "summary" => raw.summary = k.string(key, value),
            "description" => raw.description = k.string(key, value),
            "class" => raw.class = k.string(key, value),
            "ceiling" => raw.ceiling = k.string(key, value),
            "input" => raw.input = k.fields(key, value),
            "output" => raw.output = k.fields(key, value),
            "undo" => raw.undo = k.string(key, value),
            "approval" => raw.approval = k.string(key, value),
            "mcp" => raw.mcp = k.mcp(value),
            "cli" => raw.cli = k.string(key, value),
            "cli_only" => raw.cli_only = k.boolean(key, value),
            "examples" => raw.examples = k.examples(key, value),
            "marks_read" => raw.marks_read = k.boolean(key, value),
            "preview" => raw.preview = k.boolean(key, value),
            "nested" => raw.nested = k.boolean(key, value),
            "presence" => raw.presence = k.string(key, value),
            "schedulable" => raw.schedulable = k.boolean(key, value),
            "destroys" => raw.destroys = k.boolean(key, value),
            "then" => raw.then = k.then(value),
            _ => k.unknown(key, OPERATION_KEYS),
        }
    }
    raw.spoiled = keys.spoiled;
    if let Some(name) = &raw.operation {
        raw.origin = name.origin.clone();
    }
    raw
}

/// A model's file.
pub fn model(document: &Spanned<Value>, found: &mut Diagnostics) -> RawModel {
    let mut raw = RawModel {
        origin: Origin::file(&document.origin.file),
        model: None,
        summary: None,
        fields: None,
        spoiled: BTreeSet::new(),
    };
    let mut keys = Keys::new(found);
    for (key, value) in keys.mapping("the file", document) {
        match key.value.as_str() {
            "model" => raw.model = keys.string(key, value),
            "summary" => raw.summary = keys.string(key, value),
            "fields" => raw.fields = keys.fields(key, value),
            _ => keys.unknown(key, MODEL_KEYS),
        }
    }
    raw.spoiled = keys.spoiled;
    if let Some(name) = &raw.model {
        raw.origin = name.origin.clone();
    }
    raw
}

/// A file of settings.
pub fn section(document: &Spanned<Value>, found: &mut Diagnostics) -> RawSection {
    let mut raw = RawSection {
        origin: Origin::file(&document.origin.file),
        section: None,
        summary: None,
        settings: None,
        spoiled: BTreeSet::new(),
    };
    let mut keys = Keys::new(found);
    for (key, value) in keys.mapping("the file", document) {
        match key.value.as_str() {
            "section" => raw.section = keys.string(key, value),
            "summary" => raw.summary = keys.string(key, value),
            "settings" => raw.settings = keys.settings(key, value),
            _ => keys.unknown(key, SECTION_KEYS),
        }
    }
    raw.spoiled = keys.spoiled;
    if let Some(name) = &raw.section {
        raw.origin = name.origin.clone();
    }
    raw
}

/// The parts that are mappings or lists themselves.
impl Keys<'_> {
    fn fields(&mut self, key: &Spanned<String>, value: &Spanned<Value>) -> Option<Spanned<Vec<RawField>>> {
        let Value::Map(entries) = &value.value else {
            self.wrong(
                key,
                value,
                "a mapping",
                "a name and a type a line, or {} for none",
            );
            return None;
        };
        let fields = entries
            .iter()
            .map(|(name, value)| self.field(name, value))
            .collect();
        Some(Spanned::new(fields, value.origin.clone()))
    }

    fn field(&mut self, name: &Spanned<String>, value: &Spanned<Value>) -> RawField {
        let mut raw = RawField::named(name.clone());
        let mut keys = self.inner();
        match &value.value {
            Value::String(ty) => raw.ty = Some(Spanned::new(ty.clone(), value.origin.clone())),
            Value::Map(entries) => {
                for (key, value) in entries {
                    match key.value.as_str() {
                        "type" => raw.ty = keys.string(key, value),
                        "doc" => raw.doc = keys.string(key, value),
                        "default" => raw.default = Some(value.clone()),
                        "min" => raw.min = keys.integer(key, value),
                        "max" => raw.max = keys.integer(key, value),
                        "min_chars" => raw.min_chars = keys.integer(key, value),
                        "max_chars" => raw.max_chars = keys.integer(key, value),
                        "required" => raw.required = keys.boolean(key, value),
                        _ => keys.unknown(key, FIELD_KEYS),
                    }
                }
            }
            _ => {
                keys.wrong(
                    name,
                    value,
                    "a type, or a mapping with `type`",
                    "for example `string(64)`",
                );
                keys.spoiled.insert("type".into());
            }
        }
        raw.spoiled = keys.spoiled;
        if raw.spoiled.contains("type") {
            raw.ty = None;
        }
        self.spoiled
            .extend(raw.spoiled.iter().map(|_| name.value.clone()));
        raw
    }

    fn mcp(&mut self, value: &Spanned<Value>) -> Option<Spanned<RawMcp>> {
        let mut raw = RawMcp::default();
        for (key, value) in self.mapping("`mcp`", value) {
            match key.value.as_str() {
                "tool" => raw.tool = self.string(key, value),
                "action" => raw.action = self.string(key, value),
                "result" => raw.result = self.string(key, value),
                _ => self.unknown(key, MCP_KEYS),
            }
        }
        Some(Spanned::new(raw, value.origin.clone()))
    }

    fn then(&mut self, value: &Spanned<Value>) -> Option<Spanned<RawThen>> {
        let mut raw = RawThen::default();
        for (key, value) in self.mapping("`then`", value) {
            match key.value.as_str() {
                "when" => raw.when = self.string(key, value),
                "run" => raw.run = self.string(key, value),
                _ => self.unknown(key, THEN_KEYS),
            }
        }
        Some(Spanned::new(raw, value.origin.clone()))
    }

    fn examples(
        &mut self,
        key: &Spanned<String>,
        value: &Spanned<Value>,
    ) -> Option<Spanned<Vec<RawExample>>> {
        let Value::List(items) = &value.value else {
            self.wrong(key, value, "a list", "a line `- { input: { … } }` an example");
            return None;
        };
        let mut examples = Vec::new();
        for item in items {
            let mut raw = RawExample::default();
            for (key, value) in self.mapping("an example", item) {
                match key.value.as_str() {
                    "input" if matches!(value.value, Value::Map(_)) => raw.input = Some(value.clone()),
                    "input" => self.wrong(key, value, "a mapping", "the fields of the input, or {}"),
                    _ => self.unknown(key, EXAMPLE_KEYS),
                }
            }
            examples.push(raw);
        }
        Some(Spanned::new(examples, value.origin.clone()))
    }

    fn settings(
        &mut self,
        key: &Spanned<String>,
        value: &Spanned<Value>,
    ) -> Option<Spanned<Vec<RawSetting>>> {
        let Value::Map(entries) = &value.value else {
            self.wrong(key, value, "a mapping", "a name and a mapping a setting");
            return None;
        };
        let settings = entries
            .iter()
            .map(|(name, value)| self.setting(name, value))
            .collect();
        Some(Spanned::new(settings, value.origin.clone()))
    }

    fn setting(&mut self, name: &Spanned<String>, value: &Spanned<Value>) -> RawSetting {
        let mut keys = self.inner();
        let mut raw = RawSetting {
            name: name.clone(),
            ty: None,
            default: None,
            min: None,
            max: None,
            agent: None,
            doc: None,
            spoiled: BTreeSet::new(),
        };
        for (key, value) in keys.mapping("a setting", value) {
            match key.value.as_str() {
                "type" => raw.ty = keys.string(key, value),
                "default" => raw.default = Some(value.clone()),
                "min" => raw.min = keys.integer(key, value),
                "max" => raw.max = keys.integer(key, value),
                "agent" => raw.agent = keys.string(key, value),
                "doc" => raw.doc = keys.string(key, value),
                _ => keys.unknown(key, SETTING_KEYS),
            }
        }
        raw.spoiled = keys.spoiled;
        raw
    }
}
