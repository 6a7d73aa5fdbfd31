//! S002: a key that there is not. Found while reading, with the nearest key.

use super::Rule;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "S002",
    refuses: "a key that there is not",
    page: include_str!("s002_unknown_key.md"),
    checks: &[],
};
