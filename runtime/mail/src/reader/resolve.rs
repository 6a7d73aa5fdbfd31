//! Whether an id names something in reach. Hidden, missing and well-formed nonsense are one answer.

use oaken_core::{IdKind, Result};
use oaken_store::OrFault;
use oaken_store::rusqlite::Connection;

use super::Reader;

impl Reader {
    /// For each id whether it names something in reach, in the order given.
    ///
    /// # Errors
    /// What reading the database meets.
    pub fn resolve(&self, ids: &[(IdKind, &str)]) -> Result<Vec<bool>> {
        self.with(|c| {
            ids.iter()
                .map(|(kind, id)| self.is_in_reach(c, *kind, id))
                .collect()
        })
    }

    fn is_in_reach(&self, c: &Connection, kind: IdKind, id: &str) -> Result<bool> {
        let sql = match kind {
            // One that lies nowhere any more still names what a change was asked for; the change says "not there".
            IdKind::Message => "SELECT EXISTS (SELECT 1 FROM message_once WHERE id = ?1)",
            IdKind::Thread => "SELECT EXISTS (SELECT 1 FROM thread WHERE id = ?1)",
            IdKind::Account => "SELECT EXISTS (SELECT 1 FROM account WHERE id = ?1)",
            IdKind::Folder => "SELECT EXISTS (SELECT 1 FROM folder WHERE id = ?1)",
            IdKind::Label => "SELECT EXISTS (SELECT 1 FROM label WHERE id = ?1)",
            IdKind::Attachment => "SELECT EXISTS (SELECT 1 FROM attachment WHERE id = ?1)",
            IdKind::Entry => return self.is_own_entry(c, id),
            // There are no drafts yet.
            IdKind::Draft => return Ok(false),
            // The gate's own: their handlers check.
            IdKind::Agent | IdKind::Proposal | IdKind::Token => return Ok(true),
        };
        exists(c, sql, id)
    }

    /// An entry whose messages are all in reach; for an agent, one of its own changes.
    fn is_own_entry(&self, c: &Connection, id: &str) -> Result<bool> {
        match &self.agent {
            None => exists(c, "SELECT EXISTS (SELECT 1 FROM journal_entry WHERE id = ?1)", id),
            Some(agent) => c
                .prepare_cached("SELECT EXISTS (SELECT 1 FROM journal_entry WHERE id = ?1 AND agent = ?2)")
                .or_fault()?
                .query_row([id, agent.as_str()], |r| r.get(0))
                .or_fault(),
        }
    }
}

fn exists(c: &Connection, sql: &str, id: &str) -> Result<bool> {
    c.prepare_cached(sql)
        .or_fault()?
        .query_row([id], |r| r.get(0))
        .or_fault()
}
