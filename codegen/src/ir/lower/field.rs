//! Fields of inputs, outputs and models.

use super::{Owner, Report, Shapes, required, type_text};
use crate::{
    frontend::{RawField, Spanned, Value},
    ir::{Field, Type},
    naming,
};

/// Every field, or `None` when one could not be lowered; all are looked at.
pub(super) fn all(raw: &[RawField], shapes: &Shapes, report: &mut Report<'_>) -> Option<Vec<Field>> {
    let lowered: Vec<Option<Field>> = raw.iter().map(|f| field(f, shapes, report)).collect();
    lowered.into_iter().collect()
}

fn field(raw: &RawField, shapes: &Shapes, report: &mut Report<'_>) -> Option<Field> {
    if !naming::is_snake(&raw.name.value) {
        let near = naming::to_snake(&raw.name.value);
        let help = if near.is_empty() {
            String::new()
        } else {
            format!("write `{near}`")
        };
        report.push(
            "R101",
            &raw.name.origin,
            format!("the field `{}` is not in snake_case", raw.name.value),
            help,
        );
        return None;
    }
    let owner = Owner {
        origin: &raw.name.origin,
        spoiled: &raw.spoiled,
    };
    let text = required(raw.ty.as_ref(), "type", "or write the type alone", owner, report)?;
    let parsed = type_text::parse(text, shapes, report);
    let limits = Limits::read(raw, report);
    let (mut ty, optional) = parsed?;
    let (limits, default) = (limits?, default(raw.default.as_ref(), report)?);
    apply(&mut ty, &limits, raw, report)?;
    let required = raw
        .required
        .as_ref()
        .map_or(!optional && default.is_none(), |r| r.value);
    if let (Some(wanted), true) = (&raw.required, required && (optional || default.is_some())) {
        let other = if optional {
            "its type is optional"
        } else {
            "it has a default"
        };
        report.push(
            "S003",
            &wanted.origin,
            format!("a field is not required where {other}"),
            "leave `required` out",
        );
        return None;
    }
    Some(Field {
        name: raw.name.value.clone(),
        doc: raw
            .doc
            .as_ref()
            .map(|d| d.value.trim().to_owned())
            .unwrap_or_default(),
        ty,
        required,
        default_origin: raw
            .default
            .as_ref()
            .map_or(&raw.name.origin, |d| &d.origin)
            .clone(),
        default,
        origin: raw.name.origin.clone(),
        type_origin: text.origin.clone(),
    })
}

fn default(raw: Option<&Spanned<Value>>, report: &mut Report<'_>) -> Option<Option<serde_json::Value>> {
    match raw {
        Some(d) if d.value == Value::Null => {
            report.push(
                "S003",
                &d.origin,
                "a default is a value",
                "for a field that may be absent use `required: false`",
            );
            None
        }
        other => Some(other.map(|d| d.value.to_json())),
    }
}

struct Limits {
    min_chars: Option<u32>,
    max_chars: Option<u32>,
}

impl Limits {
    fn read(raw: &RawField, report: &mut Report<'_>) -> Option<Self> {
        let mut count = |part: &Option<Spanned<i64>>, key: &str, least: i64| match part {
            None => Some(None),
            Some(n) => match u32::try_from(n.value) {
                Ok(count) if n.value >= least => Some(Some(count)),
                _ => {
                    report.push(
                        "R202",
                        &n.origin,
                        format!("`{key}` is out of bounds"),
                        format!("a number from {least} to {}", u32::MAX),
                    );
                    None
                }
            },
        };
        let min_chars = count(&raw.min_chars, "min_chars", 0);
        let max_chars = count(&raw.max_chars, "max_chars", 1);
        Some(Self {
            min_chars: min_chars?,
            max_chars: max_chars?,
        })
    }
}

/// Puts the limits of the field on its type, or on that of its items.
fn apply(ty: &mut Type, limits: &Limits, raw: &RawField, report: &mut Report<'_>) -> Option<()> {
    let ty = match ty {
        Type::List { item, .. } => item,
        other => other,
    };
    let mut left: Vec<(&str, Option<&crate::ir::Origin>)> = vec![
        ("min", raw.min.as_ref().map(|n| &n.origin)),
        ("max", raw.max.as_ref().map(|n| &n.origin)),
        ("min_chars", raw.min_chars.as_ref().map(|n| &n.origin)),
        ("max_chars", raw.max_chars.as_ref().map(|n| &n.origin)),
    ];
    let taken: &[&str] = match ty {
        Type::Integer { min, max } => {
            *min = raw.min.as_ref().map_or(*min, |n| n.value);
            *max = raw.max.as_ref().map_or(*max, |n| n.value);
            &["min", "max"]
        }
        Type::String { min_chars, max_chars } => {
            *min_chars = limits.min_chars.unwrap_or(*min_chars);
            *max_chars = limits.max_chars.unwrap_or(*max_chars);
            &["min_chars", "max_chars"]
        }
        Type::Text { max_chars } => {
            *max_chars = limits.max_chars.unwrap_or(*max_chars);
            &["max_chars"]
        }
        _ => &[],
    };
    left.retain(|(key, origin)| origin.is_some() && !taken.contains(key));
    for (key, origin) in &left {
        if let Some(origin) = origin {
            report.push(
                "S003",
                origin,
                format!("`{key}` says nothing about this type"),
                "min and max are for integer, min_chars for string, max_chars for string and text",
            );
        }
    }
    left.is_empty().then_some(())
}
