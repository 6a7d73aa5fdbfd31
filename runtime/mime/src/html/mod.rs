//! HTML to the text that a person would see: html5ever's tokenizer, and our own stack of open elements.
//! Not html5ever's tree: its scope walks are quadratic, so that 50,000 nested divs take ten seconds. The stack here
//! keeps the tree rules that decide what is visible: implied ends, formatting reopened, ends that are ignored.
//! Absent: scripts, network, layout. What needs layout to be hidden is seen only in its usual forms.

mod color;
mod css;
mod elements;
mod hidden;
mod render;
mod sheet;
mod stack;

use std::{
    cell::RefCell,
    time::{Duration, Instant},
};

use html5ever::{
    Attribute,
    tendril::StrTendril,
    tokenizer::{
        BufferQueue, StartTag, Tag, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
        states::RawKind,
    },
};

use sheet::Sheet;
use stack::Stack;

/// What stands in the text where text was that a person would not see.
pub const HIDDEN_MARKER: &str = "[hidden text removed]";

/// HTML beyond this is left out, and said.
const MAX_HTML_BYTES: usize = 4 * 1024 * 1024;
/// Text beyond this is left out, and said.
const MAX_TEXT_BYTES: usize = 4 * 1024 * 1024;
/// A hundred attributes or a million make one tag, and comparing each with each is quadratic in html5ever; honest
/// mail takes milliseconds.
const MAX_TIME: Duration = Duration::from_secs(2);
/// So much is fed at once between two looks at the clock.
const CHUNK_BYTES: usize = 8 * 1024;

/// Text of an HTML part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HtmlText {
    /// The visible text; links as `text <url>`, pictures as `[image: alt]`, tables by rows.
    pub text: String,
    /// Text that a person would not see was replaced by [`HIDDEN_MARKER`].
    pub hidden: bool,
    /// The HTML was over a cap; the rest is left out.
    pub cut: bool,
}

/// Converts HTML to text. Linear, without recursion, within caps of size and time.
#[must_use]
pub fn html_to_text(html: &str) -> HtmlText {
    let (html, cut) = head(html, MAX_HTML_BYTES);
    let sink = Sink {
        stack: RefCell::new(Stack::new(Sheet::of_document(html))),
    };
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    let started = Instant::now();
    let queue = BufferQueue::default();
    let mut rest = html;
    let mut cut = cut;
    while !rest.is_empty() {
        let (chunk, _) = head(rest, CHUNK_BYTES);
        rest = rest.get(chunk.len()..).unwrap_or_default();
        queue.push_back(StrTendril::from(chunk));
        // A script ends a run of the tokenizer; the rest of the chunk is still queued.
        while !queue.is_empty() {
            let _ = tokenizer.feed(&queue);
        }
        let is_full = tokenizer.sink.stack.borrow().out.len() > MAX_TEXT_BYTES;
        if started.elapsed() > MAX_TIME || is_full {
            cut |= !rest.is_empty();
            break;
        }
    }
    tokenizer.end();
    let (text, hidden) = tokenizer.sink.stack.into_inner().finish();
    HtmlText { text, hidden, cut }
}

/// The first `max` bytes of a text, not splitting a character, and whether that is less than all.
fn head(text: &str, max: usize) -> (&str, bool) {
    if text.len() <= max {
        return (text, false);
    }
    let mut end = max;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    (text.get(..end).unwrap_or_default(), true)
}

struct Sink {
    stack: RefCell<Stack>,
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut stack = self.stack.borrow_mut();
        match token {
            Token::CharacterTokens(text) => stack.text(&text),
            Token::TagToken(tag) if tag.kind == StartTag => {
                stack.start(&tag.name, &tag.attrs, tag.self_closing);
                return raw_text(&tag);
            }
            Token::TagToken(tag) => stack.end(&tag.name),
            // Comments, doctypes and NUL are seen by nobody.
            Token::CommentToken(_) | Token::DoctypeToken(_) | Token::NullCharacterToken => {}
            Token::ParseError(_) | Token::EOFToken => {}
        }
        TokenSinkResult::Continue
    }
}

/// Elements whose content is not markup.
fn raw_text(tag: &Tag) -> TokenSinkResult<()> {
    match &*tag.name {
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" => TokenSinkResult::RawData(RawKind::Rawtext),
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        "plaintext" => TokenSinkResult::Plaintext,
        _ => TokenSinkResult::Continue,
    }
}

/// The value of an attribute.
fn attr<'a>(attrs: &'a [Attribute], name: &str) -> Option<&'a str> {
    attrs.iter().find(|a| &*a.name.local == name).map(|a| &*a.value)
}

#[cfg(test)]
mod tests;
