//! What holds now: settings, the exposure list, and the agents that are not revoked, read together in one
//! transaction and kept until the epoch row says that something changed.

use std::collections::{HashMap, HashSet};

use oaken_core::settings::{self, SETTINGS, SettingKind, SettingSpec};
use oaken_core::{Bound, Error, Result};
use oaken_store::OrFault;
use oaken_store::rusqlite::Connection;
use serde_json::Value;

use crate::governance::values;

/// Everything that governs, as of one epoch.
#[derive(Debug)]
pub struct Settings {
    pub(crate) epoch: i64,
    values: HashMap<&'static str, Value>,
    set: HashSet<&'static str>,
    exposure: HashMap<String, bool>,
    agents: HashSet<String>,
    /// Live personal tokens, and when each lapses.
    tokens: HashMap<String, Option<i64>>,
}

impl Settings {
    /// Reads what holds in the database as this connection sees it.
    pub(crate) fn load(c: &Connection) -> Result<Settings> {
        let epoch = epoch(c)?;
        let mut values = HashMap::new();
        for spec in SETTINGS {
            values.insert(
                spec.key,
                serde_json::from_str(spec.default).map_err(|_| Error::internal())?,
            );
        }
        let mut set = HashSet::new();
        let rows: Vec<(String, String, String)> = c
            .prepare_cached("SELECT section, name, value FROM setting_row")
            .and_then(|mut s| {
                s.query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))?
                    .collect()
            })
            .or_fault()?;
        for (section, name, json) in rows {
            let spec = SETTINGS.iter().find(|s| s.section == section && s.name == name);
            let value = serde_json::from_str::<Value>(&json).ok();
            // What an older or a damaged row holds and this version does not allow falls back to the safe default.
            if let (Some(spec), Some(value)) = (spec, value)
                && fits(spec, &value)
            {
                values.insert(spec.key, value);
                set.insert(spec.key);
            }
        }
        let exposure = c
            .prepare_cached("SELECT operation, offered FROM exposure_row")
            .and_then(|mut s| s.query_map([], |r| Ok((r.get(0)?, r.get(1)?)))?.collect())
            .or_fault()?;
        let agents = c
            .prepare_cached("SELECT id FROM agent_row WHERE revoked IS NULL")
            .and_then(|mut s| s.query_map([], |r| r.get(0))?.collect())
            .or_fault()?;
        let tokens = c
            .prepare_cached("SELECT id, expires FROM token_row WHERE revoked IS NULL")
            .and_then(|mut s| s.query_map([], |r| Ok((r.get(0)?, r.get(1)?)))?.collect())
            .or_fault()?;
        Ok(Settings {
            epoch,
            values,
            set,
            exposure,
            agents,
            tokens,
        })
    }

    /// A whole-number setting: `max_results` of `[operations]`, or `section.name`; the agent's own value where the
    /// setting has one and `agent` is true. 0 for a name that is no such setting.
    #[must_use]
    pub fn integer(&self, name: &str, agent: bool) -> i64 {
        self.value(name, agent).and_then(Value::as_i64).unwrap_or(0)
    }

    /// A switch; off for a name that is none.
    #[must_use]
    pub fn boolean(&self, name: &str) -> bool {
        self.value(name, false).and_then(Value::as_bool).unwrap_or(false)
    }

    /// A string or a word; empty for a name that is none.
    #[must_use]
    pub fn string(&self, name: &str) -> &str {
        self.value(name, false).and_then(Value::as_str).unwrap_or("")
    }

    /// A list of strings; empty for a name that is none.
    #[must_use]
    pub fn list(&self, name: &str) -> Vec<String> {
        let items = self.value(name, false).and_then(Value::as_array);
        items
            .into_iter()
            .flatten()
            .filter_map(|v| v.as_str().map(str::to_owned))
            .collect()
    }

    /// The value of a setting as JSON, and whether a person set it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<(&Value, bool)> {
        self.values.get(key).map(|v| (v, self.set.contains(key)))
    }

    /// The setting that bounds a list for this caller, by its name in `[operations]` or its key, with its value.
    pub(crate) fn bound(&self, bound: &Bound, agent: bool) -> (&'static str, i64) {
        match spec_for(bound.setting, agent) {
            Some(spec) => (
                if spec.section == "operations" {
                    spec.name
                } else {
                    spec.key
                },
                self.integer(spec.key, false),
            ),
            None => (bound.setting, i64::from(bound.ceiling)),
        }
    }

    /// What a person set for an operation's exposure; `None` is its default.
    pub(crate) fn exposure(&self, operation: &str) -> Option<bool> {
        self.exposure.get(operation).copied()
    }

    /// Whether this agent exists and is not revoked.
    pub(crate) fn has_agent(&self, id: &str) -> bool {
        self.agents.contains(id)
    }

    /// Whether this personal token exists, is not revoked and has not lapsed.
    pub(crate) fn has_token(&self, id: &str, now: i64) -> bool {
        self.tokens
            .get(id)
            .is_some_and(|expires| expires.is_none_or(|at| at > now))
    }

    fn value(&self, name: &str, agent: bool) -> Option<&Value> {
        self.values.get(spec_for(name, agent)?.key)
    }
}

fn spec_for(name: &str, agent: bool) -> Option<&'static SettingSpec> {
    let spec = settings::bound(name)?;
    match spec.agent {
        Some(own) if agent => SETTINGS
            .iter()
            .find(|s| s.section == spec.section && s.name == own),
        _ => Some(spec),
    }
}

/// The epoch this connection sees.
pub(crate) fn epoch(c: &Connection) -> Result<i64> {
    c.prepare_cached("SELECT epoch FROM epoch_row")
        .and_then(|mut s| s.query_row([], |r| r.get(0)))
        .or_fault()
}

/// Whether a setting may have this value.
pub(crate) fn fits(spec: &SettingSpec, value: &Value) -> bool {
    let of_its_kind = match spec.kind {
        SettingKind::Integer { min, max } => value.as_i64().is_some_and(|n| (min..=max).contains(&n)),
        SettingKind::Boolean => value.is_boolean(),
        SettingKind::String => value.is_string(),
        SettingKind::Enum(words) => value.as_str().is_some_and(|w| words.contains(&w)),
        SettingKind::List => value.as_array().is_some_and(|l| l.iter().all(Value::is_string)),
    };
    of_its_kind && values::is_well_formed(spec, value)
}
