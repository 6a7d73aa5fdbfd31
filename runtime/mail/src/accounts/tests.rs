//! Accounts and workspaces, changed through a real gate.

use std::path::PathBuf;

use oaken_core::{
    AccountId, Answer, Approval, Ceiling, Class, Cli, Code, Confirmation, Descriptor, Error, Field, Mcp,
    McpResult, Result, Secret, Shape,
};
use oaken_gate::{Applied, Changes, Commit, Gate, Input};
use oaken_store::{Durability, OrFault};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{ImapPlace, NewAccount, NewCredential, Place, Tls};
use crate::handler::{self, Cx, Operation, Unseen};
use crate::sync::tests::{Mail, mail};

const WORDS: Shape = Shape::String {
    min_chars: 0,
    max_chars: 1000,
};
const fn field(name: &'static str) -> Field {
    Field {
        name,
        doc: "",
        shape: WORDS,
        required: true,
        default: None,
    }
}
static DO: Descriptor = Descriptor {
    name: "do",
    area: "accounts",
    title: "",
    summary: "",
    description: "",
    class: Class::Mutate,
    ceiling: Ceiling::Never,
    marks_read: false,
    preview: false,
    destroys: false,
    approval: Approval::Person,
    presence: None,
    schedulable: false,
    undo: None,
    mcp: Mcp {
        tool: "do",
        action: None,
        result: McpResult::Structured,
    },
    cli: Cli {
        path: &[],
        positional: &[],
        only: false,
    },
    input: &[field("what"), field("account"), field("argument")],
    output: &[field("done")],
    examples: &[],
    digest: "do",
};

/// One thing that is done to accounts, by its word.
struct Do;
#[derive(Deserialize)]
struct Ask {
    what: String,
    account: String,
    argument: String,
}
#[derive(Serialize)]
struct Did {
    done: String,
}
impl Operation for Do {
    type Input = Ask;
    type Output = Did;
    const DESCRIPTOR: &'static Descriptor = &DO;
}
impl Unseen for Do {
    async fn apply(cx: &Cx<Changes>, ask: &Ask) -> Result<Applied<Did>> {
        let id = AccountId::parse(&ask.account).unwrap_or_else(AccountId::random);
        let new = |place, credential, workspace: &str| NewAccount {
            name: "second".into(),
            address: "Me@Example.org".into(),
            workspace: workspace.into(),
            place,
            credential,
        };
        let maildir = || Place::Maildir(PathBuf::from(&ask.argument));
        let mut done = String::new();
        let commit: Commit = match ask.what.as_str() {
            "add" => {
                let (id, commit) = super::add(cx, new(maildir(), NewCredential::None, "default")).await?;
                done = id.as_str().to_owned();
                commit
            }
            "add elsewhere" => {
                super::add(cx, new(maildir(), NewCredential::None, "nowhere"))
                    .await?
                    .1
            }
            "add with a password" => {
                let secret = NewCredential::Password(Secret::new("x".into()));
                super::add(cx, new(maildir(), secret, "default")).await?.1
            }
            "add to a dead server" => {
                let secret = NewCredential::Password(Secret::new("x".into()));
                super::add(cx, new(Place::Imap(server(1)), secret, "default"))
                    .await?
                    .1
            }
            "add without a password" => {
                super::add(cx, new(Place::Imap(server(1)), NewCredential::None, "default"))
                    .await?
                    .1
            }
            "remove" => super::remove(cx, &id)?,
            "workspace" => super::create_workspace(cx, &ask.argument)?,
            "assign" => super::assign(cx, &id, &ask.argument)?,
            "move" => {
                let port = ask.argument.parse().map_err(|_| Error::internal())?;
                super::change_endpoint(cx, &id, server(port))?
            }
            _ => return Err(Error::internal()),
        };
        Ok(Applied {
            output: Did { done },
            commit,
        })
    }
}

