//! `list_settings`: every setting with its value, default and bounds.

use oaken_core::{Result, model};
use oaken_gate::governance::settings;
use oaken_mail::handler::{Read, ReadCx};

use crate::{ListSettings, ListSettingsInput, ListSettingsOutput};

impl Read for ListSettings {
    async fn run(cx: &ReadCx, _: &ListSettingsInput) -> Result<ListSettingsOutput> {
        let settings = settings::list(&cx.governance)?
            .into_iter()
            .map(|s| model::SettingRow {
                name: s.name.to_owned(),
                value: s.value,
                default: s.default,
                set: s.set,
                meaning: format!("{} Takes {}.", s.doc, s.accepts),
            })
            .collect();
        Ok(ListSettingsOutput { settings })
    }
}
