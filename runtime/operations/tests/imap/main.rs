//! Operations on a server that misbehaves, through a real gate: what Oaken says of it, and what it never does.

mod losing;
mod server;

use std::sync::Arc;

use oaken_core::{Answer, Code, Confirmation, Result};
use oaken_gate::{Caller, Gate, Governance, Input, Keys};
use oaken_mail::{MailDirectory, Services};
use oaken_store::{MIGRATIONS, OrFault, Store};
use serde_json::{Value, json};

use server::{Server, pem};

/// An installation with one account on a server.
struct World {
    _dir: tempfile::TempDir,
    store: Arc<Store>,
    gate: Gate,
    person: Caller,
    account: String,
}

impl World {
    async fn over(server: &Server) -> World {
        let dir = tempfile::tempdir().expect("a folder");
        let (data, keys_dir) = (dir.path().join("data"), dir.path().join("keys"));
        let store = Arc::new(Store::open(&data.join("oaken.db"), MIGRATIONS).expect("a database"));
        let keys = Keys::load_or_create(&keys_dir).expect("keys");
        let directory = Arc::new(MailDirectory::new(store.clone()));
        let governance = Governance::new(store.clone(), keys, directory);
        let services = Services::open(store.clone(), governance.clone(), &data, &keys_dir).expect("services");
        let mut entries = oaken_operations::entries(&services);
        entries.extend(oaken_read_state::entries(&services));
        let gate = Gate::new(governance, entries).expect("a gate");
        let person = gate.person_cli().expect("a person");
        let mut w = World {
            _dir: dir,
            store,
            gate,
            person,
            account: String::new(),
        };
        let account = json!({
            "name": "test", "address": "me@example.org", "host": "localhost", "port": server.port,
            "password": "made up", "ca_file": pem("ca.pem"),
        });
        let added = w
            .call("add_account", account, Confirmation::Yes)
            .await
            .expect("added");
        w.account = added["account_id"].as_str().expect("an id").to_owned();
        w
    }

    async fn call(&self, operation: &str, input: Value, c: Confirmation) -> Result<Value> {
        match self
            .gate
            .call(&self.person, operation, Input::Value(input), c)
            .await?
        {
            Answer::Done { output, .. } => Ok(output),
            Answer::Proposed(_) => unreachable!("a person is not proposed to"),
        }
    }

    /// Calls an operation on the account.
    async fn on(&self, operation: &str) -> Result<Value> {
        let input = json!({ "account_id": self.account });
        self.call(operation, input, Confirmation::Yes).await
    }

    async fn sync(&self) -> Value {
        self.on("sync_account").await.expect("synced")
    }

    async fn status(&self) -> Value {
        let status = self.call("status", json!({}), Confirmation::None).await;
        status.expect("told")["accounts"][0].clone()
    }

    /// The messages as they are listed, newest first.
    async fn listed(&self) -> Vec<Value> {
        let listed = self.call("list_messages", json!({}), Confirmation::None).await;
        listed.expect("listed")["messages"]
            .as_array()
            .expect("rows")
            .clone()
    }

    async fn found(&self, query: &str) -> Vec<String> {
        let found = self
            .call("search", json!({ "query": query }), Confirmation::None)
            .await;
        let rows = found.expect("searched")["messages"].clone();
        rows.as_array().expect("rows").iter().map(id).collect()
    }

    fn rows(&self, sql: &str) -> Vec<String> {
        let rows = self.store.read(|c| {
            let mut statement = c.prepare(sql).or_fault()?;
            let rows = statement.query_map([], |r| r.get(0)).or_fault()?;
            rows.collect::<oaken_store::rusqlite::Result<_>>().or_fault()
        });
        rows.expect("read")
    }

    /// Entry's state and the outcome of each of its places.
    fn journal(&self) -> Vec<String> {
        self.rows(
            "SELECT e.operation || ' ' || e.state || ' ' || c.outcome FROM journal_entry_row e
             JOIN journal_change_row c ON c.entry = e.row ORDER BY e.row, c.row",
        )
    }
}

