//! `undo` through a real gate, on the files of a Maildir: what is as it was left goes back, the rest is said.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use oaken_core::{Answer, Code, Confirmation, Door, Result};
use oaken_gate::{Caller, Gate, Governance, Input, Keys};
use oaken_mail::{MailDirectory, Services};
use oaken_store::{MIGRATIONS, Store};
use serde_json::{Value, json};

/// An installation with one Maildir: two mails in the INBOX, and a copy of the first, read before, in A.
struct World {
    dir: tempfile::TempDir,
    gate: Gate,
    person: Caller,
    one: String,
    two: String,
}

fn mail(subject: &str) -> String {
    format!(
        "From: Ada <ada@example.org>\r\nSubject: {subject}\r\nMessage-ID: <{subject}@x>\r\n\
         Date: Mon, 30 Nov 2026 09:00:00 +0000\r\n\r\nText of {subject}.\r\n"
    )
}

impl World {
    async fn new() -> World {
        let dir = tempfile::tempdir().expect("a folder");
        let (data, keys_dir) = (dir.path().join("data"), dir.path().join("keys"));
        let store = Arc::new(Store::open(&data.join("oaken.db"), MIGRATIONS).expect("a database"));
        let keys = Keys::load_or_create(&keys_dir).expect("keys");
        let directory = Arc::new(MailDirectory::new(store.clone()));
        let governance = Governance::new(store.clone(), keys, directory);
        let services = Services::open(store, governance.clone(), &data, &keys_dir).expect("services");
        let mut entries = oaken_operations::entries(&services);
        entries.extend(oaken_read_state::entries(&services));
        let gate = Gate::new(governance, entries).expect("a gate");
        let person = gate.person_cli().expect("a person");
        let mut w = World {
            dir,
            gate,
            person,
            one: String::new(),
            two: String::new(),
        };
        for (file, subject) in [
            ("new/1700000001.one.host", "one"),
            ("new/1700000002.two.host", "two"),
            (".A/cur/1700000003.one.host:2,S", "one"),
        ] {
            let path = w.maildir().join(file);
            for sub in ["cur", "new", "tmp"] {
                let folder = path.parent().and_then(|p| p.parent()).expect("a folder");
                fs::create_dir_all(folder.join(sub)).expect("made");
            }
            fs::write(path, mail(subject)).expect("written");
        }
        let account = json!({
            "name": "test", "address": "me@example.org", "kind": "maildir", "path": w.maildir(),
        });
        let account = w.done("add_account", account).await.0["account_id"].clone();
        w.done("sync_account", json!({ "account_id": account })).await;
        let listed = w
            .call("list_messages", json!({}), Confirmation::None)
            .await
            .expect("listed")
            .0;
        let id = |subject: &str| {
            let rows = listed["messages"].as_array().expect("rows");
            let row = rows
                .iter()
                .find(|r| r["subject"].to_string().contains(subject))
                .expect("its row");
            row["message_id"].as_str().expect("an id").to_owned()
        };
        (w.one, w.two) = (id("one"), id("two"));
        w
    }

    fn maildir(&self) -> PathBuf {
        self.dir.path().join("Maildir")
    }

    async fn call(&self, operation: &str, input: Value, c: Confirmation) -> Result<(Value, Option<String>)> {
        match self
            .gate
            .call(&self.person, operation, Input::Value(input), c)
            .await?
        {
            Answer::Done { output, entry, .. } => Ok((output, entry.map(|e| e.as_str().to_owned()))),
            Answer::Proposed(_) => unreachable!("a person is not proposed to"),
        }
    }

    async fn done(&self, operation: &str, input: Value) -> (Value, Option<String>) {
        self.call(operation, input, Confirmation::Yes)
            .await
            .expect(operation)
    }

    /// Changes these messages; gives the entry.
    async fn change(&self, operation: &str, ids: &[&str]) -> String {
        let done = self.done(operation, json!({ "target": { "ids": ids } })).await;
        done.1.expect("an entry")
    }

    async fn undo(&self, entries: &[&str]) -> Result<Value> {
        let input = json!({ "entry_ids": entries });
        self.call("undo", input, Confirmation::Yes)
            .await
            .map(|done| done.0)
    }

    /// The names of the three files, without their numbers.
    fn files(&self) -> Vec<String> {
        let mut names = vec![];
        for folder in ["new", "cur", ".A/new", ".A/cur"] {
            for file in fs::read_dir(self.maildir().join(folder))
                .expect("listed")
                .flatten()
            {
                let name = file.file_name().to_string_lossy().into_owned();
                names.push(format!("{folder}/{}", name.split_once('.').map_or("", |n| n.1)));
            }
        }
        names.sort();
        names
    }
}

fn stale(id: &str) -> Value {
    json!({ "message_id": id, "reason": "stale" })
}

