//! R101: names. Of an operation its path, snake_case, unique, at most 48 long, not reserved, free over MCP.
//! That fields and models are cased as they should be is lowering's, which cannot go on without it.

use std::collections::BTreeMap;

use super::{Check, Report, Rule};
use crate::{
    ir::{Declared, Operation, Origin, Spec},
    naming,
};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R101",
    refuses: "a name that is not its path, not snake_case, not unique, too long, reserved, or taken over MCP",
    page: include_str!("r101_name.md"),
    checks: &[Check::Operation(operation), Check::Spec(spec)],
};

fn operation(op: &Operation, _: &Spec, report: &mut Report<'_>) {
    let at = &op.origins.name;
    let name = op.name.as_str();
    if !naming::is_operation(name) {
        let help = format!("write `{}`", naming::to_snake(name));
        return report.push(at, format!("the name `{name}` is not in snake_case"), help);
    }
    if name.len() > naming::MAX_NAME {
        report.push(
            at,
            format!("the name has {} characters", name.len()),
            format!("at most {}", naming::MAX_NAME),
        );
    }
    if naming::RESERVED_OPERATIONS.contains(&name) {
        report.push(
            at,
            format!("the name `{name}` is reserved"),
            "say what it does: a verb and an object",
        );
    }
    if op.declared == Declared::Yaml {
        path(op, report);
    }
    if !naming::is_snake(&op.area) {
        let message = format!("the area `{}` is not in snake_case", op.area);
        report.push(
            &op.origins.area,
            message,
            format!("call the folder `{}`", naming::to_snake(&op.area)),
        );
    }
    for field in op
        .input
        .iter()
        .filter(|f| naming::RESERVED_INPUTS.contains(&f.name.as_str()))
    {
        let message = format!(
            "the input `{}` is reserved: the doors take it out before the input is read",
            field.name
        );
        report.push(&field.origin, message, "call it something else");
    }
    tool(op, report);
}

fn path(op: &Operation, report: &mut Report<'_>) {
    let file = file_stem(&op.origins.name);
    let (folder, expected) = match op.name.split_once('.') {
        Some((plugin, rest)) => (Some(plugin), rest),
        None => (None, op.name.as_str()),
    };
    if file != expected {
        let message = format!("the operation `{}` lies in the file `{file}.yaml`", op.name);
        report.push(
            &op.origins.name,
            message,
            format!("rename the file to `{expected}.yaml` or the operation"),
        );
    }
    if let Some(plugin) = folder.filter(|p| *p != op.area) {
        let message = format!(
            "the operation of the plugin `{plugin}` lies in the folder `{}`",
            op.area
        );
        report.push(
            &op.origins.name,
            message,
            format!("move it to the folder `{plugin}`"),
        );
    }
}

fn tool(op: &Operation, report: &mut Report<'_>) {
    let tool = &op.mcp.tool;
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if tool.is_empty() || tool.len() > naming::MAX_MCP_NAME || !tool.chars().all(good) {
        let help = format!(
            "1 to {} lowercase letters, digits and `_`, no dot",
            naming::MAX_MCP_NAME
        );
        report.push(
            &op.origins.mcp,
            format!("`{tool}` is no name of an MCP tool"),
            help,
        );
    }
    if let Some(action) = op.mcp.action.as_ref().filter(|a| !naming::is_snake(a)) {
        report.push(
            &op.origins.mcp,
            format!("the action `{action}` is not in snake_case"),
            naming::to_snake(action),
        );
    }
    if let Some(field) = op.input_field("action").filter(|_| op.mcp.action.is_some()) {
        report.push(
            &field.origin,
            "the input `action` is taken by the grouped tool's own",
            "call it something else",
        );
    }
}

fn spec(spec: &Spec, report: &mut Report<'_>) {
    unique(
        spec.operations.iter().map(|o| (o.name.clone(), &o.origins.name)),
        "operation",
        report,
    );
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for op in &spec.operations {
        let ty = naming::model_name(&op.name.replace('.', "_"));
        match seen.get(ty.as_str()) {
            Some(other) if *other != op.name => {
                let message = format!("`{}` and `{other}` are both `{ty}` in Rust", op.name);
                report.push(&op.origins.name, message, "rename one of them");
            }
            _ => drop(seen.insert(ty, &op.name)),
        }
    }
    unique(
        spec.models.iter().map(|m| (m.name.clone(), &m.origin)),
        "model",
        report,
    );
    unique(
        spec.sections.iter().map(|s| (s.name.clone(), &s.origin)),
        "section",
        report,
    );
    for model in &spec.models {
        lies_in(
            &naming::model_file(&model.name),
            "model",
            &model.name,
            &model.origin,
            report,
        );
    }
    for section in &spec.sections {
        lies_in(&section.name, "section", &section.name, &section.origin, report);
    }
    tools(spec, report);
}

fn unique<'s>(names: impl Iterator<Item = (String, &'s Origin)>, what: &str, report: &mut Report<'_>) {
    let mut seen: BTreeMap<String, &Origin> = BTreeMap::new();
    for (name, origin) in names {
        if let Some(first) = seen.get(&name) {
            let message = format!("the {what} `{name}` is declared twice");
            report.push(origin, message, format!("it is declared in {} too", first.file));
        } else {
            seen.insert(name, origin);
        }
    }
}

fn lies_in(expected: &str, what: &str, name: &str, origin: &Origin, report: &mut Report<'_>) {
    let file = file_stem(origin);
    if file != expected {
        let message = format!("the {what} `{name}` lies in the file `{file}.yaml`");
        report.push(
            origin,
            message,
            format!("rename the file to `{expected}.yaml` or the {what}"),
        );
    }
}

/// A tool that several operations share tells them apart by `action`.
fn tools(spec: &Spec, report: &mut Report<'_>) {
    let mut seen: BTreeMap<(&str, Option<&str>), &str> = BTreeMap::new();
    for op in &spec.operations {
        let tool = op.mcp.tool.as_str();
        let shared = spec
            .operations
            .iter()
            .any(|o| o.mcp.tool == tool && o.name != op.name);
        let action = op.mcp.action.as_deref();
        match seen.get(&(tool, action)) {
            Some(other) if *other != op.name => {
                let message = format!("the MCP tool `{tool}` carries `{other}` and `{}` alike", op.name);
                report.push(
                    &op.origins.mcp,
                    message,
                    "give each its own `action`, or its own tool",
                );
            }
            None if shared && action.is_none() => {
                let message = format!("the MCP tool `{tool}` is shared, and `{}` has no action", op.name);
                report.push(&op.origins.mcp, message, "give it an `action`, or its own tool");
            }
            _ => {}
        }
        seen.entry((tool, action)).or_insert(&op.name);
    }
}

fn file_stem(origin: &Origin) -> String {
    let name = origin.file.rsplit('/').next().unwrap_or_default();
    name.strip_suffix(".yaml").unwrap_or(name).to_owned()
}
