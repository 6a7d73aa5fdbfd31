//! Whether a value of the spec (a default, an example) is one of its type.

use serde_json::Value;

use crate::ir::{Field, Spec, Type};

/// Deeper than R401 allows; a guard against recursion, which R401 reports.
const DEEPEST: usize = 8;

/// An example against the fields of an input: all that are required, none that is not there.
pub(super) fn object(value: &Value, fields: &[Field], spec: &Spec, depth: usize) -> Result<(), String> {
    let Value::Object(map) = value else {
        return Err("it is not a mapping".into());
    };
    if let Some(unknown) = map.keys().find(|k| fields.iter().all(|f| f.name != **k)) {
        return Err(format!("there is no field `{unknown}`"));
    }
    for field in fields {
        match map.get(&field.name) {
            Some(value) => {
                fits(value, &field.ty, spec, depth).map_err(|e| format!("`{}`: {e}", field.name))?
            }
            None if field.required => return Err(format!("`{}` is missing", field.name)),
            None => {}
        }
    }
    Ok(())
}

/// A value against a type.
pub(super) fn fits(value: &Value, ty: &Type, spec: &Spec, depth: usize) -> Result<(), String> {
    match ty {
        Type::Boolean if value.is_boolean() => Ok(()),
        Type::Boolean => Err("true or false is expected".into()),
        Type::Integer { min, max } => match value.as_i64() {
            Some(n) if (*min..=*max).contains(&n) => Ok(()),
            _ => Err(format!("a number from {min} to {max} is expected")),
        },
        Type::List { item, bound } => {
            let Value::Array(items) = value else {
                return Err("a list is expected".into());
            };
            if items.len() > usize::try_from(bound.ceiling).unwrap_or(usize::MAX) {
                return Err(format!("at most {} items fit", bound.ceiling));
            }
            items.iter().try_for_each(|i| fits(i, item, spec, depth))
        }
        Type::Model(name) => match spec.model(name) {
            Some(model) if depth < DEEPEST => object(value, &model.fields, spec, depth + 1),
            _ => Ok(()),
        },
        Type::Selection => selection(value),
        _ => match value {
            Value::String(text) => string(text, ty),
            _ => Err("a string is expected".into()),
        },
    }
}

fn selection(value: &Value) -> Result<(), String> {
    let ids = value
        .as_object()
        .filter(|m| m.len() == 1)
        .and_then(|m| m.get("ids"))
        .and_then(Value::as_array);
    let good = |id: &Value| {
        id.as_str()
            .is_some_and(|id| crate::ir::IdKind::Message.is_well_formed(id))
    };
    match ids {
        Some(ids) if !ids.is_empty() && ids.iter().all(good) => Ok(()),
        _ => Err("{ ids: [m_…] } is expected".into()),
    }
}

fn string(text: &str, ty: &Type) -> Result<(), String> {
    let chars = text.chars().count();
    let within = |min: u32, max: u32| {
        let least = usize::try_from(min).unwrap_or(usize::MAX);
        let most = usize::try_from(max).unwrap_or(usize::MAX);
        // 0 is no bound: of a text the setting's, of a string a fault reported by itself.
        if chars >= least && (max == 0 || chars <= most) {
            Ok(())
        } else {
            Err(format!("a string of {min} to {max} characters is expected"))
        }
    };
    match ty {
        Type::String { min_chars, max_chars } => within(*min_chars, *max_chars),
        Type::Text { max_chars } => within(0, *max_chars),
        Type::Enum(words) if words.iter().any(|w| w == text) => Ok(()),
        Type::Enum(words) => Err(format!("one of {} is expected", words.join(", "))),
        Type::Id(kind) if kind.is_well_formed(text) => Ok(()),
        Type::Id(kind) => Err(format!("an id like {}_7f3k9q2t0b is expected", kind.prefix())),
        Type::Timestamp if is_timestamp(text) => Ok(()),
        Type::Timestamp => Err("RFC 3339, a date, -12h or -7d is expected".into()),
        Type::Address => match text.rsplit_once('@') {
            Some((local, domain)) if !local.is_empty() && !domain.is_empty() && chars <= 320 => Ok(()),
            _ => Err("a mail address is expected".into()),
        },
        _ => Ok(()),
    }
}

fn is_timestamp(text: &str) -> bool {
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    if let Some(ago) = text.strip_prefix('-') {
        return ago.len() <= 8 && ago.strip_suffix(['m', 'h', 'd', 'w']).is_some_and(digits);
    }
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00:00Z"));
    let parts: Vec<&str> = date.split('-').collect();
    let date = parts.len() == 3
        && [4, 2, 2]
            .iter()
            .zip(&parts)
            .all(|(n, p)| p.len() == *n && digits(p));
    let clock = time.get(..8).is_some_and(|t| {
        let parts: Vec<&str> = t.split(':').collect();
        parts.len() == 3 && parts.iter().all(|p| p.len() == 2 && digits(p))
    });
    date && clock && (time.ends_with('Z') || time.get(8..).is_some_and(|z| z.contains(['+', '-'])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Bound, IdKind};
    use serde_json::json;

    #[track_caller]
    fn check(ty: &Type, value: Value, ok: bool) {
        assert_eq!(fits(&value, ty, &Spec::default(), 0).is_ok(), ok, "{value}");
    }

    #[test]
    fn values_of_types() {
        check(&Type::Integer { min: 1, max: 3 }, json!(3), true);
        check(&Type::Integer { min: 1, max: 3 }, json!(4), false);
        check(&Type::Integer { min: 1, max: 3 }, json!("2"), false);
        check(
            &Type::String {
                min_chars: 1,
                max_chars: 2,
            },
            json!("äö"),
            true,
        );
        check(
            &Type::String {
                min_chars: 1,
                max_chars: 2,
            },
            json!(""),
            false,
        );
        check(&Type::Text { max_chars: 0 }, json!("any length"), true);
        check(&Type::Id(IdKind::Message), json!("m_demo000001"), true);
        check(&Type::Id(IdKind::Message), json!("t_demo000001"), false);
        check(&Type::Enum(vec!["a".into()]), json!("b"), false);
        check(&Type::Address, json!("a@b.example"), true);
        check(&Type::Address, json!("@b.example"), false);
        let ids = Type::List {
            item: Box::new(Type::Id(IdKind::Message)),
            bound: Bound {
                section: "operations".into(),
                setting: "max".into(),
                ceiling: 1,
            },
        };
        check(&ids, json!(["m_demo000001"]), true);
        check(&ids, json!(["m_demo000001", "m_demo000002"]), false);
        check(&Type::Selection, json!({"ids": ["m_demo000001"]}), true);
        check(&Type::Selection, json!({"ids": []}), false);
        check(&Type::Selection, json!(["m_demo000001"]), false);
    }

    #[test]
    fn timestamps() {
        for good in [
            "2026-11-30",
            "2026-11-30T10:00:00Z",
            "2026-11-30T10:00:00.5+01:00",
            "-12h",
            "-7d",
        ] {
            check(&Type::Timestamp, json!(good), true);
        }
        for bad in [
            "",
            "yesterday",
            "7d",
            "-d",
            "2026-1-1",
            "2026-11-30T10:00",
            "30.11.2026",
        ] {
            check(&Type::Timestamp, json!(bad), false);
        }
    }
}
