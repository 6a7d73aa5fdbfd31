//! The second front end: `#[operation(…)]` on an inline module that holds `Input` and `Output`.
//!
//! ```text
//! #[operation(class = mutate, ceiling = off, marks_read, area = messages, undo = mark_unread,
//!     title = "Mark as read", summary = "Mark messages read.", cli = "messages mark-read <target>...",
//!     examples(r#"{ "target": { "ids": [] } }"#))]
//! pub mod mark_read {
//!     pub struct Input {
//!         /// The messages.
//!         pub target: Selection,
//!     }
//!     pub struct Output {
//!         /// Messages now read.
//!         #[field(bound = max_batch_ids)]
//!         pub marked: Vec<MessageId>,
//!     }
//! }
//! ```
//!
//! Keys and words are those of the YAML; a key alone is `true`. A field's doc comment is its `doc`; its Rust type is
//! its type: `bool`, `i64`, `String`, `Text`, an id, `Selection`, a model, `Vec` (with `bound`), `Option` (not
//! required). `#[field(…)]` adds `bound`, `min`, `max`, `min_chars`, `max_chars`, `default`, and `type = "…"` for what
//! Rust has no word for (`"enum<a, b>"`, `"path"`, `"secret"`).
//!
//! One function reads both what the compiler hands to the macro and what a build script finds in a source file, so
//! both see one declaration. Such a module stands at the top level of its file. No type is looked up here.

mod args;
mod fields;

use std::cell::RefCell;
use std::sync::Arc;

use proc_macro2::{Span, TokenStream};

use super::{RawExample, RawMcp, RawOperation, RawThen, Spanned, Value};
use crate::diagnostic::Diagnostics;
use crate::ir::{Declared, Origin, SourceFile};
use args::{Arg, Reader};

/// Turns spans into origins: bytes of a file, or, in the macro, the number of a span that it keeps.
pub struct Places {
    file: Arc<str>,
    spans: Option<RefCell<Vec<Span>>>,
}

impl Places {
    /// Places in a source file that syn parsed.
    #[must_use]
    pub fn in_file(shown: &Arc<str>) -> Self {
        Places {
            file: Arc::clone(shown),
            spans: None,
        }
    }

    /// Places among the compiler's tokens.
    #[must_use]
    pub fn in_macro() -> Self {
        Places {
            file: "#[operation]".into(),
            spans: Some(RefCell::default()),
        }
    }

    /// The origin of a span.
    #[must_use]
    pub fn origin(&self, span: Span) -> Origin {
        match &self.spans {
            None => {
                let range = span.byte_range();
                Origin::new(&self.file, range.start, range.end)
            }
            Some(spans) => {
                let mut spans = spans.borrow_mut();
                spans.push(span);
                Origin::new(&self.file, spans.len() - 1, spans.len() - 1)
            }
        }
    }

    /// The compiler's span of an origin that these places gave.
    #[must_use]
    pub fn span(&self, origin: &Origin) -> Option<Span> {
        if origin.file != self.file {
            return None;
        }
        self.spans.as_ref()?.borrow().get(origin.start).copied()
    }

    fn spanned<T>(&self, value: T, span: Span) -> Spanned<T> {
        Spanned::new(value, self.origin(span))
    }
}

/// The operations that a Rust source file declares.
pub fn read(file: &SourceFile, found: &mut Diagnostics) -> Vec<RawOperation> {
    if !file.text.contains("operation") {
        return Vec::new();
    }
    let places = Places::in_file(&file.shown);
    let parsed = match syn::parse_file(&file.text) {
        Ok(parsed) => parsed,
        Err(e) => {
            let origin = places.origin(e.span());
            let message = "the file is not Rust from here on";
            found.operation(
                "S001",
                Declared::Attribute,
                &origin,
                message,
                "the compiler says what is wrong",
            );
            return Vec::new();
        }
    };
    let modules = parsed.items.iter().filter_map(|item| match item {
        syn::Item::Mod(module) => attribute_of(module).map(|args| (args, module)),
        _ => None,
    });
    modules
        .map(|(args, module)| operation(args, module, &places, found))
        .collect()
}

/// The tokens within `#[operation(…)]` of a module, if it has one.
fn attribute_of(module: &syn::ItemMod) -> Option<TokenStream> {
    let attribute = module
        .attrs
        .iter()
        .find(|a| a.path().segments.last().is_some_and(|s| s.ident == "operation"))?;
    match &attribute.meta {
        syn::Meta::List(list) => Some(list.tokens.clone()),
        _ => Some(TokenStream::new()),
    }
}