fn id(row: &Value) -> String {
    row["message_id"].as_str().expect("an id").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_marks_what_is_looked_at_is_read_no_further_until_a_person_says_so() {
    let server = Server::start(&["one", "two", "three"]).await;
    server.mailbox().marks_on_read = true;
    let w = World::over(&server).await;
    let refused = w.on("sync_account").await.expect_err("noticed");
    assert_eq!(refused.code(), Code::RemoteRefused);
    let account = &w.account;
    let status = w.status().await;
    assert_eq!(
        (&status["state"], &status["reason"], &status["mend"]),
        (
            &json!("waiting_for_person"),
            &json!("marks_on_read"),
            &json!(format!("oaken accounts accept-marking {account}"))
        )
    );
    let looked = || {
        server
            .mailbox()
            .asked
            .iter()
            .filter(|c| c.contains("BODY"))
            .count()
    };
    let marked = || server.mailbox().mails.iter().filter(|m| m.seen).count();
    let before = looked();
    assert_eq!(marked(), 2, "two were risked");
    assert!(w.on("sync_account").await.is_err());
    assert_eq!((looked(), marked()), (before, 2));

    // Shown first, then accepted; from then on mail comes, and is marked by the server.
    let input = json!({ "account_id": account });
    let shown = w
        .call("accept_marking", input, Confirmation::None)
        .await
        .expect_err("shown");
    assert_eq!(shown.changes().map(|c| c.changes.len()), Some(1));
    assert!(w.on("sync_account").await.is_err(), "showing accepts nothing");
    w.on("accept_marking").await.expect("accepted");
    assert_eq!(w.status().await["state"], "new");
    assert_eq!(w.sync().await["new"], 3);
    assert_eq!((w.status().await["state"].clone(), marked()), (json!("ok"), 3));
    let raw = json!({ "message_id": id(&w.listed().await[0]) });
    w.call("get_raw_message", raw, Confirmation::None)
        .await
        .expect("read");
    // Accepting twice changes nothing.
    w.on("accept_marking").await.expect("so already");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_accepted_of_a_server_that_marks_nothing() {
    let server = Server::start(&["one"]).await;
    let w = World::over(&server).await;
    w.sync().await;
    let refused = w.on("accept_marking").await.expect_err("nothing to accept");
    assert_eq!(refused.code(), Code::Refused);
    assert_eq!(w.status().await["state"], "ok");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_withheld_is_asked_for_again_and_keeps_its_id() {
    let server = Server::start(&["one", "two"]).await;
    server.mailbox().mails[0].withheld = true;
    let w = World::over(&server).await;
    assert_eq!(w.sync().await["new"], 2);
    let held = |rows: Vec<Value>| {
        let row = rows.into_iter().find(|r| r["subject"].as_str() != Some("two"));
        id(&row.expect("the placeholder"))
    };
    let placeholder = held(w.listed().await);
    assert_eq!(w.found("one").await, [""; 0]);

    server.mailbox().mails[0].withheld = false;
    w.sync().await;
    assert_eq!(w.found("\"text of one\"").await, [placeholder]);
    assert_eq!(w.listed().await.len(), 2);
    assert_eq!(w.rows("SELECT DISTINCT text_state FROM message_row"), ["whole"]);
    let fetches = server.asked("UID FETCH");
    w.sync().await;
    // Only the flags are looked at again.
    assert_eq!(server.asked("UID FETCH"), fetches + 1);
    assert!(
        server.mailbox().mails.iter().all(|m| !m.seen),
        "and nothing was marked"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stays_withheld_is_asked_for_three_times_more() {
    let server = Server::start(&["one", "two"]).await;
    server.mailbox().mails[0].withheld = true;
    let w = World::over(&server).await;
    let asks = || {
        let asked = &server.mailbox().asked;
        asked
            .iter()
            .filter(|c| c.starts_with("UID FETCH 1 ") && c.contains("[HEADER]"))
            .count()
    };
    w.sync().await;
    let mut counts = vec![];
    for _ in 0..5 {
        let before = asks();
        w.sync().await;
        counts.push(asks() - before);
    }
    assert!(counts[..3].iter().all(|n| *n > 0), "{counts:?}");
    assert_eq!(counts[3..], [0, 0]);
    assert_eq!(w.status().await["state"], "ok");
    assert_eq!(w.listed().await.len(), 2, "the placeholder is still listed");
}
