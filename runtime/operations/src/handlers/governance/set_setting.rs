//! `set_setting`: sets one setting, or returns it to its default.

use oaken_core::{Preview, Result};
use oaken_gate::governance::settings;
use oaken_gate::{Applied, Changes};
use oaken_mail::handler::{Cx, Mutate, ReadCx};

use crate::{SetSetting, SetSettingInput, SetSettingOutput};

impl Mutate for SetSetting {
    type Effect = Changes;
    type Plan = (String, Option<String>);

    async fn preview(cx: &ReadCx, input: &SetSettingInput) -> Result<(Preview, Self::Plan)> {
        let preview = settings::preview_set(&cx.governance, &input.name, input.value.as_deref())?;
        Ok((preview, (input.name.clone(), input.value.clone())))
    }

    async fn apply(cx: &Cx<Changes>, (name, value): &Self::Plan) -> Result<Applied<SetSettingOutput>> {
        let (value, commit) = settings::set(cx.governance(), &cx.confirmed, name, value.as_deref())?;
        Ok(Applied {
            output: SetSettingOutput {
                name: name.clone(),
                value,
            },
            commit,
        })
    }
}
