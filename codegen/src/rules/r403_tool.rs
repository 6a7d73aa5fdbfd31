//! R403: one MCP tool is one thing to a client: annotations, approval and each field's type are the tool's.

use std::collections::BTreeMap;

use super::{Check, Report, Rule};
use crate::ir::{Field, Operation, Spec, Type};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R403",
    refuses: "one MCP tool with different class or approval, or one field name with two types",
    page: include_str!("r403_tool.md"),
    checks: &[Check::Spec(check)],
};

fn check(spec: &Spec, report: &mut Report<'_>) {
    let mut tools: BTreeMap<&str, Vec<&Operation>> = BTreeMap::new();
    for op in &spec.operations {
        tools.entry(&op.mcp.tool).or_default().push(op);
    }
    for (tool, ops) in tools.iter().filter(|(_, ops)| ops.len() > 1) {
        let first = ops[0];
        for op in &ops[1..] {
            let mut differs = |what: &str, a: &str, b: &str| {
                if a != b {
                    let message = format!(
                        "the MCP tool `{tool}` has {what} {b} in `{}` and {a} in `{}`",
                        first.name, op.name
                    );
                    report.push(&op.origins.mcp, message, "give it a tool of its own");
                }
            };
            differs("class", op.class.word(), first.class.word());
            differs("approval", op.approval.word(), first.approval.word());
            differs("result", op.mcp.result.word(), first.mcp.result.word());
        }
        inputs(tool, ops, report);
    }
}

fn inputs(tool: &str, ops: &[&Operation], report: &mut Report<'_>) {
    let mut seen: BTreeMap<&str, (&Operation, &Field)> = BTreeMap::new();
    for op in ops {
        for field in &op.input {
            match seen.get(field.name.as_str()) {
                Some((other, first)) if !same(&first.ty, &field.ty) => {
                    let message = format!(
                        "in the MCP tool `{tool}` the input `{}` has another type than in `{}`",
                        field.name, other.name
                    );
                    report.push(
                        &field.type_origin,
                        message,
                        "give both one type, or one of them another name",
                    );
                }
                Some(_) => {}
                None => drop(seen.insert(&field.name, (op, field))),
            }
        }
    }
}

/// The same type; words of an enum in any order.
fn same(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Enum(a), Type::Enum(b)) => {
            let (mut a, mut b) = (a.clone(), b.clone());
            a.sort();
            b.sort();
            a == b
        }
        _ => a == b,
    }
}
