//! Untrusted text: subjects, names, bodies, file names, anything that somebody else wrote.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Text that somebody else wrote. Its one `Display` shows controls, bidi and invisible characters as escapes, so
/// that it is inert on a terminal and in a log; `as_str` gives the text itself to what escapes for its own medium.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Text(String);

impl Text {
    /// Takes text in as it came.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_inert(f, &self.0)
    }
}

/// A mail address in the form `local@domain`, as somebody wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Address(String);

impl Address {
    /// Takes an address in as it came.
    #[must_use]
    pub fn new(address: impl Into<String>) -> Self {
        Self(address.into())
    }

    /// The address itself.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_inert(f, &self.0)
    }
}

/// Whether a character could act on a terminal or deceive a reader: controls, bidi, invisible.
#[must_use]
pub fn is_unsafe_to_show(c: char) -> bool {
    matches!(c,
        '\u{0}'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

fn write_inert(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    for c in text.chars() {
        if is_unsafe_to_show(c) {
            write!(f, "\\u{{{:x}}}", u32::from(c))?;
        } else {
            fmt::Write::write_char(f, c)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, shown: &str) {
        assert_eq!(Text::new(text).to_string(), shown);
    }

    #[test]
    fn a_subject_with_terminal_escapes_and_bidi_is_inert_and_visible() {
        check("a\u{1b}]52;c;aGk=\u{7}b", "a\\u{1b}]52;c;aGk=\\u{7}b");
        check("invoice\u{202e}fdp.exe", "invoice\\u{202e}fdp.exe");
        check("za\u{200b}hl\u{e0041}en", "za\\u{200b}hl\\u{e0041}en");
        check("Grüße, 東京\n\t!", "Grüße, 東京\n\t!");
    }
}
