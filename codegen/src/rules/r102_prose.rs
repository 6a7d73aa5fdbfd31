//! R102: the prose of an operation. A summary of one sentence, a description that a tool listing can carry.

use super::{Check, Report, Rule};
use crate::ir::{Operation, Spec};

const MAX_SUMMARY: usize = 80;
const MAX_DESCRIPTION: usize = 1_500;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "R102",
    refuses: "a summary that is not one sentence of 80 characters, a description over 1,500 bytes",
    page: include_str!("r102_prose.md"),
    checks: &[Check::Operation(check)],
};

fn check(op: &Operation, _: &Spec, report: &mut Report<'_>) {
    let summary = op.summary.as_str();
    let at = &op.origins.summary;
    let chars = summary.chars().count();
    if chars > MAX_SUMMARY {
        let help = format!("at most {MAX_SUMMARY}; the rest belongs in `description`");
        report.push(at, format!("the summary has {chars} characters"), help);
    } else if !is_sentence(summary) {
        report.push(
            at,
            "the summary is not one sentence",
            "begin with a capital and end with the only full stop",
        );
    }
    let bytes = op.description.len();
    if bytes > MAX_DESCRIPTION {
        let help = format!("at most {MAX_DESCRIPTION}");
        report.push(
            &op.origins.description,
            format!("the description has {bytes} bytes"),
            help,
        );
    }
    if op.title.is_empty() || op.title.chars().count() > MAX_SUMMARY || op.title.contains('\n') {
        report.push(
            &op.origins.name,
            "the title is not one short line",
            format!("1 to {MAX_SUMMARY} characters"),
        );
    }
}

fn is_sentence(text: &str) -> bool {
    let Some(body) = text.strip_suffix('.') else {
        return false;
    };
    let begins = text
        .chars()
        .next()
        .is_some_and(|c| c.is_uppercase() || c.is_numeric());
    begins
        && !body.contains('\n')
        && !body.trim_end().ends_with('.')
        && ![". ", "! ", "? "].iter().any(|s| body.contains(s))
}

#[cfg(test)]
mod tests {
    use super::is_sentence;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        assert_eq!(is_sentence(text), expected, "{text}");
    }

    #[test]
    fn sentences() {
        check("Mark messages read.", true);
        check(
            "Undo changes, where the messages are still as they were left.",
            true,
        );
        check("Mark messages read", false);
        check("mark messages read.", false);
        check("Mark messages. Read them.", false);
        check("Mark messages read...", false);
        check("Mark\nread.", false);
        check("", false);
    }
}
