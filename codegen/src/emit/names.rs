//! Names in the generated Rust: the only place that makes them.

use proc_macro2::Ident;
use quote::format_ident;

/// `list_messages` to `ListMessages`; a plugin's dot parts words too.
#[must_use]
pub fn camel(name: &str) -> String {
    name.split(['_', '.', '-', ' '])
        .map(|word| {
            let mut chars = word.chars();
            chars
                .next()
                .map(|first| first.to_ascii_uppercase().to_string() + chars.as_str())
                .unwrap_or_default()
        })
        .collect()
}

/// `list_messages` to `LIST_MESSAGES`, and `MessageRow` to `MESSAGE_ROW`.
#[must_use]
pub fn screaming(name: &str) -> String {
    let mut out = String::new();
    let mut before_lower = false;
    for c in name.chars() {
        match c {
            '_' | '.' | '-' => out.push('_'),
            c if c.is_ascii_uppercase() && before_lower => {
                out.push('_');
                out.push(c);
            }
            c => out.push(c.to_ascii_uppercase()),
        }
        before_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    out
}

/// The identifier of a field: raw (`r#type`) where the name is a keyword.
#[must_use]
pub fn field(name: &str) -> Ident {
    let name = plain(name);
    if syn::parse_str::<Ident>(&name).is_ok() {
        format_ident!("{name}")
    } else if matches!(name.as_str(), "self" | "super" | "crate" | "Self" | "_") {
        format_ident!("{name}_")
    } else {
        format_ident!("r#{name}")
    }
}

/// The identifier of a type, of a variant or of a static.
#[must_use]
pub fn ident(name: &str) -> Ident {
    let name = plain(name);
    if syn::parse_str::<Ident>(&name).is_ok() {
        format_ident!("{name}")
    } else {
        format_ident!("{name}_")
    }
}

/// What can be an identifier but for keywords. A name that the rules refuse must not stop the build with a panic.
fn plain(name: &str) -> String {
    let mut plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if !plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        plain.insert(0, '_');
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, as_type: &str, as_static: &str) {
        assert_eq!(
            (camel(name).as_str(), screaming(name).as_str()),
            (as_type, as_static)
        );
    }

    #[test]
    fn names_of_types_and_statics() {
        check("list_messages", "ListMessages", "LIST_MESSAGES");
        check("mailbox.list", "MailboxList", "MAILBOX_LIST");
        check("MessageRow", "MessageRow", "MESSAGE_ROW");
        check("status", "Status", "STATUS");
    }

    #[test]
    fn keywords_are_raw_or_get_a_line() {
        assert_eq!(field("type").to_string(), "r#type");
        assert_eq!(field("from").to_string(), "from");
        assert_eq!(field("self").to_string(), "self_");
        assert_eq!(ident("Self").to_string(), "Self_");
        assert_eq!(ident("3d").to_string(), "_3d");
    }

    #[test]
    fn a_name_that_is_refused_still_is_an_identifier() {
        for name in ["", "a b", "r#type", "ä", "-", "_", "x\n", "async"] {
            let (field, ident) = (field(name).to_string(), ident(name).to_string());
            assert!(!field.is_empty() && !ident.is_empty(), "{name}");
        }
    }
}
