//! The short text of a type: `list<MessageId, max_batch_ids>`, `enum<a, b>`, `text(200)`, `optional<timestamp>`.

use super::{Report, Shapes};
use crate::{
    diagnostic::nearest_help,
    frontend::Spanned,
    ir::{Bound, IdKind, SettingKind, Type},
    naming,
};

const SIMPLE: &[&str] = &[
    "boolean",
    "integer",
    "string",
    "text",
    "address",
    "secret",
    "issued_secret",
    "timestamp",
    "path",
    "command",
    "Selection",
];
const GENERIC: &[&str] = &["enum", "list", "optional"];

/// What is wrong with a type's text: code, message, help.
type Wrong = (&'static str, String, String);

/// The type, and whether it is optional.
pub(super) fn parse(
    text: &Spanned<String>,
    shapes: &Shapes,
    report: &mut Report<'_>,
) -> Option<(Type, bool)> {
    let trimmed = text.value.trim();
    let (inner, optional) = match argument(trimmed, "optional") {
        Some(inner) => (inner.trim(), true),
        None => (trimmed, false),
    };
    match value(inner, shapes) {
        Ok(ty) => Some((ty, optional)),
        Err((code, message, help)) => {
            report.push(code, &text.origin, message, help);
            None
        }
    }
}

/// What stands between the angle brackets of a generic type.
fn argument<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.strip_prefix(name)?
        .trim_start()
        .strip_prefix('<')?
        .strip_suffix('>')
}

fn value(text: &str, shapes: &Shapes) -> Result<Type, Wrong> {
    if let Some(words) = argument(text, "enum") {
        return enumeration(words);
    }
    if let Some(inner) = argument(text, "list") {
        return list(inner, shapes);
    }
    if argument(text, "optional").is_some() || text == "optional" {
        return Err((
            "R401",
            "optional stands once, outermost".into(),
            "an optional within a list or an optional is a null that MCP clients break on".into(),
        ));
    }
    match text {
        "list" => Err((
            "R401",
            "a list without a type of its items".into(),
            "write list<T, bound>".into(),
        )),
        "enum" => Err(("S003", "an enum without words".into(), "write enum<a, b>".into())),
        _ => simple(text, shapes),
    }
}

fn enumeration(words: &str) -> Result<Type, Wrong> {
    let words: Vec<String> = words.split(',').map(|w| w.trim().to_owned()).collect();
    let mut seen = std::collections::BTreeSet::new();
    for word in &words {
        if !naming::is_word(word) {
            return Err((
                "S003",
                format!("`{word}` is no word of an enum"),
                "lowercase letters, digits, - and _".into(),
            ));
        }
        // Two words that differ only in their dashes would be one variant in Rust.
        if !seen.insert(word.replace('-', "_")) {
            return Err((
                "S003",
                format!("the word `{word}` stands twice in the enum"),
                "say it once".into(),
            ));
        }
    }
    Ok(Type::Enum(words))
}

fn list(inner: &str, shapes: &Shapes) -> Result<Type, Wrong> {
    // The bound stands after the last comma outside of brackets; an enum's words have commas too.
    let mut depth = 0usize;
    let mut comma = None;
    for (i, c) in inner.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => comma = Some(i),
            _ => {}
        }
    }
    let (item, bound) = match comma {
        Some(i) => (inner[..i].trim(), inner[i + 1..].trim()),
        None => (inner.trim(), ""),
    };
    if argument(item, "list").is_some() {
        return Err((
            "R401",
            "a list of lists".into(),
            "make the inner list a field of a model; MCP clients break on nested arrays".into(),
        ));
    }
    Ok(Type::List {
        item: Box::new(value(item, shapes)?),
        bound: resolve(bound, shapes),
    })
}

/// The setting of a bound. One that is none stays as it was written, with ceiling 0, for R202 to refuse.
fn resolve(bound: &str, shapes: &Shapes) -> Bound {
    let (section, setting) = bound.split_once('.').unwrap_or(("operations", bound));
    let most = |name: &str| match shapes.setting(section, name).map(|s| &s.kind) {
        Some(SettingKind::Integer { max, .. }) => u32::try_from(*max).unwrap_or(u32::MAX),
        _ => 0,
    };
    let agents = shapes
        .setting(section, setting)
        .and_then(|s| s.agent.as_deref())
        .map_or(0, most);
    Bound {
        section: section.to_owned(),
        setting: setting.to_owned(),
        ceiling: most(setting).max(agents),
    }
}

fn simple(text: &str, shapes: &Shapes) -> Result<Type, Wrong> {
    let (name, chars) = match text.split_once('(') {
        Some((name, rest)) => match rest.strip_suffix(')').and_then(|n| n.trim().parse::<u32>().ok()) {
            Some(n) if n > 0 && matches!(name, "text" | "string") => (name, n),
            _ => {
                return Err((
                    "S003",
                    format!("`{text}` is no type"),
                    "text(200) and string(64) are the types that take a number, from 1".into(),
                ));
            }
        },
        None => (text, 0),
    };
    Ok(match name {
        "boolean" => Type::Boolean,
        "integer" => Type::Integer {
            min: Type::SAFE.0,
            max: Type::SAFE.1,
        },
        "string" => Type::String {
            min_chars: 0,
            max_chars: chars,
        },
        "text" => Type::Text { max_chars: chars },
        "address" => Type::Address,
        "secret" => Type::Secret,
        "issued_secret" => Type::IssuedSecret,
        "timestamp" => Type::Timestamp,
        "path" => Type::Path,
        "command" => Type::Command,
        "Selection" => Type::Selection,
        other => match IdKind::from_type_name(other) {
            Some(kind) => Type::Id(kind),
            None if shapes.models.contains(other) => Type::Model(other.to_owned()),
            None => return Err(unknown(other, shapes)),
        },
    })
}

fn unknown(name: &str, shapes: &Shapes) -> Wrong {
    let ids = IdKind::ALL.iter().map(|k| k.type_name());
    let known = SIMPLE
        .iter()
        .chain(GENERIC)
        .copied()
        .chain(ids)
        .chain(shapes.models.iter().map(String::as_str));
    let what = if naming::is_camel(name) {
        "model or id"
    } else {
        "type"
    };
    let near = crate::diagnostic::nearest(name, known);
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if naming::is_camel(name) => {
            format!("declare it in spec/models/{}.yaml", naming::model_file(name))
        }
        None => nearest_help(name, SIMPLE.iter().chain(GENERIC).copied()),
    };
    ("R201", format!("unknown {what} `{name}`"), help)
}
