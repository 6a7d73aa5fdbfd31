//! S003: a value of the wrong kind, a missing part. Found while reading and lowering.

use super::Rule;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "S003",
    refuses: "a value of the wrong kind, a missing part",
    page: include_str!("s003_wrong_type.md"),
    checks: &[],
};