fn server(port: u16) -> ImapPlace {
    ImapPlace {
        host: "127.0.0.1".into(),
        port,
        tls: Tls::Implicit,
        login: "ada".into(),
        ca_file: None,
    }
}

struct Called {
    mail: Mail,
    gate: Gate,
    runtime: tokio::runtime::Runtime,
}

impl Called {
    fn new() -> Called {
        let mail = Mail::new();
        let entries = vec![handler::unseen::<Do>(&mail.services)];
        let gate = Gate::new(mail.services.governance().clone(), entries).expect("a gate");
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        Called {
            mail,
            gate,
            runtime: runtime.expect("a runtime"),
        }
    }

    fn act(&self, what: &str, account: &str, argument: &str) -> Result<Value> {
        let person = self.gate.person_cli().expect("a person");
        let input = Input::Value(json!({"what": what, "account": account, "argument": argument}));
        match self
            .runtime
            .block_on(self.gate.call(&person, "do", input, Confirmation::Yes))?
        {
            Answer::Done { output, .. } => Ok(output["done"].clone()),
            Answer::Proposed(_) => Err(Error::internal()),
        }
    }

    #[track_caller]
    fn refused(&self, what: &str, account: &str, argument: &str, code: Code, field: &str) {
        let e = self.act(what, account, argument).expect_err("refused");
        assert_eq!(e.code(), code, "{what}");
        let fields: Vec<&str> = e.faults().iter().map(|f| f.field.as_str()).collect();
        assert_eq!(
            fields,
            Vec::from_iter((!field.is_empty()).then_some(field)),
            "{what}"
        );
    }

    fn accounts(&self) -> Vec<String> {
        self.mail
            .rows("SELECT name, address, kind, credential, state FROM account_row ORDER BY name")
    }
}

#[test]
fn an_account_is_opened_before_it_is_kept() {
    let c = Called::new();
    let root = c.mail.root();
    let root = root.to_str().expect("a path");
    c.refused("add", "", "/nowhere/at/all", Code::Refused, "");
    c.refused("add", "", "Maildir", Code::InvalidInput, "/path");
    c.refused("add elsewhere", "", root, Code::NotFound, "/workspace");
    c.refused("add with a password", "", root, Code::InvalidInput, "/password");
    c.refused(
        "add without a password",
        "",
        root,
        Code::InvalidInput,
        "/password",
    );
    c.refused("add to a dead server", "", root, Code::RemoteUnreachable, "");
    assert_eq!(c.accounts(), ["test me@example.org maildir none new"]);
    c.act("add", "", root).expect("added");
    assert_eq!(
        c.accounts(),
        [
            "second me@example.org maildir none new",
            "test me@example.org maildir none new"
        ]
    );
    c.refused("add", "", root, Code::InvalidInput, "/name");
}

#[test]
fn a_removed_account_leaves_nothing_and_its_mail_stays() {
    let c = Called::new();
    c.mail.put("cur/1700000001.a.host:2,F", mail("a@x", "one", ""));
    c.mail
        .put("cur/1700000002.b.host:2,", mail("b@x", "two", "<a@x>"));
    c.mail.sync();
    let row: i64 = c.mail.rows("SELECT row FROM account_row")[0]
        .parse()
        .expect("a number");
    assert_eq!(c.mail.services.index.held(row).expect("asked"), 2);
    let files = c.mail.files();
    c.act("remove", c.mail.account.as_str(), "").expect("removed");
    for table in [
        "account",
        "folder",
        "message",
        "body",
        "location",
        "label",
        "location_label",
        "attachment",
        "reference",
        "thread",
        "thread_node",
        "sync_issue",
        "journal_change",
    ] {
        assert_eq!(
            c.mail.rows(&format!("SELECT count(*) FROM {table}_row")),
            ["0"],
            "{table}"
        );
    }
    assert_eq!(c.mail.services.index.held(row).expect("asked"), 0);
    assert_eq!(c.mail.files(), files);
    c.refused(
        "remove",
        c.mail.account.as_str(),
        "",
        Code::NotFound,
        "/account_id",
    );
}

