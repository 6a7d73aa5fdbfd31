//! What a stranger wrote, made fit to be read: everything that leaves a reader passes here.

use oaken_core::model::Correspondent;
use oaken_core::{Address, Text};
use oaken_mime::{clean, clean_line};

/// Cleaned text and whether the cleaner had something to mark. Collected over one message.
#[derive(Default)]
pub(super) struct Shown {
    /// Something invisible or acting was shown as an escape or taken out.
    pub marked: bool,
}

impl Shown {
    /// Text of one line.
    pub(super) fn line(&mut self, text: &str) -> Text {
        let cleaned = clean_line(text);
        self.marked |= cleaned.marked;
        Text::new(cleaned.text)
    }

    /// Text of several lines.
    pub(super) fn text(&mut self, text: &str) -> String {
        let cleaned = clean(text);
        self.marked |= cleaned.marked;
        cleaned.text
    }

    /// A name and an address; nothing where there is neither.
    pub(super) fn correspondent(&mut self, name: &str, address: &str) -> Option<Correspondent> {
        let name = self.line(name);
        let address = self.line(address);
        if name.as_str().is_empty() && address.as_str().is_empty() {
            return None;
        }
        Some(Correspondent {
            name: (!name.as_str().is_empty()).then_some(name),
            address: Address::new(address.as_str()),
        })
    }
}

/// Text of one line, where nobody asks what was marked.
pub(super) fn line(text: &str) -> Text {
    Shown::default().line(text)
}
