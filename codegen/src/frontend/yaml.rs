//! YAML to values with places. The only file that names the YAML crate.
//!
//! One pass that takes any document, so that what it refuses is syntax alone and stands where it is (S001); meaning is
//! read afterwards from the tree, every fault at once. Scalars are judged by how they were written: `true` and `false`
//! are the booleans (`off` is a word), a number is decimal without leading zeros or underscores. No anchors, aliases,
//! merge keys, tags or second documents.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Location, MergeKeyPolicy, options::DuplicateKeyPolicy};

use super::{Spanned, Value};
use crate::{
    diagnostic::Diagnostics,
    ir::{Origin, SourceFile},
};

/// Deeper than any declaration; a guard for the stack.
const MAX_DEPTH: usize = 32;

/// The document of a file. `None` when its syntax is broken, which was reported. Duplicate keys are S004 and kept.
pub fn parse(file: &SourceFile, found: &mut Diagnostics) -> Option<Spanned<Value>> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! { max_depth: MAX_DEPTH },
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        merge_keys: MergeKeyPolicy::AsOrdinary,
        strict_booleans: true,
        null_as_string: true,
        reject_unsupported_tags: true,
        with_snippet: false,
    };
    match serde_saphyr::from_str_with_options::<serde_saphyr::Spanned<Node>>(&file.text, options) {
        Ok(node) => Some(Reader { file, found }.value(node)),
        Err(error) => {
            let at = error.location().map_or(0, |l| offset(&file.text, &l));
            let (message, help) = match error.without_snippet() {
                serde_saphyr::Error::MultipleDocuments { .. } => (
                    "a second document".to_owned(),
                    "one declaration a file; leave `---` out",
                ),
                other => (sentence(other), ""),
            };
            found.spec("S001", &Origin::new(&file.shown, at, at + 1), message, help);
            None
        }
    }
}

/// The byte a place starts at. Of a syntax error the crate knows line and column alone.
fn offset(text: &str, location: &Location) -> usize {
    if let Some(offset) = location.span().byte_offset() {
        return usize::try_from(offset).unwrap_or(text.len()).min(text.len());
    }
    let (line, column) = (location.line().max(1), location.column().max(1));
    let mut start = 0;
    for _ in 1..line {
        match text[start..].find('\n') {
            Some(at) => start += at + 1,
            None => return text.len(),
        }
    }
    let column = usize::try_from(column - 1).unwrap_or(usize::MAX);
    text[start..]
        .char_indices()
        .nth(column)
        .map_or(text.len(), |(i, _)| start + i)
}

/// What the crate says, in one line and without the place.
fn sentence(error: &serde_saphyr::Error) -> String {
    let text = error.to_string();
    let text = text.lines().next().unwrap_or_default();
    text.rfind(" at line ").map_or(text, |at| &text[..at]).to_owned()
}

/// What the crate gives: the text of a scalar is looked up by its place.
enum Node {
    Scalar(Option<String>),
    List(Vec<serde_saphyr::Spanned<Node>>),
    Map(Vec<(serde_saphyr::Spanned<String>, serde_saphyr::Spanned<Node>)>),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Node;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a value")
            }
            fn visit_bool<E>(self, _: bool) -> Result<Node, E> {
                Ok(Node::Scalar(None))
            }
            fn visit_i64<E>(self, _: i64) -> Result<Node, E> {
                Ok(Node::Scalar(None))
            }
            fn visit_u64<E>(self, _: u64) -> Result<Node, E> {
                Ok(Node::Scalar(None))
            }
            fn visit_i128<E>(self, _: i128) -> Result<Node, E> {
                Ok(Node::Scalar(None))
            }
            fn visit_u128<E>(self, _: u128) -> Result<Node, E> {
                Ok(Node::Scalar(None))
            }
            fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
                Ok(Node::Scalar(None))
            }
            fn visit_unit<E>(self) -> Result<Node, E> {
                Ok(Node::Scalar(None))
            }
            fn visit_none<E>(self) -> Result<Node, E> {
                Ok(Node::Scalar(None))
            }
            fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
                Node::deserialize(deserializer)
            }
            fn visit_str<E>(self, text: &str) -> Result<Node, E> {
                Ok(Node::Scalar(Some(text.to_owned())))
            }
            fn visit_bytes<E: serde::de::Error>(self, _: &[u8]) -> Result<Node, E> {
                Err(E::custom("bytes are not used in the spec"))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
                let mut out = Vec::new();
                while let Some(item) = items.next_element()? {
                    out.push(item);
                }
                Ok(Node::List(out))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
                let mut out = Vec::new();
                while let Some(entry) = entries.next_entry()? {
                    out.push(entry);
                }
                Ok(Node::Map(out))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// Turns nodes into values and reports what is wrong with a scalar or a key.
struct Reader<'a> {
    file: &'a SourceFile,
    found: &'a mut Diagnostics,
}

