//! Where something was written: a file and a byte range. The only notion of place outside the front ends.
//!
//! Lines and columns are computed when a finding is shown, and only then.

use std::{collections::BTreeMap, sync::Arc};

/// A place in a source file.
///
/// The macro has no byte offsets: it numbers its spans and keeps the number in `start`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The file as it is shown: relative to the root, with `/`.
    pub file: Arc<str>,
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Origin {
    /// A range of a file.
    #[must_use]
    pub fn new(file: &Arc<str>, start: usize, end: usize) -> Self {
        Self {
            file: Arc::clone(file),
            start,
            end: end.max(start),
        }
    }

    /// The start of a file: where something that is not there would have been.
    #[must_use]
    pub fn file(file: &Arc<str>) -> Self {
        Self::new(file, 0, 0)
    }
}

/// One source file that was read.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As it is shown: relative to the root, with `/`.
    pub shown: Arc<str>,
    /// Its text.
    pub text: Arc<str>,
}

/// The texts that were read, to turn byte ranges into lines and columns.
#[derive(Clone, Debug, Default)]
pub struct Sources(BTreeMap<Arc<str>, Arc<str>>);

impl Sources {
    /// Remembers a file.
    pub fn add(&mut self, file: &SourceFile) {
        self.0.insert(Arc::clone(&file.shown), Arc::clone(&file.text));
    }

    /// The text of a file.
    #[must_use]
    pub fn text(&self, file: &str) -> Option<&str> {
        self.0.get(file).map(|t| &**t)
    }

    /// Line and column, both from 1, the column in characters. 1:1 for a file that was not read.
    #[must_use]
    pub fn position(&self, origin: &Origin) -> (usize, usize) {
        let Some(text) = self.text(&origin.file) else {
            return (1, 1);
        };
        let mut at = origin.start.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &text[..at];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        (
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        )
    }

    /// The line a place is on, without its line break.
    #[must_use]
    pub fn line(&self, origin: &Origin) -> &str {
        let Some(text) = self.text(&origin.file) else {
            return "";
        };
        text.lines().nth(self.position(origin).0 - 1).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, start: usize, expected: (usize, usize)) {
        let file = SourceFile {
            shown: "a.yaml".into(),
            text: text.into(),
        };
        let mut sources = Sources::default();
        sources.add(&file);
        assert_eq!(
            sources.position(&Origin::new(&file.shown, start, start)),
            expected
        );
    }

    #[test]
    fn positions_count_characters_from_one() {
        check("", 0, (1, 1));
        check("a: b", 3, (1, 4));
        check("a\nb: c\n", 2, (2, 1));
        check("ä: b", 4, (1, 4));
        check("ä: b", 1, (1, 1));
        check("a\n", 99, (2, 1));
    }
}
