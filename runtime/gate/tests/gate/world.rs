//! A world to call into: three messages in two accounts of two workspaces, a gate over them, a person and agents.
//! Deliberately no mail: a message is an id, an account, and whether it is read.

mod declared;
mod operations;
mod undoing;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use oaken_core::{
    AccountId, AgentId, Answer, Confirmation, Door, Error, IdKind, IssuedSecret, Proposal, Result,
};
use oaken_gate::{AccountKey, Caller, Clock, Directory, Entry, Gate, Governance, Grant, Input, Keys, Reach};
use oaken_store::{MIGRATIONS, Store};
use serde_json::Value;

pub const WORK: &str = "a_0000000001";
pub const HOME: &str = "a_0000000002";
/// In `default`, like the work account.
pub const M1: &str = "m_0000000001";
pub const M2: &str = "m_0000000002";
/// In `private`, like the home account.
pub const M3: &str = "m_0000000003";
pub const NOBODY: &str = "m_vvvvvvvvvv";

/// A message: its account's row, and its state.
#[derive(Clone, Debug)]
pub struct Thing {
    pub account: i64,
    pub read: bool,
    pub flagged: bool,
    pub text: String,
}

#[derive(Default)]
pub struct State {
    pub things: BTreeMap<String, Thing>,
    /// Each apply that a body was given leave for: the operation, its entry, its intent.
    pub applied: Vec<(&'static str, String, i64)>,
    /// Each local change that was committed.
    pub committed: Vec<&'static str>,
    /// What a handler does instead of its work, once asked to.
    pub misbehave: Option<&'static str>,
}

pub struct World {
    pub gate: Gate,
    pub store: Arc<Store>,
    pub state: Arc<Mutex<State>>,
    pub wall: Arc<AtomicI64>,
    pub up: Arc<AtomicI64>,
    pub boot: Arc<Mutex<String>>,
    pub dir: tempfile::TempDir,
    keys: Keys,
}

fn clock(wall: &Arc<AtomicI64>, up: &Arc<AtomicI64>, boot: &Arc<Mutex<String>>) -> Clock {
    let (wall, up, boot) = (wall.clone(), up.clone(), boot.clone());
    Clock {
        wall: Arc::new(move || wall.load(Ordering::SeqCst)),
        boot: Arc::new(move || (boot.lock().expect("the boot").clone(), up.load(Ordering::SeqCst))),
    }
}

struct Memory(Arc<Mutex<State>>);

/// Accounts 1 (work, in `default`) and 2 (home, in `private`).
fn accounts() -> Vec<(AccountKey, &'static str)> {
    let key = |row, id: &str| AccountKey {
        row,
        id: AccountId::parse(id).expect("an account's id"),
    };
    vec![(key(1, WORK), "default"), (key(2, HOME), "private")]
}

impl Directory for Memory {
    fn accounts_in(&self, workspaces: &[String]) -> Result<Vec<AccountKey>> {
        let listed = |w: &str| workspaces.iter().any(|l| l == w);
        Ok(accounts()
            .into_iter()
            .filter(|(_, w)| listed(w))
            .map(|(a, _)| a)
            .collect())
    }
    fn all_accounts(&self) -> Result<Vec<AccountKey>> {
        Ok(accounts().into_iter().map(|(a, _)| a).collect())
    }
    fn workspaces(&self) -> Result<Vec<String>> {
        Ok(vec!["default".into(), "private".into()])
    }
    fn resolve(&self, grant: &Grant, ids: &[(IdKind, &str)]) -> Result<Vec<bool>> {
        let reaches = |row: i64| match grant.reach() {
            Reach::All => true,
            Reach::Only(rows) => rows.contains(&row),
        };
        let state = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(ids
            .iter()
            .map(|(kind, id)| match kind {
                IdKind::Message => state.things.get(*id).is_some_and(|t| reaches(t.account)),
                IdKind::Account => accounts()
                    .iter()
                    .any(|(a, _)| a.id.as_str() == *id && reaches(a.row)),
                IdKind::Entry => state.applied.iter().any(|(_, entry, _)| entry == id),
                _ => false,
            })
            .collect())
    }
}

impl World {
    pub fn new() -> World {
        let dir = tempfile::tempdir().expect("a folder");
        let thing = |account, text: &str| Thing {
            account,
            read: false,
            flagged: false,
            text: text.to_owned(),
        };
        let state = State {
            things: BTreeMap::from([
                (M1.to_owned(), thing(1, "one")),
                (M2.to_owned(), thing(1, "two")),
                (M3.to_owned(), thing(2, "three")),
            ]),
            ..State::default()
        };
        let keys = Keys::load_or_create(&dir.path().join("keys")).expect("keys");
        World::open(
            dir,
            Arc::new(Mutex::new(state)),
            keys,
            (
                Arc::new(AtomicI64::new(1_796_040_000)),
                Arc::new(AtomicI64::new(5_000)),
                Arc::new(Mutex::new("boot".into())),
            ),
        )
    }

    fn open(
        dir: tempfile::TempDir,
        state: Arc<Mutex<State>>,
        keys: Keys,
        (wall, up, boot): (Arc<AtomicI64>, Arc<AtomicI64>, Arc<Mutex<String>>),
    ) -> World {
        let store =
            Arc::new(Store::open(&dir.path().join("data").join("oaken.db"), MIGRATIONS).expect("a store"));
        let clock = clock(&wall, &up, &boot);
        let directory = Arc::new(Memory(state.clone()));
        let governance = Governance::with_clock(store.clone(), keys.clone(), directory, clock);
        let gate = Gate::new(governance.clone(), operations::entries(&state, &governance)).expect("a gate");
        World {
            gate,
            store,
            state,
            wall,
            up,
            boot,
            dir,
            keys,
        }
    }

