//! Style sheets, as far as they can hide text.
//! Absent: attribute selectors, pseudo-classes, sibling combinators, imports. A rule with one of these is not
//! applied: text that only such a rule hides stays visible to an agent.

use std::collections::HashMap;

use super::css::{Declaration, declarations, without_comments};

/// At most so much of all sheets is read, and so many rules.
const MAX_SHEET_BYTES: usize = 256 * 1024;
const MAX_RULES: usize = 2000;
/// At most so many rules are tried on one element, and so many of its ancestors looked at.
const MAX_MATCHES: usize = 100;
pub(super) const MAX_ANCESTORS: usize = 64;
/// The width for which `@media` rules are read: a window on a desk.
const VIEWPORT_PX: f32 = 1000.0;

/// An element as selectors see it.
#[derive(Clone, Debug, Default)]
pub(super) struct Identity {
    pub tag: String,
    pub id: String,
    pub classes: Vec<String>,
}

/// `tag#id.class`, all of it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Compound {
    tag: String,
    id: String,
    classes: Vec<String>,
}

impl Compound {
    fn parse(text: &str) -> Option<Self> {
        let mut compound = Self::default();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let body = rest.strip_prefix(['#', '.']).unwrap_or(rest);
            let len = body.find(['#', '.']).unwrap_or(body.len());
            let (name, after) = body.split_at_checked(len)?;
            if name.is_empty()
                || name.contains(['[', ':', '(', '\\', '&'])
                || name.contains('*') && name != "*"
            {
                return None;
            }
            match first {
                '#' => name.clone_into(&mut compound.id),
                '.' => compound.classes.push(name.to_owned()),
                _ => compound.tag = name.to_ascii_lowercase(),
            }
            rest = after;
        }
        Some(compound)
    }

    fn matches(&self, element: &Identity) -> bool {
        (self.tag.is_empty() || self.tag == "*" || self.tag == element.tag)
            && (self.id.is_empty() || self.id == element.id)
            && self.classes.iter().all(|class| element.classes.contains(class))
    }

    /// What every element that matches has: the key to look the rule up by.
    fn key(&self) -> String {
        match (self.id.is_empty(), self.classes.first()) {
            (false, _) => format!("#{}", self.id),
            (true, Some(class)) => format!(".{class}"),
            _ if self.tag.is_empty() => "*".to_owned(),
            _ => self.tag.clone(),
        }
    }

    fn specificity(&self) -> usize {
        let tag = usize::from(!self.tag.is_empty() && self.tag != "*");
        usize::from(!self.id.is_empty()) * 10_000 + self.classes.len() * 100 + tag
    }
}

#[derive(Debug)]
struct Rule {
    subject: Compound,
    ancestors: Vec<Compound>,
    specificity: usize,
    declarations: std::rc::Rc<Vec<Declaration>>,
}

/// All `<style>` elements of a document.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    rules: Vec<Rule>,
    by_key: HashMap<String, Vec<usize>>,
}

impl Sheet {
    /// Finds and reads the style elements, wherever they stand: they rule what came before them, too.
    pub(super) fn of_document(html: &str) -> Self {
        let mut sheet = Self::default();
        let mut css = String::new();
        let lower = html.to_ascii_lowercase();
        let mut at = 0;
        while let Some(found) = lower.get(at..).and_then(|rest| rest.find('<')) {
            let start = at + found;
            let rest = lower.get(start..).unwrap_or_default();
            at = start + 1;
            if rest.starts_with("<!--") {
                let Some(end) = rest.find("-->") else { break };
                at = start + end;
            } else if rest.starts_with("<style") {
                let Some(open) = rest.find('>') else { break };
                let end = rest
                    .get(open..)
                    .and_then(|r| r.find("</style"))
                    .map_or(rest.len(), |e| open + e);
                css.push_str(html.get(start + open + 1..start + end).unwrap_or_default());
                css.push('\n');
                at = start + end;
                if css.len() > MAX_SHEET_BYTES {
                    break;
                }
            }
        }
        sheet.read(&without_comments(&css));
        sheet
    }

    fn read(&mut self, css: &str) {
        let mut rest = css;
        while let Some(open) = rest.find('{') {
            if self.rules.len() >= MAX_RULES {
                return;
            }
            let (prelude, after) = rest.split_at_checked(open).unwrap_or((rest, ""));
            // Statements such as `@import "x";` and comment marks of old HTML stand before a prelude.
            let prelude = prelude.rsplit([';', '}']).next().unwrap_or_default();
            let prelude = prelude
                .trim()
                .trim_start_matches("<!--")
                .trim_start_matches("-->")
                .trim();
            let after = after.get(1..).unwrap_or_default();
            if prelude.starts_with('@') {
                if applies(prelude) {
                    rest = after;
                } else {
                    rest = after.get(block_len(after)..).unwrap_or_default();
                }
                continue;
            }
            let end = after.find('}').unwrap_or(after.len());
            self.rule(prelude, after.get(..end).unwrap_or_default());
            rest = after.get(end + 1..).unwrap_or_default();
        }
    }

