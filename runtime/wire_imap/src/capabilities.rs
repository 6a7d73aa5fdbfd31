//! What a server says it can do. Nothing is used that is not listed here after the login (case C01).

use std::collections::BTreeSet;

use crate::cursor::Cursor;

/// A longer list is no list of capabilities.
const MOST: usize = 500;

/// The capabilities of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capabilities(BTreeSet<String>);

impl Capabilities {
    /// Whether the server lists this word, as `CONDSTORE` or `AUTH=PLAIN`, in any case.
    #[must_use]
    pub fn has(&self, word: &str) -> bool {
        self.0.contains(&word.to_ascii_uppercase())
    }

    /// The words, in upper case and order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// CONDSTORE, which QRESYNC includes (RFC 7162 §3.2.3).
    #[must_use]
    pub fn condstore(&self) -> bool {
        self.has("CONDSTORE") || self.has("QRESYNC")
    }

    /// Reads the words up to the end or to a closing bracket. Doubled spaces are met in the wild.
    pub(crate) fn read(c: &mut Cursor<'_>) -> Self {
        let mut words = BTreeSet::new();
        loop {
            c.spaces();
            let Some(word) = c.atom() else { break };
            if words.len() < MOST && word.is_ascii() {
                words.insert(String::from_utf8_lossy(word).to_ascii_uppercase());
            }
        }
        Capabilities(words)
    }
}
