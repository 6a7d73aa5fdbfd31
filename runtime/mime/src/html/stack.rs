//! The open elements. Keeps the rules of the HTML tree builder that decide whose style a text has; searches are
//! bounded, so that hostile nesting costs linear time. Absent: foster parenting, forms, frames, foreign content.

use std::collections::HashMap;

use html5ever::{Attribute, LocalName};

use super::{
    attr,
    css::declarations,
    elements::{BLOCKS, FORMATTING, SCOPES, SILENT, TABLE_PARTS, VOID, is_any, line_ends},
    hidden::{Declared, Style, declared, length_px},
    render::Writer,
    sheet::{Identity, Sheet},
};

/// An end tag is looked for so deep; deeper is as if it were not there.
const MAX_SEARCH: usize = 1000;
/// So many formatting elements live on when what they are in ends.
const MAX_REOPENED: usize = 8;

#[derive(Clone, Debug)]
struct Open {
    name: LocalName,
    identity: Identity,
    declared: Declared,
    style: Style,
    /// A link's target, and where its text begins.
    link: Option<(String, usize)>,
    /// The number of the last item of an ordered list.
    item: Option<usize>,
}

/// Open elements, and what has been written.
pub(super) struct Stack {
    open: Vec<Open>,
    counts: HashMap<LocalName, usize>,
    sheet: Sheet,
    pub out: Writer,
}

impl Stack {
    pub(super) fn new(sheet: Sheet) -> Self {
        Self {
            open: Vec::new(),
            counts: HashMap::new(),
            sheet,
            out: Writer::default(),
        }
    }

    pub(super) fn finish(mut self) -> (String, bool) {
        while !self.open.is_empty() {
            self.close_from(self.open.len() - 1, false);
        }
        self.out.finish()
    }

    fn style(&self) -> &Style {
        self.open.last().map_or(&Style::ROOT, |open| &open.style)
    }

    fn is_open(&self, name: &LocalName) -> bool {
        self.counts.get(name).is_some_and(|&n| n > 0)
    }

    pub(super) fn text(&mut self, text: &str) {
        let top = self.open.last().map_or("", |open| &*open.name);
        if is_any(top, SILENT) {
            return;
        }
        let (is_hidden, is_pre) = (self.style().is_hidden(), self.style().pre);
        if is_hidden {
            self.out.hidden_text(text)
        } else {
            self.out.text(text, is_pre)
        }
    }

    pub(super) fn start(&mut self, name: &LocalName, attrs: &[Attribute], is_self_closing: bool) {
        let tag = &**name;
        let is_foreign = is_any(tag, &["svg", "math"]);
        if is_any(tag, &["html", "body"]) && self.is_open(name) || is_foreign && is_self_closing {
            return;
        }
        if is_any(tag, BLOCKS) || is_any(tag, VOID) || is_any(tag, FORMATTING) && tag != "a" || tag == "span"
        {
            self.leave_foreign();
        }
        self.imply_ends(tag);
        let identity = identity(tag, attrs);
        let ancestors = self.open.iter().rev().map(|open| &open.identity);
        let rules = self.sheet.matching(&identity, ancestors);
        let inline = attr(attrs, "style").map(declarations).unwrap_or_default();
        let declared = declared(tag, attrs, &rules, &inline);
        if is_any(tag, VOID) {
            return self.void(tag, attrs, &declared);
        }
        let style = self.style().child(&declared);
        let link = attr(attrs, "href")
            .filter(|_| tag == "a")
            .map(|href| (href.to_owned(), 0));
        self.push(Open {
            name: name.clone(),
            identity,
            declared,
            style,
            link,
            item: None,
        });
    }

