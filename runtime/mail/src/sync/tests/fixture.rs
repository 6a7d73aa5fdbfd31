//! An account over a Maildir in a temporary folder, and words to look at what a sync made of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oaken_core::{AccountId, Result};
use oaken_gate::{Governance, Keys};
use oaken_store::rusqlite::{ToSql, params};
use oaken_store::{Durability, MIGRATIONS, OrFault, Store};

use crate::sync::{self, Report};
use crate::{MailDirectory, Services};

pub(crate) struct Mail {
    pub dir: tempfile::TempDir,
    pub services: Arc<Services>,
    pub account: AccountId,
}

impl Mail {
    /// An empty Maildir and its account.
    pub fn new() -> Mail {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Arc::new(Store::open(&dir.path().join("data/oaken.db"), MIGRATIONS).expect("a database"));
        let keys_dir = dir.path().join("keys");
        let keys = Keys::load_or_create(&keys_dir).expect("keys");
        let directory = Arc::new(MailDirectory::new(store.clone()));
        let governance = Governance::new(store.clone(), keys, directory);
        let services =
            Services::open(store, governance, &dir.path().join("data"), &keys_dir).expect("services");
        let account = AccountId::random();
        let mail = Mail {
            dir,
            services,
            account,
        };
        mail.folder("");
        mail.services
            .store
            .write(Durability::Normal, |tx| {
                tx.execute(
                    "INSERT INTO account_row (id, workspace, name, address, kind, created, path, credential, since)
                     VALUES (?1, 1, 'test', 'me@example.org', 'maildir', 0, ?2, 'none', 0)",
                    params![mail.account.as_str(), mail.root().to_str()],
                )
                .or_fault()
            })
            .expect("an account");
        mail
    }

    pub fn root(&self) -> PathBuf {
        self.dir.path().join("Maildir")
    }

    /// Makes a folder below the Maildir.
    pub fn folder(&self, name: &str) -> PathBuf {
        let folder = self.root().join(name);
        for sub in ["cur", "new", "tmp"] {
            fs::create_dir_all(folder.join(sub)).expect("made");
        }
        folder
    }

    /// Puts a file there.
    pub fn put(&self, file: &str, content: impl AsRef<[u8]>) {
        fs::write(self.root().join(file), content).expect("written");
    }

    pub fn rename(&self, from: &str, to: &str) {
        fs::rename(self.root().join(from), self.root().join(to)).expect("renamed");
    }

    pub fn remove(&self, file: &str) {
        fs::remove_file(self.root().join(file)).expect("removed");
    }

    /// Every file below the Maildir, in order.
    pub fn files(&self) -> Vec<String> {
        fn walk(at: &Path, root: &Path, found: &mut Vec<String>) {
            for entry in fs::read_dir(at).expect("listed").flatten() {
                if entry.file_type().is_ok_and(|t| t.is_dir()) {
                    walk(&entry.path(), root, found);
                } else if let Ok(path) = entry.path().strip_prefix(root) {
                    found.push(path.to_string_lossy().into_owned());
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.root(), &self.root(), &mut found);
        found.sort();
        found
    }

    pub fn try_sync(&self) -> Result<Report> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(sync::run(&self.services, &self.account, sync::silent()))
    }

    #[track_caller]
    pub fn sync(&self) -> Report {
        self.try_sync().expect("synced")
    }

    /// The rows of a query, each as its columns joined by a blank.
    pub fn rows(&self, sql: &str) -> Vec<String> {
        self.rows_of(sql, &[])
    }

    pub fn rows_of(&self, sql: &str, with: &[&dyn ToSql]) -> Vec<String> {
        use oaken_store::rusqlite::types::Value;
        self.services
            .store
            .read(|c| {
                let mut statement = c.prepare(sql).or_fault()?;
                let columns = statement.column_count();
                let rows = statement
                    .query_map(with, |r| {
                        let cells = (0..columns).map(|n| match r.get::<_, Value>(n) {
                            Ok(Value::Null) => "-".to_owned(),
                            Ok(Value::Integer(i)) => i.to_string(),
                            Ok(Value::Text(t)) => t,
                            other => format!("{other:?}"),
                        });
                        Ok(cells.collect::<Vec<_>>().join(" "))
                    })
                    .or_fault()?;
                rows.collect::<oaken_store::rusqlite::Result<Vec<_>>>().or_fault()
            })
            .expect("read")
    }

    /// The id of the one message with this subject.
    #[track_caller]
    pub fn id(&self, subject: &str) -> String {
        let ids = self.rows_of("SELECT id FROM message_row WHERE subject = ?1", &[&subject]);
        assert_eq!(ids.len(), 1, "{subject}");
        ids[0].clone()
    }

    /// Folder, flags and subject of every place.
    pub fn places(&self) -> Vec<String> {
        self.rows(
            "SELECT f.name, l.flags, m.subject FROM location_row l JOIN folder_row f ON f.row = l.folder
             JOIN message_row m ON m.row = l.message ORDER BY f.name, m.subject, l.row",
        )
    }
}

/// A message.
pub(crate) fn mail(id: &str, subject: &str, references: &str) -> String {
    let references = match references {
        "" => String::new(),
        ids => format!("References: {ids}\r\n"),
    };
    format!(
        "From: Ada <ada@example.org>\r\nTo: Bob <bob@example.org>\r\nSubject: {subject}\r\n\
         Date: Mon, 30 Nov 2026 09:00:00 +0000\r\nMessage-ID: <{id}>\r\n{references}\r\nText of {subject}.\r\n"
    )
}
