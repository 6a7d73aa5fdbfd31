//! Workspaces: what parts the mail that agents may reach from the mail they may not. Names, and which account is where.
//!
//! Which workspaces agents reach is a setting of the gate. Deliberately absent: deleting and renaming.

use oaken_core::{AccountId, Auditable, Change, Error, Fault, Preview, Result, clock};
use oaken_gate::{Changes, Commit};
use oaken_store::rusqlite::{Connection, OptionalExtension, params};
use oaken_store::{OrFault, TableOwner};

use crate::{Cx, ReadCx};

/// A workspace and how many accounts it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceCount {
    /// Its name.
    pub name: String,
    /// Accounts in it.
    pub accounts: i64,
}

/// All workspaces, by name.
///
/// # Errors
/// What reading the database meets.
pub fn list_workspaces(cx: &ReadCx) -> Result<Vec<WorkspaceCount>> {
    cx.services.store.read(|c| {
        let mut statement = c
            .prepare_cached(
                "SELECT w.name, (SELECT count(*) FROM account_row a WHERE a.workspace = w.row)
                 FROM workspace_row w ORDER BY w.name",
            )
            .or_fault()?;
        let rows = statement
            .query_map([], |r| {
                Ok(WorkspaceCount {
                    name: r.get(0)?,
                    accounts: r.get(1)?,
                })
            })
            .or_fault()?;
        rows.collect::<oaken_store::rusqlite::Result<_>>().or_fault()
    })
}

/// What creating a workspace would do.
///
/// # Errors
/// `invalid_input` for a name that is none.
pub fn preview_create_workspace(name: &str) -> Result<Preview> {
    Ok(Preview {
        changes: vec![Change::made(fit_name(name)?, "workspace")],
    })
}

/// Creates a workspace. Agents reach its mail only once a person lists it.
///
/// # Errors
/// `invalid_input` for a name that is none or is taken.
pub fn create_workspace(cx: &Cx<Changes>, name: &str) -> Result<Commit> {
    fit_name(name)?;
    if cx.services.store.read(|c| find(c, name))?.is_some() {
        return Err(Error::invalid(vec![
            Fault::new("/name", "is the name of a workspace already")
                .accepts("a name that no workspace has", vec![]),
        ]));
    }
    let name = name.to_owned();
    Ok(Commit::new(TableOwner, move |tx| {
        tx.execute(
            "INSERT INTO workspace_row (name, created) VALUES (?1, ?2)",
            params![name, clock::wall()],
        )
        .or_fault()?;
        Ok(())
    }))
}

/// What moving an account to another workspace would do; nothing where it is there already.
///
/// # Errors
/// `not_found` for either.
pub fn preview_assign(cx: &ReadCx, id: &AccountId, workspace: &str) -> Result<Preview> {
    let before: String = cx.services.store.read(|c| {
        row(c, workspace)?;
        let account = super::load(c, id)?.row;
        c.query_row(
            "SELECT w.name FROM account_row a JOIN workspace_row w ON w.row = a.workspace WHERE a.row = ?1",
            [account],
            |r| r.get(0),
        )
        .or_fault()
    })?;
    if before == workspace {
        return Ok(Preview::default());
    }
    let change = Change::new(id, "workspace", fit_name(&before)?, fit_name(workspace)?);
    Ok(Preview {
        changes: vec![change],
    })
}

fn fit_name(name: &str) -> Result<Auditable> {
    Auditable::name(name)
        .filter(|_| name.trim() == name)
        .ok_or_else(|| {
            Error::invalid(vec![
                Fault::new("/name", "is no name")
                    .accepts("1 to 64 letters, digits, blanks within, '.', '_' and '-'", vec![]),
            ])
        })
}

/// Moves an account to another workspace.
///
/// # Errors
/// `not_found` for either.
pub fn assign(cx: &Cx<Changes>, id: &AccountId, workspace: &str) -> Result<Commit> {
    let (account, to) = cx
        .services
        .store
        .read(|c| Ok((super::load(c, id)?.row, row(c, workspace)?)))?;
    Ok(Commit::new(TableOwner, move |tx| {
        tx.execute(
            "UPDATE account_row SET workspace = ?2 WHERE row = ?1",
            [account, to],
        )
        .or_fault()?;
        Ok(())
    }))
}

/// The row of a workspace.
pub(super) fn row(c: &Connection, name: &str) -> Result<i64> {
    find(c, name)?.ok_or_else(|| Error::not_found("/workspace").next("oaken workspaces list"))
}

fn find(c: &Connection, name: &str) -> Result<Option<i64>> {
    c.query_row("SELECT row FROM workspace_row WHERE name = ?1", [name], |r| {
        r.get(0)
    })
    .optional()
    .or_fault()
}
