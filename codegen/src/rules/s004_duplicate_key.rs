//! S004: a key that stands twice. Found while reading, at the second one.

use super::Rule;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "S004",
    refuses: "a key that stands twice",
    page: include_str!("s004_duplicate_key.md"),
    checks: &[],
};