    fn rule(&mut self, selectors: &str, body: &str) {
        let declarations = std::rc::Rc::new(declarations(body));
        if declarations.is_empty() {
            return;
        }
        for selector in selectors.split(',').take(50) {
            if selector.contains(['+', '~']) {
                continue;
            }
            let compounds = selector
                .split(|c: char| c.is_whitespace() || c == '>')
                .filter(|s| !s.is_empty());
            let Some(mut compounds) = compounds.map(Compound::parse).collect::<Option<Vec<_>>>() else {
                continue;
            };
            let specificity = compounds.iter().map(Compound::specificity).sum();
            let Some(subject) = compounds.pop() else { continue };
            self.by_key
                .entry(subject.key())
                .or_default()
                .push(self.rules.len());
            let declarations = declarations.clone();
            self.rules.push(Rule {
                subject,
                ancestors: compounds,
                specificity,
                declarations,
            });
        }
    }

    /// The declarations for an element, weakest first; `ancestors` are looked at from the nearest on.
    pub(super) fn matching<'a>(
        &'a self,
        element: &Identity,
        ancestors: impl Iterator<Item = &'a Identity> + Clone,
    ) -> Vec<&'a Declaration> {
        if self.rules.is_empty() {
            return Vec::new();
        }
        let ids = (!element.id.is_empty()).then(|| format!("#{}", element.id));
        let classes = element.classes.iter().map(|c| format!(".{c}"));
        let keys = ids
            .into_iter()
            .chain(classes)
            .chain([element.tag.clone(), "*".to_owned()]);
        let candidates = keys
            .filter_map(|key| self.by_key.get(&key))
            .flatten()
            .take(MAX_MATCHES);
        let mut rules: Vec<(usize, usize)> = candidates
            .filter_map(|&at| Some((at, self.rules.get(at)?)))
            .filter(|(_, rule)| rule.subject.matches(element))
            .filter(|(_, rule)| {
                let above = |c: &Compound| ancestors.clone().take(MAX_ANCESTORS).any(|a| c.matches(a));
                rule.ancestors.iter().all(above)
            })
            .map(|(at, rule)| (rule.specificity, at))
            .collect();
        rules.sort_unstable();
        rules.dedup();
        rules
            .iter()
            .filter_map(|(_, at)| self.rules.get(*at))
            .flat_map(|rule| rule.declarations.iter())
            .collect()
    }
}

/// Whether the rules inside an at-rule apply on a desk.
fn applies(prelude: &str) -> bool {
    let prelude = prelude.to_ascii_lowercase();
    if prelude.starts_with("@supports") || prelude.starts_with("@layer") {
        return true;
    }
    let Some(query) = prelude.strip_prefix("@media") else {
        return false;
    };
    query.split(',').any(|alternative| {
        !alternative.contains("not ")
            && !["print", "speech", "projection"]
                .iter()
                .any(|medium| alternative.contains(medium))
            && alternative.split('(').skip(1).all(feature)
    })
}

/// `min-width: 600px) and ` and such.
fn feature(text: &str) -> bool {
    let inner = text.split(')').next().unwrap_or_default();
    let (name, value) = inner.split_once(':').unwrap_or((inner, ""));
    let px = || super::hidden::length_px(value.trim()).unwrap_or(f32::NAN);
    match name.trim() {
        "min-width" | "min-device-width" => px() <= VIEWPORT_PX,
        "max-width" | "max-device-width" => px() >= VIEWPORT_PX,
        "prefers-color-scheme" => value.trim() == "light",
        _ => false,
    }
}

/// The length of a block up to and with its closing brace, given what follows its opening one.
fn block_len(text: &str) -> usize {
    let mut depth = 1_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(css: &str, element: (&str, &str, &[&str]), expected: &[&str]) {
        let sheet = Sheet::of_document(&format!("<STYLE type=x>{css}</style>"));
        let classes = element.2.iter().map(|c| (*c).to_owned()).collect();
        let identity = Identity {
            tag: element.0.into(),
            id: element.1.into(),
            classes,
        };
        let outer = Identity {
            tag: "div".into(),
            id: String::new(),
            classes: vec!["outer".into()],
        };
        let found = sheet.matching(&identity, std::iter::once(&outer));
        assert_eq!(
            found.iter().map(|d| d.value.as_str()).collect::<Vec<_>>(),
            expected
        );
    }

    #[test]
    fn rules_are_found_by_tag_id_class_and_ancestor_weakest_first() {
        check(
            "p{display:none} .a{display:block}",
            ("p", "", &["a"]),
            &["none", "block"],
        );
        check(
            "#i{color:red} .a.b{color:blue}",
            ("p", "i", &["a", "b"]),
            &["blue", "red"],
        );
        check(".outer .a, x{display:none}", ("p", "", &["a"]), &["none"]);
        check(".other > .a{display:none}", ("p", "", &["a"]), &[]);
        check("*{opacity:0}/* p{x} */", ("p", "", &[]), &["0"]);
        check(
            "p:hover{display:none} [x]{display:none} a+p{display:none}",
            ("p", "", &[]),
            &[],
        );
        check("@import url(x); p{display:none}", ("p", "", &[]), &["none"]);
        check("<!-- p{display:none} -->", ("p", "", &[]), &["none"]);
    }

    #[test]
    fn media_rules_count_where_they_apply_on_a_desk() {
        check(
            "@media (max-width:600px){p{display:none}} p{opacity:0}",
            ("p", "", &[]),
            &["0"],
        );
        check(
            "@media only screen and (min-width:1px){p{display:none}}",
            ("p", "", &[]),
            &["none"],
        );
        check("@media print{p{display:none}}", ("p", "", &[]), &[]);
        check(
            "@media (prefers-color-scheme:dark){p{display:none}}",
            ("p", "", &[]),
            &[],
        );
        check("@font-face{font-family:x} p{opacity:0}", ("p", "", &[]), &["0"]);
    }
}
