//! The names the doors use, and what a name may be. The names of generated Rust are `emit::names`.

/// The most characters of a name.
pub const MAX_NAME: usize = 48;
/// The most characters of an MCP tool's name that every client takes.
pub const MAX_MCP_NAME: usize = 64;

/// Inputs that the doors take out before validation: a person's yes and an agent's token.
pub const RESERVED_INPUTS: &[&str] = &["confirm", "proposal_token"];

/// Words that no operation may be called: a door, or a keyword that Rust has no raw form for.
pub const RESERVED_OPERATIONS: &[&str] = &[
    "call", "cli", "http", "mcp", "ui", "internal", "all", "none", "crate", "self", "super", "Self",
];

/// Nouns of the command line that are made by hand.
pub const RESERVED_NOUNS: &[&str] = &[
    "backup",
    "call",
    "check",
    "completions",
    "daemon",
    "demo",
    "doctor",
    "help",
    "man",
    "mcp",
    "openapi",
    "restore",
];

/// Flags that every command of the command line has.
pub const GLOBAL_FLAGS: &[&str] = &[
    "as", "data-dir", "help", "input", "json", "quiet", "verbose", "version", "yes",
];

/// `mark_read`: lowercase words parted by single underscores, a letter first.
#[must_use]
pub fn is_snake(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('_')
        && !name.contains("__")
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// `MessageRow`.
#[must_use]
pub fn is_camel(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// A word of the command line or of an enum: lowercase words parted by single `-` or `_`.
#[must_use]
pub fn is_word(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && !word.ends_with(['-', '_'])
        && !word.contains("--")
        && !word.contains("__")
        && word
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-')
}

/// `mark_read`, or of a plugin `mailbox.mark_unread`.
#[must_use]
pub fn is_operation(name: &str) -> bool {
    match name.split_once('.') {
        Some((plugin, rest)) => is_snake(plugin) && is_snake(rest),
        None => is_snake(name),
    }
}

/// The snake_case nearest to what was written, for a help line.
#[must_use]
pub fn to_snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        match c {
            c if c.is_ascii_alphanumeric() => out.push(c.to_ascii_lowercase()),
            _ if !out.is_empty() && !out.ends_with('_') => out.push('_'),
            _ => {}
        }
    }
    out.trim_matches(|c: char| c == '_' || c.is_ascii_digit())
        .to_owned()
}

/// The file a model lies in: `MessageRow` in `message_row`.
#[must_use]
pub fn model_file(model: &str) -> String {
    to_snake(model)
}

/// The model of a file: `message_row` holds `MessageRow`.
#[must_use]
pub fn model_name(file: &str) -> String {
    file.split('_')
        .map(|w| {
            let mut chars = w.chars();
            chars.next().map_or_else(String::new, |c| {
                c.to_ascii_uppercase().to_string() + chars.as_str()
            })
        })
        .collect()
}

/// The MCP name of an operation: `mailbox.list` is `mailbox__list`.
#[must_use]
pub fn mcp_tool(name: &str) -> String {
    name.replace('.', "__")
}

/// A title for people where none was given: `mark_read` is `Mark read`.
#[must_use]
pub fn title(name: &str) -> String {
    let words = name.rsplit('.').next().unwrap_or(name).replace('_', " ");
    let mut chars = words.chars();
    chars
        .next()
        .map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// Noun and verb where none was given: the area and the name without the area's word.
#[must_use]
pub fn cli_path(area: &str, name: &str) -> Vec<String> {
    let singular = area.strip_suffix('s').unwrap_or(area);
    let name = name.rsplit('.').next().unwrap_or(name);
    let verb: Vec<&str> = name.split('_').filter(|w| *w != area && *w != singular).collect();
    let verb = if verb.is_empty() {
        name.replace('_', "-")
    } else {
        verb.join("-")
    };
    vec![area.replace('_', "-"), verb]
}

/// The flag of an input field: `account_id` is `account-id`.
#[must_use]
pub fn flag(field: &str) -> String {
    field.replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_snake(name: &str, ok: bool, nearest: &str) {
        assert_eq!((is_snake(name), to_snake(name).as_str()), (ok, nearest), "{name}");
    }

    #[test]
    fn snake_case() {
        check_snake("mark_read", true, "mark_read");
        check_snake("markRead", false, "mark_read");
        check_snake("mark-read", false, "mark_read");
        check_snake("mark__read", false, "mark_read");
        check_snake("_mark", false, "mark");
        check_snake("3d", false, "d");
        check_snake("", false, "");
        check_snake("messages_2", true, "messages");
    }

    #[test]
    fn names_of_the_doors() {
        assert_eq!(mcp_tool("mailbox.list_messages"), "mailbox__list_messages");
        assert_eq!(title("mailbox.list_messages"), "List messages");
        assert_eq!(cli_path("messages", "read_message"), ["messages", "read"]);
        assert_eq!(cli_path("messages", "messages"), ["messages", "messages"]);
        assert_eq!(model_file("MessageRow"), "message_row");
        assert!(is_operation("mailbox.list") && !is_operation("a.b.c") && !is_operation("mailbox."));
        assert!(is_word("mark-read") && !is_word("Mark") && !is_word("-a") && !is_word("a--b"));
    }
}
