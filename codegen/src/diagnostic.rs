//! Findings: what is wrong, where, and what to do about it.
//!
//! Collected, never thrown: a stage reports everything it sees and the caller looks once. Two renderings, the one
//! line that `cargo::error` takes and the several lines of `cargo codegen`.

use std::fmt::Write as _;

use crate::ir::{Declared, Origin, SourceFile, Sources};

/// Over what a rule looks; decides who reports what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One operation. For an operation declared by `#[operation]` the macro reports it, on its token.
    Operation,
    /// The whole spec, or a file of it.
    Spec,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// `R301`.
    pub code: &'static str,
    /// Where.
    pub origin: Origin,
    /// What is wrong, one sentence without a full stop.
    pub message: String,
    /// What to do; may be empty.
    pub help: String,
    /// Over what was looked.
    pub scope: Scope,
    /// The front end of what it is about.
    pub declared: Declared,
}

/// What was found, and the texts it points into.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
    /// The texts that were read.
    pub sources: Sources,
}

impl Diagnostics {
    /// Remembers the text of a file, so that findings in it have a line.
    pub fn source(&mut self, file: &SourceFile) {
        self.sources.add(file);
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// Adds a finding about a file of the spec or about the whole.
    pub fn spec(
        &mut self,
        code: &'static str,
        origin: &Origin,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(Diagnostic {
            code,
            origin: origin.clone(),
            message: message.into(),
            help: help.into(),
            scope: Scope::Spec,
            declared: Declared::Yaml,
        });
    }

    /// Adds a finding about one operation.
    pub fn operation(
        &mut self,
        code: &'static str,
        declared: Declared,
        origin: &Origin,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(Diagnostic {
            code,
            origin: origin.clone(),
            message: message.into(),
            help: help.into(),
            scope: Scope::Operation,
            declared,
        });
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How much was found.
    #[must_use]
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// The findings.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter()
    }

    /// By file, place, code and message; the same finding once.
    pub fn sort(&mut self) {
        self.found
            .sort_by(|a, b| (&a.origin, a.code, &a.message).cmp(&(&b.origin, b.code, &b.message)));
        self.found.dedup();
    }

    /// `file:line:col: CODE: message (help: …)`.
    #[must_use]
    pub fn line(&self, d: &Diagnostic) -> String {
        let (line, column) = self.sources.position(&d.origin);
        let mut out = format!("{}:{line}:{column}: {}: {}", d.origin.file, d.code, d.message);
        if !d.help.is_empty() {
            let _ = write!(out, " (help: {})", d.help);
        }
        out.replace('\n', " ")
    }

    /// Several lines, as the compiler shows its own.
    #[must_use]
    pub fn block(&self, d: &Diagnostic) -> String {
        let (line, column) = self.sources.position(&d.origin);
        let text = self.sources.line(&d.origin);
        let number = line.to_string();
        let pad = " ".repeat(number.len());
        let before: String = text
            .chars()
            .take(column - 1)
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        let room = text.chars().count().saturating_sub(column - 1);
        let width = self.width(d).min(room).max(1);
        let mut out = format!("error[{}]: {}\n", d.code, d.message);
        let _ = writeln!(out, "{pad}--> {}:{line}:{column}", d.origin.file);
        let _ = writeln!(
            out,
            "{pad} |\n{number} | {text}\n{pad} | {before}{}",
            "^".repeat(width)
        );
        if !d.help.is_empty() {
            let _ = writeln!(out, "{pad} = help: {}", d.help);
        }
        let _ = writeln!(out, "{pad} = note: `cargo codegen explain {}` says why", d.code);
        out
    }

    fn width(&self, d: &Diagnostic) -> usize {
        let text = self
            .sources
            .text(&d.origin.file)
            .and_then(|t| t.get(d.origin.start..d.origin.end));
        text.map_or(1, |t| t.lines().next().unwrap_or("").chars().count())
    }
}

/// `, did you mean `x`?` or a list of what there is, for a help line.
#[must_use]
pub fn nearest_help<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    if let Some(near) = nearest(word, known.iter().copied()) {
        return format!("did you mean `{near}`?");
    }
    if known.is_empty() {
        String::new()
    } else {
        format!("one of {}", known.join(", "))
    }
}

/// The nearest of some names, if one is near: at most a third of the word away.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (word.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|k| (distance(word, k), k))
        .filter(|(d, _)| *d <= most)
        .min_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)))
        .map(|(_, k)| k)
}

/// Edits between two words, a swap of neighbours counted as one (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_nearest(word: &str, expected: Option<&str>) {
        assert_eq!(
            nearest(word, ["class", "ceiling", "summary", "cli", "input"]),
            expected
        );
    }

    #[test]
    fn nearest_names() {
        check_nearest("clas", Some("class"));
        check_nearest("sumary", Some("summary"));
        check_nearest("ipnut", Some("input"));
        check_nearest("ceilling", Some("ceiling"));
        check_nearest("colour", None);
        check_nearest("", None);
    }

    fn one() -> (Diagnostics, Diagnostic) {
        let file = SourceFile {
            shown: "spec/a.yaml".into(),
            text: "operation: a\nclas: read\n".into(),
        };
        let mut found = Diagnostics::default();
        found.source(&file);
        found.spec(
            "S002",
            &Origin::new(&file.shown, 13, 17),
            "unknown key `clas`",
            "did you mean `class`?",
        );
        let d = found.iter().next().cloned().unwrap();
        (found, d)
    }

    #[test]
    fn one_line() {
        let (found, d) = one();
        assert_eq!(
            found.line(&d),
            "spec/a.yaml:2:1: S002: unknown key `clas` (help: did you mean `class`?)"
        );
    }

    #[test]
    fn several_lines() {
        let (found, d) = one();
        assert_eq!(
            found.block(&d),
            "error[S002]: unknown key `clas`\n --> spec/a.yaml:2:1\n  |\n2 | clas: read\n  | ^^^^\n  = help: did you \
             mean `class`?\n  = note: `cargo codegen explain S002` says why\n"
        );
    }
}
