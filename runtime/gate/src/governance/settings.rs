//! Settings: listed with their meaning, set within their bounds, back to their default without a value.

use oaken_core::settings::{SETTINGS, SettingKind, SettingSpec, find};
use oaken_core::{Auditable, Change, Error, Fault, Param, Preview, Result};
use oaken_store::rusqlite::params;
use oaken_store::{OrFault, TableOwner};
use serde_json::Value;

use crate::governance::{Governance, proposals, values};
use crate::{Changes, Commit, Confirmed, settings::fits};

/// A setting as it stands.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Section and name: `operations.max_results`.
    pub name: &'static str,
    /// Its value; a list parted by commas.
    pub value: String,
    /// Its default, in the same form.
    pub default: String,
    /// Whether a person set it.
    pub set: bool,
    /// What it does.
    pub doc: &'static str,
    /// What it may be, in words.
    pub accepts: String,
}

/// Every setting, in the order of the spec.
///
/// # Errors
/// What reading the database meets.
pub fn list(governance: &Governance) -> Result<Vec<Setting>> {
    let now = governance.settings()?;
    SETTINGS.iter().map(|spec| standing(&now, spec)).collect()
}

/// One setting.
///
/// # Errors
/// `not_found` where there is none of that name.
pub fn get(governance: &Governance, name: &str) -> Result<Setting> {
    standing(&*governance.settings()?, known(name)?)
}

/// What setting it changes; nothing where it is so already. Without a value it goes back to its default.
///
/// # Errors
/// `not_found` where there is none of that name, `invalid_input` naming its bounds where the value does not fit.
pub fn preview_set(governance: &Governance, name: &str, value: Option<&str>) -> Result<Preview> {
    let spec = known(name)?;
    let after = wanted(spec, value)?;
    let now = governance.settings()?;
    let before = now.get(spec.key).map(|(v, _)| v.clone()).unwrap_or_default();
    if before == after {
        return Ok(Preview::default());
    }
    let changes = match (&before, &after) {
        (Value::Array(old), Value::Array(new)) => {
            let gone = old.iter().filter(|v| !new.contains(v));
            let made = new.iter().filter(|v| !old.contains(v));
            let mut changes: Vec<Change> = gone
                .map(|v| change(spec.key, "removed", Some(v), None))
                .chain(made.map(|v| change(spec.key, "added", None, Some(v))))
                .collect();
            if new.is_empty() {
                changes.push(Change::new(spec.key, "list", "items", "empty"));
            }
            changes
        }
        _ => vec![change(spec.key, "value", Some(&before), Some(&after))],
    };
    Ok(Preview { changes })
}

/// Sets it. Answers its value after the commit. What agents may reach voids every open proposal with it.
///
/// # Errors
/// As [`preview_set`].
pub fn set(
    governance: &Governance,
    _: &Confirmed<Changes>,
    name: &str,
    value: Option<&str>,
) -> Result<(String, Commit)> {
    let spec = known(name)?;
    let after = wanted(spec, value)?;
    let (shown, json) = (written(&after), after.to_string());
    let (back, now) = (value.is_none(), governance.0.clock.now());
    let commit = Commit::new(TableOwner, move |tx| {
        if back {
            tx.execute(
                "DELETE FROM setting_row WHERE section = ?1 AND name = ?2",
                [spec.section, spec.name],
            )
        } else {
            tx.execute(
                "INSERT INTO setting_row (section, name, value) VALUES (?1, ?2, ?3) \
                 ON CONFLICT (section, name) DO UPDATE SET value = excluded.value",
                params![spec.section, spec.name, json],
            )
        }
        .or_fault()?;
        if spec.section == "mcp" {
            proposals::void(tx, now, proposals::Waiting::All)?;
        }
        Ok(())
    });
    Ok((shown, commit))
}

