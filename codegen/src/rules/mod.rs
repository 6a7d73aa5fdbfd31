//! The rules: what a spec may not say. One file a rule, its page beside it; the page's blocks are its test.
//!
//! Pure functions over the IR. They collect and never stop. Numbers are never reused: a rule that goes leaves its line
//! here with no checks.

mod fields;
mod fits;
mod page;
mod r101_name;
mod r102_prose;
mod r201_unknown;
mod r202_bounds;
mod r301_send_has_ceiling_never;
mod r302_marks_read;
mod r303_preview;
mod r304_plugin;
mod r305_typed_id;
mod r306_secret;
mod r307_schedulable;
mod r308_presence;
mod r309_cli_only_types;
mod r310_destroys;
mod r401_shape;
mod r402_cli;
mod r403_tool;
mod r501_handler;
mod r601_released;
mod s001_syntax;
mod s002_unknown_key;
mod s003_wrong_type;
mod s004_duplicate_key;

use std::path::Path;

pub use page::{Block, Page};
pub use r601_released::released;

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Scope},
    ir::{Declared, Operation, Origin, Spec},
};

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// `R301`.
    pub code: &'static str,
    /// In a few words what it refuses.
    pub refuses: &'static str,
    /// Its page, Markdown: what, why, Bad, Good.
    pub page: &'static str,
    /// What finds it; none for what is found while reading or lowering.
    pub checks: &'static [Check],
}

/// One check of a rule.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Over one operation; the spec holds at least the models and settings it refers to.
    Operation(fn(&Operation, &Spec, &mut Report<'_>)),
    /// Over the whole spec.
    Spec(fn(&Spec, &mut Report<'_>)),
    /// Over the whole spec and the folder of the handlers.
    Handlers(fn(&Spec, &Path, &Path, &mut Report<'_>)),
    /// Over the whole spec and what was released.
    Released(fn(&Spec, &serde_json::Value, &mut Report<'_>)),
}

/// Every rule, by its code.
pub const RULES: &[Rule] = &[
    s001_syntax::RULE,
    s002_unknown_key::RULE,
    s003_wrong_type::RULE,
    s004_duplicate_key::RULE,
    r101_name::RULE,
    r102_prose::RULE,
    r201_unknown::RULE,
    r202_bounds::RULE,
    r301_send_has_ceiling_never::RULE,
    r302_marks_read::RULE,
    r303_preview::RULE,
    r304_plugin::RULE,
    r305_typed_id::RULE,
    r306_secret::RULE,
    r307_schedulable::RULE,
    r308_presence::RULE,
    r309_cli_only_types::RULE,
    r310_destroys::RULE,
    r401_shape::RULE,
    r402_cli::RULE,
    r403_tool::RULE,
    r501_handler::RULE,
    r601_released::RULE,
];

/// A rule by its code, in either case.
#[must_use]
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|r| r.code.eq_ignore_ascii_case(code))
}

/// Where a check puts what it finds.
pub struct Report<'a> {
    code: &'static str,
    scope: Scope,
    declared: Declared,
    found: &'a mut Diagnostics,
}

impl Report<'_> {
    /// Adds a finding.
    fn push(&mut self, origin: &Origin, message: impl Into<String>, help: impl Into<String>) {
        self.found.push(Diagnostic {
            code: self.code,
            origin: origin.clone(),
            message: message.into(),
            help: help.into(),
            scope: self.scope,
            declared: self.declared,
        });
    }
}

/// Checks a whole spec: every operation by itself, then all together.
pub fn check(spec: &Spec, found: &mut Diagnostics) {
    for operation in &spec.operations {
        check_operation(operation, spec, found);
    }
    each(found, Scope::Spec, Declared::Yaml, |check, report| {
        if let Check::Spec(check) = check {
            check(spec, report);
        }
    });
}

/// Checks one operation; `shapes` holds the models and settings it refers to. What the macro runs.
pub fn check_operation(operation: &Operation, shapes: &Spec, found: &mut Diagnostics) {
    each(found, Scope::Operation, operation.declared, |check, report| {
        if let Check::Operation(check) = check {
            check(operation, shapes, report);
        }
    });
}

/// Checks that each operation of the YAML files has its handler file and the reverse. Files are shown relative to `root`.
pub fn check_handlers(spec: &Spec, handlers: &Path, root: &Path, found: &mut Diagnostics) {
    each(found, Scope::Spec, Declared::Yaml, |check, report| {
        if let Check::Handlers(check) = check {
            check(spec, handlers, root, report);
        }
    });
}

/// Checks that what was released still holds.
pub fn check_released(spec: &Spec, released: &serde_json::Value, found: &mut Diagnostics) {
    each(found, Scope::Spec, Declared::Yaml, |check, report| {
        if let Check::Released(check) = check {
            check(spec, released, report);
        }
    });
}

fn each(
    found: &mut Diagnostics,
    scope: Scope,
    declared: Declared,
    mut run: impl FnMut(Check, &mut Report<'_>),
) {
    for rule in RULES {
        for check in rule.checks {
            run(
                *check,
                &mut Report {
                    code: rule.code,
                    scope,
                    declared,
                    found,
                },
            );
        }
    }
}