impl Reader<'_> {
    fn origin(&self, location: &Location) -> Origin {
        let start = offset(&self.file.text, location);
        let len = location
            .span()
            .byte_len()
            .and_then(|l| usize::try_from(l).ok())
            .unwrap_or(0);
        Origin::new(
            &self.file.shown,
            start,
            start.saturating_add(len).min(self.file.text.len()),
        )
    }

    fn value(&mut self, node: serde_saphyr::Spanned<Node>) -> Spanned<Value> {
        let origin = self.origin(&node.referenced);
        if node.referenced != node.defined {
            self.found.spec(
                "S001",
                &origin,
                "an alias; the spec has none",
                "write the value out",
            );
        }
        let value = match node.value {
            Node::Scalar(text) => self.scalar(text, &origin),
            Node::List(items) => Value::List(items.into_iter().map(|i| self.value(i)).collect()),
            Node::Map(entries) => self.map(entries),
        };
        Spanned::new(value, origin)
    }

    fn map(&mut self, entries: Vec<(serde_saphyr::Spanned<String>, serde_saphyr::Spanned<Node>)>) -> Value {
        let mut out: Vec<(Spanned<String>, Spanned<Value>)> = Vec::new();
        for (key, value) in entries {
            let key = Spanned::new(key.value, self.origin(&key.referenced));
            let value = self.value(value);
            if out.iter().any(|(k, _)| k.value == key.value) {
                self.found.spec(
                    "S004",
                    &key.origin,
                    format!("the key `{}` stands twice", key.value),
                    "keep one of them",
                );
            } else {
                out.push((key, value));
            }
        }
        Value::Map(out)
    }

    /// Quoted and block scalars are strings, and so is what the crate takes for one; the rest is judged by its text.
    fn scalar(&mut self, text: Option<String>, origin: &Origin) -> Value {
        if let Some(text) = text {
            return Value::String(text);
        }
        let written = self.file.text.get(origin.start..origin.end).unwrap_or("").trim();
        plain(written).unwrap_or_else(|(message, help)| {
            self.found.spec("S003", origin, message, help);
            Value::Null
        })
    }
}

/// What a scalar is that stands without quotes and is no string, judged by how it was written.
fn plain(written: &str) -> Result<Value, (String, String)> {
    match written {
        "" | "null" | "~" => return Ok(Value::Null),
        "true" => return Ok(Value::Boolean(true)),
        "false" => return Ok(Value::Boolean(false)),
        _ => {}
    }
    let digits = written.strip_prefix(['-', '+']).unwrap_or(written);
    let whole = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    let canonical = digits == "0" || !digits.starts_with('0');
    let odd_base = ["0x", "0o", "0b"].iter().any(|p| digits.starts_with(p));
    let point = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && (digits.parse::<f64>().is_ok()
            || matches!(digits, ".inf" | ".nan" | ".Inf" | ".NaN" | ".INF" | ".NAN"));
    if whole && canonical && !digits.contains('_') && !written.starts_with('+') {
        return written.parse().map(Value::Integer).map_err(|_| {
            (
                format!("the number {written} is too large"),
                "whole numbers of 64 bits, or a string in quotes".into(),
            )
        });
    }
    if (whole && digits.starts_with(|c: char| c.is_ascii_digit())) || odd_base {
        return Err((
            format!("the number {written} is not written plainly"),
            "decimal digits without leading zeros, underscores or a plus; in quotes if it is a string".into(),
        ));
    }
    if point {
        return Err((
            format!("the number {written} is not whole"),
            "a whole number; in quotes if it is a string".into(),
        ));
    }
    if matches!(written, "True" | "TRUE" | "False" | "FALSE" | "Null" | "NULL") {
        let help = format!("write {}, or the word in quotes", written.to_ascii_lowercase());
        return Err((format!("the word {written} is ambiguous"), help));
    }
    Ok(Value::String(written.to_owned()))
}