    fn void(&mut self, tag: &str, attrs: &[Attribute], declared: &Declared) {
        let style = self.style().child(declared);
        match tag {
            "br" => self.out.line_end(),
            "hr" if !style.hides_pictures() => self.out.rule(),
            "img" | "image" => {
                let alt = attr(attrs, "alt").unwrap_or_default();
                let is_small = |name| attr(attrs, name).and_then(length_px).is_some_and(|px| px <= 1.0);
                let in_link = self.open.iter().rev().take(20).any(|open| open.link.is_some());
                if style.hides_pictures() || is_small("width") || is_small("height") {
                    self.out.hidden_text(alt);
                } else if !alt.trim().is_empty() || in_link && attr(attrs, "alt").is_none() {
                    self.out.image(alt);
                }
            }
            _ => {}
        }
    }

    fn push(&mut self, mut open: Open) {
        let tag = &*open.name;
        match tag {
            "blockquote" => {
                self.out.lines(2);
                self.out.quotes += 1;
            }
            "ul" | "ol" | "menu" | "dir" => {
                self.out.lines(if self.out.lists == 0 { 2 } else { 1 });
                self.out.lists += 1;
                open.item = (tag == "ol").then_some(0);
            }
            "li" => {
                let list = self
                    .open
                    .iter_mut()
                    .rev()
                    .take(20)
                    .find(|o| is_any(&o.name, &["ul", "ol", "menu", "dir"]));
                let number = list.and_then(|list| list.item.as_mut());
                let bullet = number.map(|n| {
                    *n += 1;
                    format!("{n}. ")
                });
                self.out.bullet(bullet.unwrap_or_else(|| "- ".to_owned()));
            }
            "td" | "th" => self.out.cell(),
            _ => self.out.lines(line_ends(tag)),
        }
        if let Some((_, start)) = open.link.as_mut() {
            *start = self.out.len();
        }
        *self.counts.entry(open.name.clone()).or_default() += 1;
        self.open.push(open);
    }

    fn closed(&mut self, open: &Open) {
        if let Some(count) = self.counts.get_mut(&open.name) {
            *count = count.saturating_sub(1);
        }
        let tag = &*open.name;
        match tag {
            "blockquote" => self.out.quotes = self.out.quotes.saturating_sub(1),
            "ul" | "ol" | "menu" | "dir" => self.out.lists = self.out.lists.saturating_sub(1),
            _ => {}
        }
        if let Some((href, start)) = open.link.as_ref().filter(|_| !open.style.is_hidden()) {
            self.out.link(*start, href);
        }
        self.out
            .lines(if is_any(tag, &["ul", "ol"]) && self.out.lists > 0 {
                1
            } else {
                line_ends(tag)
            });
    }

    /// Closes everything from `at` up; formatting that was not meant lives on after it.
    fn close_from(&mut self, at: usize, reopen: bool) {
        let mut lasting = Vec::new();
        while self.open.len() > at {
            let Some(open) = self.open.pop() else { break };
            self.closed(&open);
            let is_target = self.open.len() == at;
            if reopen && !is_target && lasting.len() < MAX_REOPENED && is_any(&open.name, FORMATTING) {
                lasting.push(open);
            }
        }
        for mut open in lasting.into_iter().rev() {
            open.style = self.style().child(&open.declared);
            self.push(open);
        }
    }

    /// The nearest open element of these names, unless one of `stops` is nearer.
    fn nearest(&self, names: &[&str], stops: &[&str]) -> Option<usize> {
        let above = self.open.iter().enumerate().rev().take(MAX_SEARCH);
        let (at, open) = above
            .into_iter()
            .find(|(_, o)| is_any(&o.name, names) || is_any(&o.name, stops))?;
        is_any(&open.name, names).then_some(at)
    }

    fn close_nearest(&mut self, names: &[&str], stops: &[&str]) {
        let is_known = names.iter().any(|name| self.is_open(&LocalName::from(*name)));
        if let Some(at) = is_known.then(|| self.nearest(names, stops)).flatten() {
            // What was opened inside a cell ends with it.
            let reopen = !is_any(
                &self.open.get(at).map_or(String::new(), |o| o.name.to_string()),
                SCOPES,
            );
            self.close_from(at, reopen);
        }
    }

