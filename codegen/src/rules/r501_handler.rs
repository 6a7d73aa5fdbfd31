//! R501: a declaration and its handler file stand together. Whether the file holds what it should, rustc says.

use std::{collections::BTreeSet, path::Path};

use super::{Check, Report, Rule};
use crate::{
    frontend::walk,
    ir::{Operation, Origin, Spec},
};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R501",
    refuses: "a declaration without its handler file, or the reverse",
    page: include_str!("r501_handler.md"),
    checks: &[Check::Handlers(check)],
};

/// The file of an operation's handler, below the folder of handlers.
#[must_use]
pub(super) fn file(op: &Operation) -> String {
    let name = op.name.split_once('.').map_or(op.name.as_str(), |(_, rest)| rest);
    format!("{}/{name}.rs", op.area)
}

fn check(spec: &Spec, handlers: &Path, root: &Path, report: &mut Report<'_>) {
    let shown = walk::shown(handlers, root);
    let expected: BTreeSet<String> = spec.yaml_operations().map(file).collect();
    for op in spec
        .yaml_operations()
        .filter(|o| !handlers.join(file(o)).is_file())
    {
        let message = format!("`{}` has no handler: {shown}/{} is not there", op.name, file(op));
        let name = op.name.rsplit('.').next().unwrap_or_default();
        report.push(
            &op.origins.name,
            message,
            format!("`cargo codegen new {}/{name}` writes one", op.area),
        );
    }
    for path in walk::files(handlers, "rs") {
        let below = walk::shown(&path, handlers);
        let name = below
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .trim_end_matches(".rs");
        if name == "mod" || expected.contains(&below) || spec.broken.contains(name) {
            continue;
        }
        let at = Origin::file(&format!("{shown}/{below}").into());
        let wanted = below.trim_end_matches(".rs");
        let message = "the handler has no declaration".to_owned();
        report.push(
            &at,
            message,
            format!("declare it in spec/operations/{wanted}.yaml, or remove the file"),
        );
    }
}
