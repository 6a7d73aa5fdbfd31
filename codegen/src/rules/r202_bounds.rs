//! R202: bounds. Everything that comes in or goes out has one, and what the spec gives as a value keeps it.

use super::{Check, Report, Rule, fields, fits};
use crate::{
    diagnostic::nearest,
    ir::{Bound, Field, Operation, Setting, SettingKind, Spec, Type},
};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R202",
    refuses: "a default or example out of bounds, an unbounded list or string, a list bound that is no setting",
    page: include_str!("r202_bounds.md"),
    checks: &[Check::Operation(operation), Check::Spec(spec)],
};

fn operation(op: &Operation, spec: &Spec, report: &mut Report<'_>) {
    for field in op.input.iter().chain(&op.output) {
        bounded(field, spec, report);
    }
    fields::each(&op.input, spec, &mut |field| {
        if *field.ty.item()
            == (Type::Integer {
                min: Type::SAFE.0,
                max: Type::SAFE.1,
            })
        {
            report.push(
                &field.type_origin,
                format!("the number `{}` has no bounds", field.name),
                "add `min:` and `max:`",
            );
        }
    });
    for example in &op.examples {
        // What a secret's example says is R306's.
        let mut secret = false;
        fields::each(&op.input, spec, &mut |f| {
            secret |= *f.ty.item() == Type::Secret && example.input.get(&f.name).is_some()
        });
        if let (Err(why), false) = (fits::object(&example.input, &op.input, spec, 0), secret) {
            report.push(
                &example.origin,
                format!("the example is no input of it: {why}"),
                "mend the example",
            );
        }
    }
}

fn spec(spec: &Spec, report: &mut Report<'_>) {
    for model in &spec.models {
        for field in &model.fields {
            bounded(field, spec, report);
        }
    }
    for section in &spec.sections {
        for setting in &section.settings {
            let agent = setting
                .agent
                .as_ref()
                .and_then(|a| spec.setting(&section.name, a));
            if let Some(agent) =
                agent.filter(|a| std::mem::discriminant(&a.kind) != std::mem::discriminant(&setting.kind))
            {
                let message = format!("`{}` holds for agents and is of another type", agent.name);
                report.push(&setting.origin, message, "give both one type");
            }
            if let Err(why) = setting_fits(setting) {
                report.push(
                    &setting.default_origin,
                    format!("the default is out of bounds: {why}"),
                    "mend the default",
                );
            }
        }
    }
}

fn bounded(field: &Field, spec: &Spec, report: &mut Report<'_>) {
    let at = &field.type_origin;
    if let Type::List { bound, .. } = &field.ty {
        list(field, bound, spec, report);
    }
    match field.ty.item() {
        Type::String { max_chars: 0, .. } => {
            let message = format!("the string `{}` has no bound", field.name);
            report.push(
                at,
                message,
                "add `max_chars:`, or use `text` for what somebody wrote",
            );
        }
        Type::String { min_chars, max_chars } if min_chars > max_chars => {
            report.push(at, "`min_chars` is more than `max_chars`", "exchange them");
        }
        Type::Integer { min, max } if min > max => {
            report.push(at, "`min` is more than `max`", "exchange them")
        }
        _ => {}
    }
    if let Some(default) = &field.default
        && let Err(why) = fits::fits(default, &field.ty, spec, 0)
    {
        let message = format!("the default of `{}` does not fit: {why}", field.name);
        report.push(&field.default_origin, message, "mend the default");
    }
}

fn list(field: &Field, bound: &Bound, spec: &Spec, report: &mut Report<'_>) {
    let at = &field.type_origin;
    if bound.setting.is_empty() {
        let message = format!("the list `{}` has no bound", field.name);
        return report.push(at, message, "name a setting: list<T, max_results>");
    }
    if spec.broken.contains(&format!("settings/{}", bound.section)) {
        return;
    }
    let kind = spec.setting(&bound.section, &bound.setting).map(|s| &s.kind);
    if !matches!(kind, Some(SettingKind::Integer { min: 0.., .. })) {
        let numbers = spec
            .sections
            .iter()
            .filter(|s| s.name == bound.section)
            .flat_map(|s| &s.settings);
        let numbers = numbers
            .filter(|s| matches!(s.kind, SettingKind::Integer { .. }))
            .map(|s| s.name.as_str());
        let help = match nearest(&bound.setting, numbers) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("declare it in spec/settings/{}.yaml", bound.section),
        };
        let message = format!(
            "the bound of `{}` is no number among the settings: `{}`",
            field.name, bound.setting
        );
        report.push(at, message, help);
    }
}

fn setting_fits(setting: &Setting) -> Result<(), String> {
    let default = &setting.default;
    match &setting.kind {
        SettingKind::Integer { min, max } => match default.as_i64() {
            Some(n) if (*min..=*max).contains(&n) => Ok(()),
            _ => Err(format!("a number from {min} to {max} is expected")),
        },
        SettingKind::Boolean if default.is_boolean() => Ok(()),
        SettingKind::Boolean => Err("true or false is expected".into()),
        SettingKind::String if default.is_string() => Ok(()),
        SettingKind::String => Err("a string is expected".into()),
        SettingKind::Enum(words) => match default.as_str() {
            Some(word) if words.iter().any(|w| w == word) => Ok(()),
            _ => Err(format!("one of {} is expected", words.join(", "))),
        },
        SettingKind::List => match default.as_array() {
            Some(items) if items.iter().all(serde_json::Value::is_string) => Ok(()),
            _ => Err("a list of strings is expected".into()),
        },
    }
}
