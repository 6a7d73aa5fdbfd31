//! A database of made-up mail, written by plain SQL: what a test needs and no more.

use std::sync::Arc;

use oaken_core::{AccountId, FolderId, LabelId, MessageId, ThreadId};
use oaken_gate::{Governance, Keys, Reach};
use oaken_store::rusqlite::params;
use oaken_store::{Durability, MIGRATIONS, OrFault, Store, Tx};

use crate::{MailDirectory, Reader, Services};

pub(super) struct Mail {
    pub store: Arc<Store>,
    pub dir: tempfile::TempDir,
}

/// A message to put somewhere.
#[derive(Clone, Copy)]
pub(super) struct New<'a> {
    pub received: i64,
    pub subject: &'a str,
    pub from: (&'a str, &'a str),
    pub text: &'a str,
    pub flags: i64,
}

impl Default for New<'_> {
    fn default() -> Self {
        New {
            received: 1_000,
            subject: "Hello",
            from: ("Ada", "ada@example.org"),
            text: "Some text.",
            flags: 0,
        }
    }
}

pub(super) struct Put {
    pub id: MessageId,
    pub row: i64,
    pub location: i64,
}

impl Mail {
    pub(super) fn new() -> Mail {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::open(&dir.path().join("oaken.db"), MIGRATIONS).expect("a database");
        Mail {
            store: Arc::new(store),
            dir,
        }
    }

    pub(super) fn write<T>(&self, work: impl FnOnce(&Tx<'_>) -> oaken_core::Result<T>) -> T {
        self.store.write(Durability::Normal, work).expect("written")
    }

    /// The services over it, with an index of their own.
    pub(super) fn services(&self) -> Arc<Services> {
        let keys_dir = self.dir.path().join("keys");
        let keys = Keys::load_or_create(&keys_dir).expect("keys");
        let directory = Arc::new(MailDirectory::new(self.store.clone()));
        let governance = Governance::new(self.store.clone(), keys, directory);
        Services::open(self.store.clone(), governance, self.dir.path(), &keys_dir).expect("services")
    }

    /// The reader of an agent that may reach these accounts.
    pub(super) fn reader(&self, accounts: &[i64], rows: usize) -> Reader {
        Reader::of(self.store.clone(), Reach::Only(accounts.to_vec()), rows)
    }

    /// The reader of a person.
    pub(super) fn person(&self, rows: usize) -> Reader {
        Reader::of(self.store.clone(), Reach::All, rows)
    }

    pub(super) fn account(&self, name: &str, workspace: &str) -> (i64, AccountId) {
        let id = AccountId::random();
        let row = self.write(|tx| {
            tx.execute(
                "INSERT OR IGNORE INTO workspace_row (name, created) VALUES (?1, 0)",
                [workspace],
            )
            .or_fault()?;
            tx.execute(
                "INSERT INTO account_row (id, workspace, name, address, kind, created, path, credential, state, since,
                    last_success, complete_back_to)
                 SELECT ?1, row, ?2, ?2 || '@example.org', 'maildir', 0, '/nowhere', 'none', 'ok', 0, 5, 0
                 FROM workspace_row WHERE name = ?3",
                params![id.as_str(), name, workspace],
            )
            .or_fault()?;
            Ok(tx.last_insert_rowid())
        });
        (row, id)
    }

    pub(super) fn folder(&self, account: i64, name: &str, special_use: Option<&str>) -> (i64, FolderId) {
        let id = FolderId::random();
        let row = self.write(|tx| {
            tx.execute(
                "INSERT INTO folder_row (id, account, name, wire_name, special_use, since, complete_back_to)
                 VALUES (?1, ?2, ?3, ?3, ?4, 0, 0)",
                params![id.as_str(), account, name, special_use],
            )
            .or_fault()?;
            Ok(tx.last_insert_rowid())
        });
        (row, id)
    }

    pub(super) fn thread(&self, account: i64) -> (i64, ThreadId) {
        let id = ThreadId::random();
        let row = self.write(|tx| {
            tx.execute(
                "INSERT INTO thread_row (id, account) VALUES (?1, ?2)",
                params![id.as_str(), account],
            )
            .or_fault()?;
            Ok(tx.last_insert_rowid())
        });
        (row, id)
    }

    pub(super) fn put(&self, account: i64, folder: i64, thread: i64, new: New<'_>) -> Put {
        let id = MessageId::random();
        self.write(|tx| {
            tx.execute(
                "UPDATE account_row SET revision = revision + 1 WHERE row = ?1",
                [account],
            )
            .or_fault()?;
            tx.execute(
                "INSERT INTO message_row (id, account, thread, content_hash, sent, received, subject, from_name,
                    from_addr, snippet, text_state, revision)
                 SELECT ?1, ?2, ?3, CAST(?1 AS BLOB), ?4, ?4, ?5, ?6, ?7, ?8, 'whole', revision FROM account_row WHERE row = ?2",
                params![
                    id.as_str(),
                    account,
                    thread,
                    new.received,
                    new.subject,
                    new.from.0,
                    new.from.1,
                    new.text.lines().next().unwrap_or_default()
                ],
            )
            .or_fault()?;
            let row = tx.last_insert_rowid();
            tx.execute(
                "INSERT INTO body_row (message, account, text, facts) VALUES (?1, ?2, ?3, '{}')",
                params![row, account, new.text],
            )
            .or_fault()?;
            let location = locate(tx, account, folder, row, new)?;
            Ok(Put { id, row, location })
        })
    }

    /// Another place of a message.
    pub(super) fn locate(&self, account: i64, folder: i64, message: i64, new: New<'_>) -> i64 {
        self.write(|tx| locate(tx, account, folder, message, new))
    }

    pub(super) fn label(&self, account: i64, name: &str) -> (i64, LabelId) {
        let id = LabelId::random();
        let row = self.write(|tx| {
            tx.execute(
                "INSERT INTO label_row (id, account, name) VALUES (?1, ?2, ?3)",
                params![id.as_str(), account, name],
            )
            .or_fault()?;
            Ok(tx.last_insert_rowid())
        });
        (row, id)
    }

    pub(super) fn stick(&self, account: i64, label: i64, location: i64) {
        self.write(|tx| {
            tx.execute(
                "INSERT INTO location_label_row (location, label, account, received)
                 SELECT ?1, ?2, ?3, received FROM location_row WHERE row = ?1",
                params![location, label, account],
            )
            .or_fault()
        });
    }
}

fn locate(tx: &Tx<'_>, account: i64, folder: i64, message: i64, new: New<'_>) -> oaken_core::Result<i64> {
    tx.execute(
        "INSERT INTO location_row (account, message, folder, uid, flags, received)
         SELECT ?1, ?2, ?3, 1 + coalesce(max(uid), 0), ?4, ?5 FROM location_row WHERE folder = ?3",
        params![account, message, folder, new.flags, new.received],
    )
    .or_fault()?;
    Ok(tx.last_insert_rowid())
}