/// The declaration of one module, with the tokens within its attribute.
pub fn operation(
    args: TokenStream,
    module: &syn::ItemMod,
    places: &Places,
    found: &mut Diagnostics,
) -> RawOperation {
    let mut raw = RawOperation::empty(Declared::Attribute, places.origin(module.ident.span()));
    let name = module.ident.to_string();
    raw.operation = Some(places.spanned(name.trim_start_matches("r#").to_owned(), module.ident.span()));
    let before = found.len();
    let mut reader = Reader { places, found };
    for arg in reader.parse(args) {
        assign(&mut raw, arg, &mut reader);
    }
    for item in module.content.iter().flat_map(|(_, items)| items) {
        if let syn::Item::Struct(s) = item {
            let part = match s.ident.to_string().as_str() {
                "Input" => &mut raw.input,
                "Output" => &mut raw.output,
                _ => continue,
            };
            let fields = s.fields.iter().map(|f| fields::field(f, &mut reader)).collect();
            *part = Some(places.spanned(fields, s.ident.span()));
        }
    }
    if found.len() > before {
        // What cannot be read is not judged by its meaning too.
        raw.spoiled.insert(String::new());
    }
    raw
}

/// The keys of `#[operation(…)]`.
const KEYS: &[&str] = &[
    "approval",
    "area",
    "ceiling",
    "class",
    "cli",
    "cli_only",
    "description",
    "destroys",
    "examples",
    "marks_read",
    "mcp",
    "nested",
    "presence",
    "preview",
    "schedulable",
    "summary",
    "then",
    "title",
    "undo",
];

fn assign(raw: &mut RawOperation, arg: Arg, reader: &mut Reader<'_>) {
    match arg.name().as_str() {
        "approval" => raw.approval = reader.text(arg),
        "area" => raw.area = reader.text(arg),
        "ceiling" => raw.ceiling = reader.text(arg),
        "class" => raw.class = reader.text(arg),
        "cli" => raw.cli = reader.text(arg),
        "cli_only" => raw.cli_only = reader.boolean(arg),
        "description" => raw.description = reader.text(arg),
        "destroys" => raw.destroys = reader.boolean(arg),
        "examples" => raw.examples = examples(arg, reader),
        "marks_read" => raw.marks_read = reader.boolean(arg),
        "mcp" => raw.mcp = mcp(arg, reader),
        "nested" => raw.nested = reader.boolean(arg),
        "presence" => raw.presence = reader.text(arg),
        "preview" => raw.preview = reader.boolean(arg),
        "schedulable" => raw.schedulable = reader.boolean(arg),
        "summary" => raw.summary = reader.text(arg),
        "then" => raw.then = then(arg, reader),
        "title" => raw.title = reader.text(arg),
        "undo" => raw.undo = reader.text(arg),
        _ => reader.unknown(&arg, KEYS),
    }
}

fn mcp(arg: Arg, reader: &mut Reader<'_>) -> Option<Spanned<RawMcp>> {
    let span = arg.key.span();
    let mut mcp = RawMcp::default();
    for arg in reader.group(arg)? {
        match arg.name().as_str() {
            "tool" => mcp.tool = reader.text(arg),
            "action" => mcp.action = reader.text(arg),
            "result" => mcp.result = reader.text(arg),
            _ => reader.unknown(&arg, &["tool", "action", "result"]),
        }
    }
    Some(reader.places.spanned(mcp, span))
}

fn then(arg: Arg, reader: &mut Reader<'_>) -> Option<Spanned<RawThen>> {
    let span = arg.key.span();
    let mut then = RawThen::default();
    for arg in reader.group(arg)? {
        match arg.name().as_str() {
            "when" => then.when = reader.text(arg),
            "run" => then.run = reader.text(arg),
            _ => reader.unknown(&arg, &["when", "run"]),
        }
    }
    Some(reader.places.spanned(then, span))
}

fn examples(arg: Arg, reader: &mut Reader<'_>) -> Option<Spanned<Vec<RawExample>>> {
    let span = arg.key.span();
    let mut examples = Vec::new();
    for literal in reader.strings(arg)? {
        let origin = reader.places.origin(literal.span());
        let value = serde_json::from_str::<serde_json::Value>(&literal.value())
            .map_err(|_| "an example is no JSON")
            .and_then(|json| Value::from_json(&json, &origin));
        match value {
            Ok(value) => examples.push(RawExample {
                input: Some(Spanned::new(value, origin)),
            }),
            Err(message) => reader.wrong(literal.span(), message, "write an input as JSON: \"{}\""),
        }
    }
    Some(reader.places.spanned(examples, span))
}

#[cfg(test)]
mod tests;