    /// The same installation, opened anew as after the end of the process.
    pub fn reopen(self) -> World {
        World::open(self.dir, self.state, self.keys, (self.wall, self.up, self.boot))
    }

    /// As [`World::reopen`], under other keys.
    pub fn reopen_with(self, keys: Keys) -> World {
        World::open(self.dir, self.state, keys, (self.wall, self.up, self.boot))
    }

    /// Another gate over the same database, as another process has one.
    pub fn beside(&self) -> Gate {
        let governance = self.governance();
        Gate::new(governance.clone(), operations::entries(&self.state, &governance)).expect("a gate")
    }

    /// What a gate over this database is made of.
    pub fn governance(&self) -> Governance {
        let store = Arc::new(Store::open(self.store.path(), MIGRATIONS).expect("a store"));
        Governance::with_clock(
            store,
            self.keys.clone(),
            Arc::new(Memory(self.state.clone())),
            self.clock(),
        )
    }

    /// Its entries.
    pub fn entries(&self) -> Vec<Entry> {
        operations::entries(&self.state, &self.governance())
    }

    fn clock(&self) -> Clock {
        clock(&self.wall, &self.up, &self.boot)
    }

    pub fn person(&self) -> Caller {
        self.gate.person_cli().expect("a person")
    }

    /// A new agent; what is off by its ceiling's default is on for it, but for `lowered`.
    pub async fn agent(&self, name: &str) -> Caller {
        let token = self
            .done(
                &self.person(),
                "add_agent",
                serde_json::json!({ "name": name }),
                Confirmation::Yes,
            )
            .await;
        let token = token["token"].as_str().expect("a token").to_owned();
        self.gate.authenticate(&token, Door::Mcp).expect("an agent")
    }

    pub async fn expose(&self, operation: &str, exposure: &str) {
        let input = serde_json::json!({ "operation": operation, "exposure": exposure });
        self.done(&self.person(), "set_operation_exposure", input, Confirmation::Yes)
            .await;
    }

    pub async fn set(&self, name: &str, value: &str) {
        let input = serde_json::json!({ "name": name, "value": value });
        self.done(&self.person(), "set_setting", input, Confirmation::Yes)
            .await;
    }

    /// An agent that may mark, flag and undo.
    pub async fn organiser(&self) -> Caller {
        for operation in ["mark_read", "mark_unread", "flag_things", "undo"] {
            self.expose(operation, "on").await;
        }
        self.agent("organiser").await
    }

    pub async fn call(
        &self,
        caller: &Caller,
        operation: &str,
        input: Value,
        c: Confirmation,
    ) -> Result<Answer> {
        self.gate.call(caller, operation, Input::Value(input), c).await
    }

    #[track_caller]
    fn expect_done(answer: Result<Answer>) -> Value {
        match answer.expect("done") {
            Answer::Done { output, .. } => output,
            Answer::Proposed(p) => panic!("only proposed: {p:?}"),
        }
    }

    pub async fn done(&self, caller: &Caller, operation: &str, input: Value, c: Confirmation) -> Value {
        World::expect_done(self.call(caller, operation, input, c).await)
    }

    pub async fn read(&self, caller: &Caller, operation: &str, input: Value) -> Value {
        self.done(caller, operation, input, Confirmation::None).await
    }

    pub async fn refused(&self, caller: &Caller, operation: &str, input: Value, c: Confirmation) -> Error {
        self.call(caller, operation, input, c).await.expect_err("refused")
    }

    pub async fn proposed(&self, caller: &Caller, operation: &str, input: Value) -> Proposal {
        match self
            .call(caller, operation, input, Confirmation::None)
            .await
            .expect("proposed")
        {
            Answer::Proposed(p) => p,
            Answer::Done { output, .. } => panic!("done at once: {output}"),
        }
    }

    pub fn is_read(&self, id: &str) -> bool {
        self.state.lock().expect("the state").things[id].read
    }

    pub fn applied(&self) -> usize {
        self.state.lock().expect("the state").applied.len()
    }

    /// One value of the gate's own tables.
    pub fn sql<T: oaken_store::rusqlite::types::FromSql>(&self, sql: &str) -> T {
        use oaken_store::OrFault;
        self.store
            .read(|c| c.query_row(sql, [], |r| r.get(0)).or_fault())
            .expect("a value")
    }

    /// How many rows the log has of a kind, an operation and an outcome.
    pub fn logged(&self, kind: &str, operation: &str, outcome: Option<&str>) -> i64 {
        use oaken_store::OrFault;
        self.store
            .read(|c| {
                c.query_row(
                    "SELECT count(*) FROM audit_row WHERE kind = ?1 AND operation = ?2 AND outcome IS ?3",
                    (kind, operation, outcome),
                    |r| r.get(0),
                )
                .or_fault()
            })
            .expect("a count")
    }

    pub fn whole(&self) -> bool {
        oaken_gate::governance::audit::verify(self.gate.governance(), None)
            .expect("verified")
            .broken_at
            .is_none()
    }
}

pub fn token(proposal: &Proposal) -> Confirmation {
    Confirmation::Token(proposal.proposal_token.clone())
}

/// A token that nothing knows.
pub fn unknown_token() -> String {
    IssuedSecret::random("oak_once").reveal().to_owned()
}

pub fn agent_id(caller: &Caller) -> AgentId {
    caller.agent().expect("an agent").clone()
}