#[tokio::test]
async fn a_copy_that_was_read_before_stays_read() {
    let w = World::new().await;
    let entry = w.change("mark_read", &[&w.one]).await;
    assert_eq!(
        w.files(),
        [".A/cur/one.host:2,S", "cur/one.host:2,S", "new/two.host"]
    );
    let undone = w.undo(&[&entry]).await.expect("undone");
    assert_eq!(
        undone,
        json!({ "undone": [entry], "marked": [w.one], "not_changed": [] })
    );
    assert_eq!(
        w.files(),
        [".A/cur/one.host:2,S", "cur/one.host:2,", "new/two.host"]
    );
}

#[tokio::test]
async fn what_somebody_changed_since_is_said_to_be_stale_and_stays() {
    let w = World::new().await;
    let entry = w.change("mark_read", &[&w.one, &w.two]).await;
    w.change("mark_unread", &[&w.two]).await;
    let undone = w.undo(&[&entry]).await.expect("undone");
    assert_eq!(
        undone,
        json!({ "undone": [entry], "marked": [w.one], "not_changed": [stale(&w.two)] })
    );
    let again = w.undo(&[&entry]).await.expect_err("nothing is as it was left");
    assert_eq!(again.code(), Code::Stale);
}

#[tokio::test]
async fn an_entry_of_which_nothing_goes_back_is_not_undone() {
    let w = World::new().await;
    let read = w.change("mark_read", &[&w.two]).await;
    let unread = w.change("mark_unread", &[&w.two]).await;
    let flagged = w.change("flag_messages", &[&w.one]).await;
    let undone = w.undo(&[&read, &flagged]).await.expect("undone");
    assert_eq!(
        undone,
        json!({ "undone": [flagged], "marked": [w.one], "not_changed": [stale(&w.two)] })
    );
    // What takes back the later entry makes the earlier as it was left again.
    let undone = w.undo(&[&unread]).await.expect("undone");
    assert_eq!(undone["undone"], json!([unread]));
    let undone = w.undo(&[&read]).await.expect("undone");
    assert_eq!(undone["marked"], json!([w.two]));
}

#[tokio::test]
async fn where_nothing_is_as_it_was_left_it_is_stale_at_once_and_changes_nothing() {
    let w = World::new().await;
    let entry = w.change("mark_read", &[&w.two]).await;
    w.change("mark_unread", &[&w.two]).await;
    let files = w.files();
    for yes in [Confirmation::None, Confirmation::Yes] {
        let refused = w.call("undo", json!({ "entry_ids": [entry] }), yes).await;
        assert_eq!(refused.expect_err("stale").code(), Code::Stale);
    }
    assert_eq!(w.files(), files);
}

#[tokio::test]
async fn a_change_of_what_is_so_already_answers_with_no_entry() {
    let w = World::new().await;
    w.change("mark_read", &[&w.two]).await;
    let (output, entry) = w.done("mark_read", json!({ "target": { "ids": [w.two] } })).await;
    assert_eq!(
        output["not_changed"],
        json!([{ "message_id": w.two, "reason": "already_so" }])
    );
    assert_eq!(entry, None);
}

#[tokio::test]
async fn more_messages_than_an_answer_may_list_are_refused_before_anything_changes() {
    let w = World::new().await;
    let entry = w.change("mark_read", &[&w.one, &w.two]).await;
    let lower = json!({ "name": "operations.max_batch_ids", "value": "1" });
    w.done("set_setting", lower).await;
    let files = w.files();
    let refused = w.undo(&[&entry]).await.expect_err("too many");
    assert_eq!(refused.code(), Code::OverLimit);
    assert_eq!(w.files(), files);
}

#[tokio::test]
async fn an_agent_s_undo_is_bounded_by_what_is_left_when_its_token_comes_and_says_the_rest() {
    let w = World::new().await;
    for operation in ["mark_read", "mark_unread", "undo"] {
        let on = json!({ "operation": operation, "exposure": "on" });
        w.done("set_operation_exposure", on).await;
    }
    let token = w.done("add_agent", json!({ "name": "helper" })).await.0["token"].clone();
    let token = token.as_str().expect("a token");
    let agent = w.gate.authenticate(token, Door::Mcp).expect("an agent");
    let call = async |operation: &str, input: Value| {
        let asked = Input::Value(input.clone());
        match w
            .gate
            .call(&agent, operation, asked, Confirmation::None)
            .await
            .expect(operation)
        {
            Answer::Proposed(p) => (input, Confirmation::Token(p.proposal_token)),
            Answer::Done { .. } => unreachable!("an agent is proposed to"),
        }
    };
    let done = async |operation: &str, (input, token): (Value, Confirmation)| match w
        .gate
        .call(&agent, operation, Input::Value(input), token)
        .await
        .expect(operation)
    {
        Answer::Done { output, entry, .. } => (output, entry),
        Answer::Proposed(_) => unreachable!("it brought its token"),
    };
    let marked = call("mark_read", json!({ "target": { "ids": [w.one, w.two] } })).await;
    let entry = done("mark_read", marked).await.1.expect("an entry");
    let proposed = call("undo", json!({ "entry_ids": [entry] })).await;
    w.change("mark_unread", &[&w.two]).await;
    let undone = done("undo", proposed).await.0;
    assert_eq!(
        undone,
        json!({ "undone": [entry], "marked": [w.one], "not_changed": [stale(&w.two)] })
    );
}
