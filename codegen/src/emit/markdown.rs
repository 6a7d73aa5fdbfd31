//! Words for types and cells for tables of the reference pages.

use crate::ir::Type;

/// A text as the cell of a table.
#[must_use]
pub fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}

/// What a type takes, in words.
#[must_use]
pub fn shape_words(ty: &Type) -> String {
    match ty {
        Type::Boolean => "boolean".into(),
        Type::Integer { min, max } => match (*min, *max) {
            Type::SAFE => "whole number".into(),
            (min, max) if max == Type::SAFE.1 => format!("whole number from {min}"),
            (min, max) => format!("whole number, {min} to {max}"),
        },
        Type::String {
            min_chars: 0,
            max_chars,
        } => format!("string, at most {max_chars} characters"),
        Type::String { min_chars, max_chars } => format!("string, {min_chars} to {max_chars} characters"),
        Type::Text { max_chars: 0 } => "text, cut at the setting".into(),
        Type::Text { max_chars } => format!("text, cut at {max_chars} characters"),
        Type::Address => "mail address".into(),
        Type::Secret => "secret".into(),
        Type::IssuedSecret => "secret, shown once".into(),
        Type::Id(kind) => format!("{} (`{}_…`)", kind.type_name(), kind.prefix()),
        Type::Timestamp => "timestamp".into(),
        Type::Path => "path".into(),
        Type::Command => "command line".into(),
        Type::Enum(words) => {
            let words: Vec<String> = words.iter().map(|w| format!("`{w}`")).collect();
            words.join(", ")
        }
        Type::List { item, bound } => {
            format!(
                "list of {}, at most `{}.{}`",
                shape_words(item),
                bound.section,
                bound.setting
            )
        }
        Type::Model(name) => format!("[{name}](#{})", name.to_lowercase()),
        Type::Selection => "messages by ids, at most `operations.max_batch_ids`".into(),
    }
}
