//! `create_workspace`: agents do not reach it until a person lists it.

use oaken_core::{Preview, Result};
use oaken_gate::{Applied, Changes};
use oaken_mail::accounts;
use oaken_mail::handler::{Cx, Mutate, ReadCx};

use crate::{CreateWorkspace, CreateWorkspaceInput, CreateWorkspaceOutput};

impl Mutate for CreateWorkspace {
    type Effect = Changes;
    type Plan = String;

    async fn preview(_: &ReadCx, input: &CreateWorkspaceInput) -> Result<(Preview, String)> {
        Ok((
            accounts::preview_create_workspace(&input.name)?,
            input.name.clone(),
        ))
    }

    async fn apply(cx: &Cx<Changes>, name: &String) -> Result<Applied<CreateWorkspaceOutput>> {
        let commit = accounts::create_workspace(cx, name)?;
        Ok(Applied {
            output: CreateWorkspaceOutput { name: name.clone() },
            commit,
        })
    }
}
