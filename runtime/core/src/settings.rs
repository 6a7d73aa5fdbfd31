//! Every setting there is, from `spec/settings`: what it is called, what it may be, and its safe default.
//!
//! The values that hold now live in the database and belong to the gate; here is only what may be.

/// One setting.
#[derive(Debug)]
pub struct SettingSpec {
    /// Its section: `operations`.
    pub section: &'static str,
    /// Its name in the section: `max_results`.
    pub name: &'static str,
    /// Both, as it is written everywhere: `operations.max_results`.
    pub key: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// What it may be.
    pub kind: SettingKind,
    /// Its default as JSON.
    pub default: &'static str,
    /// The setting of the same section that holds for an agent instead.
    pub agent: Option<&'static str>,
}

/// What a setting may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// A whole number within bounds, inclusive.
    Integer {
        /// The least.
        min: i64,
        /// The most.
        max: i64,
    },
    /// On or off.
    Boolean,
    /// A string.
    String,
    /// One of these words.
    Enum(&'static [&'static str]),
    /// A list of strings.
    List,
}

include!(concat!(env!("OUT_DIR"), "/settings.rs"));

/// The setting of a key: `operations.max_results`.
#[must_use]
pub fn find(key: &str) -> Option<&'static SettingSpec> {
    SETTINGS.iter().find(|s| s.key == key)
}

/// The setting that bounds a list: a name of `[operations]`, or `section.name`.
#[must_use]
pub fn bound(name: &str) -> Option<&'static SettingSpec> {
    SETTINGS
        .iter()
        .find(|s| s.key == name || (s.section == "operations" && s.name == name))
}

/// The most that a number can be set to, for a person or an agent.
#[must_use]
pub fn most(name: &str) -> Option<i64> {
    let spec = bound(name)?;
    let most = |s: &SettingSpec| match s.kind {
        SettingKind::Integer { max, .. } => Some(max),
        _ => None,
    };
    let agent = spec
        .agent
        .and_then(|a| find(&format!("{}.{a}", spec.section)))
        .and_then(most);
    most(spec).max(agent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_value_that_its_setting_may_have() {
        for s in SETTINGS {
            let default: serde_json::Value = serde_json::from_str(s.default).expect(s.key);
            let fits = match s.kind {
                SettingKind::Integer { min, max } => {
                    default.as_i64().is_some_and(|n| (min..=max).contains(&n))
                }
                SettingKind::Boolean => default.is_boolean(),
                SettingKind::String => default.is_string(),
                SettingKind::Enum(words) => default.as_str().is_some_and(|w| words.contains(&w)),
                SettingKind::List => default
                    .as_array()
                    .is_some_and(|l| l.iter().all(serde_json::Value::is_string)),
            };
            assert!(fits, "{} = {}", s.key, s.default);
            assert_eq!(s.key, format!("{}.{}", s.section, s.name));
            if let Some(agent) = s.agent {
                assert!(find(&format!("{}.{agent}", s.section)).is_some(), "{}", s.key);
            }
        }
    }

    #[test]
    fn a_bound_is_found_with_and_without_its_section() {
        assert_eq!(
            bound("max_batch_ids").map(|s| s.key),
            Some("operations.max_batch_ids")
        );
        assert_eq!(
            bound("operations.max_batch_ids").map(|s| s.key),
            Some("operations.max_batch_ids")
        );
        assert!(bound("no_such_setting").is_none());
    }
}
