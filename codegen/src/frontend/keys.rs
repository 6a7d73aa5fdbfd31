//! Reading one mapping: a value of the expected kind, or what is wrong with it, and which keys were refused.

use std::collections::BTreeSet;

use super::{Spanned, Value};
use crate::diagnostic::{Diagnostics, nearest, nearest_help};

/// A key and its value.
pub(super) type Entry = (Spanned<String>, Spanned<Value>);

/// Stands among the refused keys for all of them: there was no mapping to read.
pub const WHOLE: &str = "*";

/// Reads the values of one mapping's keys.
pub(super) struct Keys<'a> {
    found: &'a mut Diagnostics,
    /// Keys that were refused.
    pub(super) spoiled: BTreeSet<String>,
}

impl<'a> Keys<'a> {
    pub(super) fn new(found: &'a mut Diagnostics) -> Self {
        Self {
            found,
            spoiled: BTreeSet::new(),
        }
    }

    pub(super) fn inner(&mut self) -> Keys<'_> {
        Keys::new(self.found)
    }

    pub(super) fn wrong(
        &mut self,
        key: &Spanned<String>,
        value: &Spanned<Value>,
        expected: &str,
        help: &str,
    ) {
        self.spoiled.insert(key.value.clone());
        // What a scalar is that was refused already reads as nothing, and is not refused twice.
        let known = value.value == Value::Null && self.found.iter().any(|d| d.origin == value.origin);
        if !known {
            let message = format!("`{}` is {expected}, not {}", key.value, value.value.kind());
            self.found.spec("S003", &value.origin, message, help);
        }
    }

    pub(super) fn mapping<'v>(&mut self, what: &str, value: &'v Spanned<Value>) -> &'v [Entry] {
        match &value.value {
            Value::Map(entries) => entries,
            other => {
                let message = format!("{what} is a mapping, not {}", other.kind());
                self.found
                    .spec("S003", &value.origin, message, "write `key: value`");
                self.spoiled.insert(WHOLE.to_owned());
                &[]
            }
        }
    }

    pub(super) fn unknown(&mut self, key: &Spanned<String>, known: &[&str]) {
        let (help, meant) = if key.value.ends_with('>') {
            // `{ type: list<MessageId, max_batch_ids> }`: the comma ended the type.
            (
                "put a type with a comma in quotes: it parts entries here".to_owned(),
                "type",
            )
        } else {
            let help = nearest_help(&key.value, known.iter().copied());
            (help, nearest(&key.value, known.iter().copied()).unwrap_or(""))
        };
        self.found
            .spec("S002", &key.origin, format!("unknown key `{}`", key.value), help);
        self.spoiled.insert(meant.to_owned());
    }

    pub(super) fn string(
        &mut self,
        key: &Spanned<String>,
        value: &Spanned<Value>,
    ) -> Option<Spanned<String>> {
        if let Value::String(text) = &value.value {
            return Some(Spanned::new(text.clone(), value.origin.clone()));
        }
        self.wrong(key, value, "a string", "put it in quotes if it is one");
        None
    }

    pub(super) fn boolean(&mut self, key: &Spanned<String>, value: &Spanned<Value>) -> Option<Spanned<bool>> {
        if let Value::Boolean(b) = value.value {
            return Some(Spanned::new(b, value.origin.clone()));
        }
        self.wrong(
            key,
            value,
            "a boolean",
            "true or false; off, on, yes and no are words",
        );
        None
    }

    pub(super) fn integer(&mut self, key: &Spanned<String>, value: &Spanned<Value>) -> Option<Spanned<i64>> {
        if let Value::Integer(i) = value.value {
            return Some(Spanned::new(i, value.origin.clone()));
        }
        self.wrong(key, value, "a number", "decimal digits without quotes");
        None
    }
}