fn standing(now: &crate::Settings, spec: &'static SettingSpec) -> Result<Setting> {
    let (value, set) = now.get(spec.key).ok_or_else(Error::internal)?;
    let default: Value = serde_json::from_str(spec.default).map_err(|_| Error::internal())?;
    Ok(Setting {
        name: spec.key,
        value: written(value),
        default: written(&default),
        set,
        doc: spec.doc,
        accepts: match spec.kind {
            _ if values::accepts(spec).is_some() => values::accepts(spec).unwrap_or_default().to_owned(),
            SettingKind::Integer { min, max } => format!("{min} to {max}"),
            SettingKind::Boolean => "true or false".to_owned(),
            SettingKind::String => "text".to_owned(),
            SettingKind::Enum(words) => words.join(", "),
            SettingKind::List => "a list parted by commas".to_owned(),
        },
    })
}

fn known(name: &str) -> Result<&'static SettingSpec> {
    find(name).ok_or_else(|| Error::not_found("/name"))
}

/// `[mcp] workspaces` becomes empty, which means every workspace, only by the word `all`.
fn wanted(spec: &'static SettingSpec, value: Option<&str>) -> Result<Value> {
    let Some(text) = value else {
        return serde_json::from_str(spec.default).map_err(|_| Error::internal());
    };
    let text = text.trim();
    let value = match spec.kind {
        SettingKind::Integer { .. } => text.parse::<i64>().ok().map(Value::from),
        SettingKind::Boolean => match text {
            "true" | "on" | "yes" => Some(Value::Bool(true)),
            "false" | "off" | "no" => Some(Value::Bool(false)),
            _ => None,
        },
        SettingKind::String | SettingKind::Enum(_) => Some(Value::from(text)),
        SettingKind::List if spec.key == "mcp.workspaces" && text == "all" => Some(Value::Array(vec![])),
        SettingKind::List => {
            let items: Vec<Value> = text
                .split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .map(Value::from)
                .collect();
            (spec.key != "mcp.workspaces" || !items.is_empty()).then_some(Value::Array(items))
        }
    };
    value
        .filter(|v| fits(spec, v) && values::is_there(spec, v))
        .ok_or_else(|| Error::invalid(vec![refused(spec)]))
}

fn refused(spec: &'static SettingSpec) -> Fault {
    let fault = Fault::new("/value", "is not what {setting} may be").with("setting", Param::Word(spec.key));
    if let Some(words) = values::accepts(spec) {
        return fault.accepts(words, vec![]);
    }
    match spec.kind {
        SettingKind::Integer { min, max } => fault.accepts(
            "a whole number from {min} to {max}",
            vec![("min", Param::Int(min)), ("max", Param::Int(max))],
        ),
        SettingKind::Boolean => fault.accepts("true or false", vec![]),
        SettingKind::String => fault.accepts("text", vec![]),
        SettingKind::Enum(words) => fault.accepts("one of {words}", vec![("words", Param::Words(words))]),
        SettingKind::List if spec.key == "mcp.workspaces" => fault.accepts(
            "workspace names parted by commas, or the word all for every workspace",
            vec![],
        ),
        SettingKind::List => fault.accepts("a list parted by commas", vec![]),
    }
}

fn written(value: &Value) -> String {
    match value {
        Value::String(s) => s.clone(),
        Value::Array(items) => items.iter().map(written).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

fn change(key: &'static str, what: &'static str, before: Option<&Value>, after: Option<&Value>) -> Change {
    Change {
        of: key.into(),
        what: what.into(),
        before: before.map(auditable),
        after: after.map(auditable),
    }
}

/// A value as it may stand in a preview: text of a person's own only where it is a name.
fn auditable(value: &Value) -> Auditable {
    match value {
        Value::Bool(b) => (*b).into(),
        Value::Number(n) => n.as_i64().unwrap_or_default().into(),
        Value::String(s) => Auditable::name(s).unwrap_or_else(|| "set".into()),
        _ => "set".into(),
    }
}
