//! From raw to resolved: fills defaults, resolves names, refuses what cannot be either.
//!
//! One function an operation for both front ends. What is wrong in meaning but can be represented is left to the rules.

mod cli;
mod field;
mod operation;
mod setting;
mod type_text;

use std::collections::BTreeSet;

pub use operation::operation;

use super::{Model, Origin, Section, Setting, Spec};
use crate::{
    diagnostic::Diagnostics,
    frontend::{Raw, RawModel, Spanned},
    ir::Declared,
    naming,
};

/// What the types of an operation may refer to: models and settings.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    /// Names of models that were declared, lowered or not.
    pub models: BTreeSet<String>,
    /// Sections of settings.
    pub sections: Vec<Section>,
}

impl Shapes {
    /// The shapes of a spec that was lowered.
    #[must_use]
    pub fn of(spec: &Spec) -> Self {
        Self {
            models: spec.models.iter().map(|m| m.name.clone()).collect(),
            sections: spec.sections.clone(),
        }
    }

    fn setting(&self, section: &str, name: &str) -> Option<&Setting> {
        self.sections
            .iter()
            .find(|s| s.name == section)?
            .settings
            .iter()
            .find(|s| s.name == name)
    }
}

/// Where a finding of lowering goes: the front end of what is lowered decides who reports it.
pub(crate) struct Report<'a> {
    found: &'a mut Diagnostics,
    about: About,
}

enum About {
    Operation(Declared),
    Spec,
}

impl Report<'_> {
    fn push(
        &mut self,
        code: &'static str,
        origin: &Origin,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        match self.about {
            About::Operation(declared) => self.found.operation(code, declared, origin, message, help),
            About::Spec => self.found.spec(code, origin, message, help),
        }
    }
}

/// Lowers everything.
#[must_use]
pub fn spec(raw: Raw, found: &mut Diagnostics) -> Spec {
    let mut broken = raw.broken;
    let mut spec = shapes(&raw.models, &raw.sections, &raw.broken_shapes, found);
    let mut shapes = Shapes::of(&spec);
    // A model that could not be lowered was reported where it stands; the operations that use it are not to blame,
    // and cannot be lowered either.
    let lost = raw
        .models
        .iter()
        .filter_map(|m| m.model.as_ref())
        .map(|m| m.value.clone());
    let lost: BTreeSet<String> = lost
        .chain(raw.broken_shapes.iter().cloned())
        .filter(|m| spec.model(m).is_none())
        .collect();
    shapes.models.extend(lost.iter().cloned());
    for raw in &raw.operations {
        let lowered = operation(raw, &shapes, found);
        match lowered.filter(|o| raw.spoiled.is_empty() && !uses(o, &lost)) {
            Some(operation) => spec.operations.push(operation),
            None => broken.extend(raw.operation.iter().map(|n| n.value.clone())),
        }
    }
    spec.operations
        .sort_by(|a, b| (&a.name, &a.origins.name).cmp(&(&b.name, &b.origins.name)));
    spec.areas = raw.areas;
    spec.broken = broken;
    spec
}

/// Lowers models and settings alone: what `oaken-core` is built from, and what the macro needs.
#[must_use]
pub fn shapes(
    models: &[RawModel],
    sections: &[crate::frontend::RawSection],
    broken: &BTreeSet<String>,
    found: &mut Diagnostics,
) -> Spec {
    let mut report = Report {
        found,
        about: About::Spec,
    };
    let mut sections: Vec<Section> = sections
        .iter()
        .filter_map(|s| setting::section(s, &mut report))
        .collect();
    sections.sort_by(|a, b| (&a.name, &a.origin).cmp(&(&b.name, &b.origin)));
    let declared = models
        .iter()
        .filter_map(|m| m.model.as_ref())
        .map(|m| m.value.clone());
    let names = Shapes {
        models: declared.chain(broken.iter().cloned()).collect(),
        sections,
    };
    let mut models: Vec<Model> = models
        .iter()
        .filter_map(|m| model(m, &names, &mut report))
        .collect();
    models.sort_by(|a, b| (&a.name, &a.origin).cmp(&(&b.name, &b.origin)));
    drop_dangling(&mut models);
    Spec {
        models,
        sections: names.sections,
        ..Spec::default()
    }
}

/// Drops models that refer to one that could not be lowered, so that every `Type::Model` names a model.
fn drop_dangling(models: &mut Vec<Model>) {
    loop {
        let names: BTreeSet<String> = models.iter().map(|m| m.name.clone()).collect();
        let before = models.len();
        models.retain(|m| {
            m.fields
                .iter()
                .all(|f| !matches!(f.ty.item(), super::Type::Model(n) if !names.contains(n)))
        });
        if models.len() == before {
            return;
        }
    }
}

fn uses(operation: &super::Operation, lost: &BTreeSet<String>) -> bool {
    let mut fields = operation.input.iter().chain(&operation.output);
    fields.any(|f| matches!(f.ty.item(), super::Type::Model(n) if lost.contains(n)))
}

fn model(raw: &RawModel, shapes: &Shapes, report: &mut Report<'_>) -> Option<Model> {
    let owner = Owner {
        origin: &raw.origin,
        spoiled: &raw.spoiled,
    };
    let name = required(raw.model.as_ref(), "model", "a CamelCase name", owner, report)?;
    if !naming::is_camel(&name.value) {
        report.push(
            "R101",
            &name.origin,
            format!("the model `{}` is not in CamelCase", name.value),
            "for example MessageRow",
        );
        return None;
    }
    let summary = required(raw.summary.as_ref(), "summary", "one sentence", owner, report);
    let fields = required(
        raw.fields.as_ref(),
        "fields",
        "a mapping from a name to a type",
        owner,
        report,
    );
    let fields = fields.and_then(|f| field::all(&f.value, shapes, report));
    Some(Model {
        name: name.value.clone(),
        summary: summary?.value.clone(),
        fields: fields?,
        origin: name.origin.clone(),
    })
}

/// What a part belongs to: where to point when it is missing, and what was written and refused already.
#[derive(Clone, Copy)]
struct Owner<'r> {
    origin: &'r Origin,
    spoiled: &'r BTreeSet<String>,
}

/// A part that must be there; S003 where nothing was written.
fn required<'r, T>(
    part: Option<&'r Spanned<T>>,
    key: &str,
    expected: &str,
    owner: Owner<'_>,
    report: &mut Report<'_>,
) -> Option<&'r Spanned<T>> {
    let refused = owner.spoiled.contains(key) || owner.spoiled.contains(crate::frontend::WHOLE);
    if part.is_none() && !refused {
        report.push(
            "S003",
            owner.origin,
            format!("`{key}` is missing"),
            format!("add `{key}:`, {expected}"),
        );
    }
    part
}

/// A word of a closed set; S003 where it is another.
fn word<T>(
    part: &Spanned<String>,
    key: &str,
    words: &'static [&'static str],
    from: fn(&str) -> Option<T>,
    report: &mut Report<'_>,
) -> Option<T> {
    let value = from(&part.value);
    if value.is_none() {
        let help = crate::diagnostic::nearest_help(&part.value, words.iter().copied());
        let message = format!("`{}` is no word of `{key}`", part.value);
        report.push("S003", &part.origin, message, help);
    }
    value
}
