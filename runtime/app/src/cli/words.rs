//! The spec's words as the command line has them: an operation is a command, a field is a flag.

use oaken_core::{Descriptor, Shape};

use crate::open::descriptors;

/// A text of the spec in which operations and this command's fields are named by what is typed. Only names with an
/// underscore: `search` and `undo` are also plain words.
pub fn of_command(text: &str, d: Option<&Descriptor>) -> String {
    let mut said = text.to_owned();
    for op in descriptors() {
        if op.name.contains('_') && !op.cli.path.is_empty() {
            said = replace_word(&said, op.name, &format!("oaken {}", op.cli.path.join(" ")));
        }
    }
    for field in d.into_iter().flat_map(|d| d.input) {
        if field.name.contains('_') {
            said = replace_word(&said, field.name, &format!("--{}", field.name.replace('_', "-")));
        }
    }
    said
}

/// A field's pointer as the argument that was or could be typed: `/thread_id` is `--thread-id`.
pub fn of_pointer(pointer: &str, d: Option<&Descriptor>) -> String {
    let name = pointer
        .trim_start_matches('/')
        .split('/')
        .next()
        .unwrap_or_default();
    let Some((d, field)) = d.and_then(|d| d.input.iter().find(|f| f.name == name).map(|f| (d, f))) else {
        return pointer.to_owned();
    };
    let place = match pointer
        .rsplit_once('/')
        .and_then(|(_, n)| n.parse::<usize>().ok())
    {
        Some(at) => format!(" (number {})", at + 1),
        None => String::new(),
    };
    let argument = if d.cli.positional.contains(&name) {
        format!("<{}>", super::tree::value_name(field))
    } else if let Shape::Secret = field.shape {
        format!("--{0}-stdin or --{0}-prompt", name.replace('_', "-"))
    } else {
        format!("--{}", name.replace('_', "-"))
    };
    argument + &place
}

fn replace_word(text: &str, word: &str, by: &str) -> String {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (before, from) = rest.split_at(at);
        let after = &from[word.len()..];
        out.push_str(before);
        let whole = !before.ends_with(part) && !after.starts_with(part);
        out.push_str(if whole { by } else { word });
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(name: &str) -> &'static Descriptor {
        descriptors().into_iter().find(|d| d.name == name).unwrap()
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(of_command(text, Some(operation("get_thread"))), expected);
    }

    #[test]
    fn operations_and_fields_are_named_by_what_is_typed() {
        check("use list_messages.", "use oaken messages list.");
        check(
            "Give one of thread_id and message_id.",
            "Give one of --thread-id and --message-id.",
        );
        check("my_list_messages, search, undo", "my_list_messages, search, undo");
    }

    #[test]
    fn a_pointer_is_the_argument_that_is_typed() {
        let d = Some(operation("mark_unread"));
        assert_eq!(of_pointer("/target/ids/1", d), "<m_…> (number 2)");
        assert_eq!(
            of_pointer("/message_id", Some(operation("get_thread"))),
            "--message-id"
        );
        assert_eq!(of_pointer("/*", d), "/*");
        assert_eq!(of_pointer("/target", None), "/target");
    }
}
