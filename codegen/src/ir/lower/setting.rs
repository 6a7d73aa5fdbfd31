//! Sections of settings.

use super::{Owner, Report, required};
use crate::{
    frontend::{RawSection, RawSetting, Spanned, Value},
    ir::{Section, Setting, SettingKind, Type},
    naming,
};

/// Lowers a section. Settings that are wrong are left out and said.
pub(super) fn section(raw: &RawSection, report: &mut Report<'_>) -> Option<Section> {
    let owner = Owner {
        origin: &raw.origin,
        spoiled: &raw.spoiled,
    };
    let name = required(
        raw.section.as_ref(),
        "section",
        "the name of the file",
        owner,
        report,
    )?;
    let summary = required(raw.summary.as_ref(), "summary", "one sentence", owner, report);
    let settings = required(
        raw.settings.as_ref(),
        "settings",
        "a mapping from a name to a setting",
        owner,
        report,
    );
    let mut settings: Vec<Setting> = settings
        .map(|s| s.value.iter().filter_map(|s| setting(s, report)).collect())
        .unwrap_or_default();
    settings.sort_by(|a, b| a.name.cmp(&b.name));
    Some(Section {
        name: name.value.clone(),
        summary: summary.map(|s| s.value.clone()).unwrap_or_default(),
        settings,
        origin: name.origin.clone(),
    })
}

fn setting(raw: &RawSetting, report: &mut Report<'_>) -> Option<Setting> {
    if !naming::is_snake(&raw.name.value) {
        let help = format!("write `{}`", naming::to_snake(&raw.name.value));
        report.push(
            "R101",
            &raw.name.origin,
            format!("the setting `{}` is not in snake_case", raw.name.value),
            help,
        );
        return None;
    }
    let owner = Owner {
        origin: &raw.name.origin,
        spoiled: &raw.spoiled,
    };
    let ty = required(
        raw.ty.as_ref(),
        "type",
        "integer, boolean, string, enum<…> or list<string>",
        owner,
        report,
    );
    let default = required(
        raw.default.as_ref(),
        "default",
        "what holds when nobody set it",
        owner,
        report,
    );
    let doc = required(raw.doc.as_ref(), "doc", "a sentence", owner, report);
    let kind = ty.and_then(|ty| kind(ty, raw, report));
    Some(Setting {
        name: raw.name.value.clone(),
        kind: kind?,
        doc: doc?.value.trim().to_owned(),
        default: default.map(|d: &Spanned<Value>| d.value.to_json())?,
        agent: raw.agent.as_ref().map(|a| a.value.clone()),
        origin: raw.name.origin.clone(),
        default_origin: default?.origin.clone(),
    })
}

fn kind(ty: &Spanned<String>, raw: &RawSetting, report: &mut Report<'_>) -> Option<SettingKind> {
    let text = ty.value.trim();
    let kind = match text {
        "integer" => match (&raw.min, &raw.max) {
            (Some(min), Some(max)) if min.value <= max.value => {
                return Some(SettingKind::Integer {
                    min: min.value,
                    max: max.value,
                });
            }
            (Some(_), Some(max)) => {
                report.push("R202", &max.origin, "`max` is less than `min`", "exchange them");
                return None;
            }
            _ => {
                report.push(
                    "R202",
                    &ty.origin,
                    "a setting that is a number has no bounds",
                    "add `min:` and `max:`",
                );
                return None;
            }
        },
        "boolean" => SettingKind::Boolean,
        "string" => SettingKind::String,
        "list<string>" => SettingKind::List,
        _ if text.starts_with("enum<") => {
            match super::type_text::parse(ty, &super::Shapes::default(), report)? {
                (Type::Enum(words), false) => SettingKind::Enum(words),
                _ => return None,
            }
        }
        _ => {
            let known = ["integer", "boolean", "string", "list<string>", "enum<a, b>"];
            let help = crate::diagnostic::nearest_help(text, known);
            report.push(
                "R201",
                &ty.origin,
                format!("unknown type of a setting `{text}`"),
                help,
            );
            return None;
        }
    };
    let bound = raw.min.as_ref().or(raw.max.as_ref());
    if let Some(bound) = bound {
        report.push(
            "S003",
            &bound.origin,
            "min and max are for integer",
            "leave them out",
        );
        return None;
    }
    Some(kind)
}
