//! S001: YAML that cannot be read. Found by the YAML front end, at the place where reading stopped.

use super::Rule;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: "S001",
    refuses: "YAML that cannot be read",
    page: include_str!("s001_syntax.md"),
    checks: &[],
};