#[test]
fn workspaces_are_made_and_accounts_move_between_them() {
    let c = Called::new();
    let id = c.mail.account.as_str();
    c.act("workspace", "", "work").expect("made");
    c.refused("workspace", "", "work", Code::InvalidInput, "/name");
    for bad in ["", " work", "a/b", "a\nb"] {
        c.refused("workspace", "", bad, Code::InvalidInput, "/name");
    }
    c.act("assign", id, "work").expect("moved");
    c.refused("assign", id, "nowhere", Code::NotFound, "/workspace");
    assert_eq!(
        c.mail
            .rows("SELECT w.name FROM account_row a JOIN workspace_row w ON w.row = a.workspace"),
        ["work"]
    );
}

#[test]
fn a_password_is_dropped_when_its_endpoint_changes() {
    let c = Called::new();
    let id = c.mail.account.clone();
    let sealed = c
        .mail
        .services
        .vault
        .seal(&server(993).sealed_to(&id), &Secret::new("hunter2".into()));
    let sealed = sealed.expect("sealed");
    c.mail
        .services
        .store
        .write(Durability::Normal, |tx| {
            tx.execute(
                "UPDATE account_row SET kind = 'imap', host = '127.0.0.1', port = 993, tls = 'implicit',
                    login = 'ada', credential = 'password', secret = ?1",
                [&sealed],
            )
            .or_fault()
        })
        .expect("written");
    let state = "SELECT secret IS NULL, credential, state, reason, port FROM account_row";
    c.act("move", id.as_str(), "993").expect("the same place");
    assert_eq!(c.mail.rows(state), ["0 password new - 993"]);
    c.act("move", id.as_str(), "143").expect("moved");
    assert_eq!(
        c.mail.rows(state),
        ["1 none waiting_for_person password_missing 143"]
    );
}

#[tokio::test]
async fn a_lost_vault_key_is_not_replaced_while_a_password_is_sealed() {
    let m = Mail::new();
    let place = ImapPlace {
        host: "imap.example.org".into(),
        port: 993,
        tls: Tls::Implicit,
        login: "ada".into(),
        ca_file: None,
    };
    let sealed = m
        .services
        .vault
        .seal(&place.sealed_to(&m.account), &Secret::new("hunter2".into()))
        .expect("sealed");
    let write = |sql: &str, sealed: &[u8]| {
        m.services
            .store
            .write(Durability::Full, |tx| {
                tx.execute(sql, oaken_store::rusqlite::params![sealed]).or_fault()
            })
            .expect("written");
    };
    write(
        "UPDATE account_row SET kind = 'imap', host = 'imap.example.org', port = 993, tls = 'implicit',
            login = 'ada', path = NULL, credential = 'password', secret = ?1",
        &sealed,
    );
    let keys = m.dir.path().join("keys");
    let open = || {
        let services = &m.services;
        crate::Services::open(
            services.store.clone(),
            services.governance.clone(),
            services.data_dir(),
            &keys,
        )
        .expect("opened")
    };
    let account = m
        .services
        .store
        .read(|c| super::load(c, &m.account))
        .expect("there");
    let opened = super::password(&open().vault, &account).await.expect("opened");
    assert_eq!(opened.reveal(), "hunter2");

    std::fs::remove_file(keys.join("vault.key")).expect("lost");
    let e = super::password(&open().vault, &account)
        .await
        .err()
        .expect("refused");
    assert_eq!(e.code(), Code::Refused);
    assert!(
        e.message().starts_with("The key file vault.key is missing"),
        "{e}"
    );
    assert!(!keys.join("vault.key").exists());

    // Nothing is sealed any more: a key is made as for a new installation.
    write("UPDATE account_row SET secret = NULL WHERE ?1 <> x''", &sealed);
    open();
    assert!(keys.join("vault.key").exists());
}
