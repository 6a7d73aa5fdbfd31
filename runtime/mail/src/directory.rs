//! What the gate asks of mail: accounts, workspaces, and whether an id is in a grant's reach.

use std::sync::Arc;

use oaken_core::{AccountId, Error, IdKind, Result};
use oaken_gate::{AccountKey, Directory, Grant};
use oaken_store::rusqlite::{Connection, params_from_iter};
use oaken_store::{OrFault, Store};

use crate::Reader;

/// Mail's side of the gate's wall. Needs nothing but the database, so that the gate can be made before the services.
pub struct MailDirectory {
    store: Arc<Store>,
}

impl MailDirectory {
    /// Over the database.
    #[must_use]
    pub fn new(store: Arc<Store>) -> MailDirectory {
        MailDirectory { store }
    }
}

impl Directory for MailDirectory {
    fn accounts_in(&self, workspaces: &[String]) -> Result<Vec<AccountKey>> {
        if workspaces.is_empty() {
            return Ok(Vec::new());
        }
        let places = vec!["?"; workspaces.len()].join(",");
        let sql = format!(
            "SELECT a.row, a.id FROM account_row a JOIN workspace_row w ON w.row = a.workspace
             WHERE w.name IN ({places}) ORDER BY a.name, a.row"
        );
        self.store.read(|c| keys(c, &sql, workspaces))
    }

    fn all_accounts(&self) -> Result<Vec<AccountKey>> {
        self.store
            .read(|c| keys(c, "SELECT row, id FROM account_row ORDER BY name, row", &[]))
    }

    fn workspaces(&self) -> Result<Vec<String>> {
        self.store.read(|c| {
            let mut statement = c
                .prepare_cached("SELECT name FROM workspace_row ORDER BY name")
                .or_fault()?;
            let names = statement.query_map([], |r| r.get(0)).or_fault()?;
            names
                .collect::<oaken_store::rusqlite::Result<Vec<String>>>()
                .or_fault()
        })
    }

    fn resolve(&self, grant: &Grant, ids: &[(IdKind, &str)]) -> Result<Vec<bool>> {
        Reader::over(self.store.clone(), grant).resolve(ids)
    }
}

fn keys(c: &Connection, sql: &str, params: &[String]) -> Result<Vec<AccountKey>> {
    let mut statement = c.prepare_cached(sql).or_fault()?;
    let mut rows = statement.query(params_from_iter(params)).or_fault()?;
    let mut keys = Vec::new();
    while let Some(r) = rows.next().or_fault()? {
        keys.push(AccountKey {
            row: r.get(0).or_fault()?,
            id: AccountId::parse(&r.get::<_, String>(1).or_fault()?).ok_or_else(Error::internal)?,
        });
    }
    Ok(keys)
}