    /// Ends that a start tag implies.
    fn imply_ends(&mut self, tag: &str) {
        match tag {
            "li" => self.close_nearest(&["li"], &["ul", "ol", "menu", "dir", "table", "td", "th", "body"]),
            "dd" | "dt" => self.close_nearest(&["dd", "dt"], &["dl", "table", "td", "th", "body"]),
            "option" | "optgroup" => self.close_nearest(&["option"], &["select", "body"]),
            "a" | "nobr" => {
                // A link inside a link ends it; what is open above stays.
                if let Some(at) = self
                    .nearest(&[tag], SCOPES)
                    .filter(|_| self.is_open(&LocalName::from(tag)))
                {
                    self.remove(at);
                }
            }
            "td" | "th" => self.close_nearest(&["td", "th"], &["table", "tr"]),
            "tr" => {
                self.close_nearest(&["td", "th", "caption"], &["table"]);
                self.close_nearest(&["tr"], &["table"]);
            }
            "tbody" | "thead" | "tfoot" | "caption" | "colgroup" => {
                self.close_nearest(&["td", "th", "caption"], &["table"]);
                self.close_nearest(&["tr"], &["table"]);
                self.close_nearest(&["tbody", "thead", "tfoot", "colgroup"], &["table"]);
            }
            _ => {}
        }
        if is_any(tag, BLOCKS) {
            let stops: Vec<&str> = SCOPES.iter().copied().chain(["button"]).collect();
            self.close_nearest(&["p"], &stops);
        }
        if is_any(tag, &["h1", "h2", "h3", "h4", "h5", "h6"]) {
            let top = self.open.len().saturating_sub(1);
            if self
                .open
                .last()
                .is_some_and(|o| line_ends(&o.name) == 2 && o.name.starts_with('h'))
            {
                self.close_from(top, true);
            }
        }
    }

    /// HTML in SVG or MathML ends it.
    fn leave_foreign(&mut self) {
        self.close_nearest(&["svg", "math"], &["body"]);
    }

    pub(super) fn end(&mut self, name: &LocalName) {
        let tag = &**name;
        match tag {
            "html" | "body" => return,
            "br" => return self.out.line_end(),
            "p" if !self.is_open(name) => return self.out.lines(2),
            _ => {}
        }
        let is_heading = is_any(tag, &["h1", "h2", "h3", "h4", "h5", "h6"]);
        if is_heading {
            return self.close_nearest(&["h1", "h2", "h3", "h4", "h5", "h6"], SCOPES);
        }
        if !self.is_open(name) {
            return;
        }
        if is_any(tag, FORMATTING) {
            if let Some(at) = self.nearest(&[tag], SCOPES) {
                self.remove(at);
            }
        } else if tag == "table" || is_any(tag, TABLE_PARTS) {
            self.close_nearest(&[tag], &["table", "template"]);
        } else if is_any(tag, SCOPES) || is_any(tag, BLOCKS) || tag == "button" {
            self.close_nearest(&[tag], SCOPES);
        } else {
            // Any other end tag is ignored if a block stands between: what it would end goes on.
            let stops: Vec<&str> = SCOPES.iter().chain(BLOCKS).chain(TABLE_PARTS).copied().collect();
            self.close_nearest(&[tag], &stops);
        }
    }

    /// Ends a formatting element; the blocks opened in it stay open, without its style (the adoption agency).
    fn remove(&mut self, at: usize) {
        if at >= self.open.len() {
            return;
        }
        let gone = self.open.remove(at);
        self.closed(&gone);
        let below = at.checked_sub(1).and_then(|i| self.open.get(i));
        let mut style = below.map_or(Style::ROOT, |open| open.style.clone());
        for open in self.open.iter_mut().skip(at) {
            open.style = style.child(&open.declared);
            style = open.style.clone();
        }
    }
}

fn identity(tag: &str, attrs: &[Attribute]) -> Identity {
    let classes = attr(attrs, "class").unwrap_or_default();
    Identity {
        tag: tag.to_owned(),
        id: attr(attrs, "id").unwrap_or_default().to_owned(),
        classes: classes
            .split_ascii_whitespace()
            .take(50)
            .map(str::to_owned)
            .collect(),
    }
}
