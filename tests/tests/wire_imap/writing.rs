//! Flags on Dovecot. Leave to change comes from a real gate: nothing else makes a `Confirmed`, not even a test.

use std::sync::{Arc, Mutex};

use oaken_core::{
    Answer, Approval, Ceiling, Change, Class, Cli, Confirmation, Descriptor, Error, IdKind, Mcp, McpResult,
    Preview, Result,
};
use oaken_gate::{
    AccountKey, Applied, Body, ChangeFns, Changes, Commit, Confirmed, Directory, Entry, Gate, Governance,
    Grant, Input, Keys, MarksRead, Previewed,
};
use oaken_store::{MIGRATIONS, Store};
use oaken_tests::dovecot::Dovecot;
use oaken_wire_imap::{
    Keyword, NotChanged, Outcome, Reader, Reason, Session, Settable, Stored, TlsMode, WireError, Writer,
};

use crate::{message, reader, session};

/// What a change does with its leave.
type Act<E> = Box<dyn Fn(Confirmed<E>) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

struct Nobody;

impl Directory for Nobody {
    fn accounts_in(&self, _: &[String]) -> Result<Vec<AccountKey>> {
        Ok(vec![])
    }
    fn all_accounts(&self) -> Result<Vec<AccountKey>> {
        Ok(vec![])
    }
    fn workspaces(&self) -> Result<Vec<String>> {
        Ok(vec![])
    }
    fn resolve(&self, _: &Grant, ids: &[(IdKind, &str)]) -> Result<Vec<bool>> {
        Ok(vec![false; ids.len()])
    }
}

static CHANGE: Descriptor = descriptor("change_flags", false).checked();
static MARK: Descriptor = descriptor("mark_read", true).checked();

const fn descriptor(name: &'static str, marks_read: bool) -> Descriptor {
    Descriptor {
        name,
        area: "messages",
        title: "Change",
        summary: "Changes flags in a test.",
        description: "",
        class: Class::Mutate,
        ceiling: Ceiling::Off,
        marks_read,
        preview: true,
        destroys: false,
        approval: Approval::Agent,
        presence: None,
        schedulable: false,
        undo: None,
        mcp: Mcp {
            tool: name,
            action: None,
            result: McpResult::Structured,
        },
        cli: Cli {
            path: &[],
            positional: &[],
            only: false,
        },
        input: &[],
        output: &[],
        examples: &[],
        digest: name,
    }
}

fn fns<E: 'static>(act: Act<E>) -> ChangeFns<E> {
    let act = Arc::new(act);
    ChangeFns {
        preview: Box::new(|_, _| {
            Box::pin(async {
                let change = Change::new("test", "flags", "before", "after");
                Ok(Previewed {
                    preview: Preview {
                        changes: vec![change],
                    },
                    plan: Box::new(()),
                })
            })
        }),
        apply: Box::new(move |leave, _, _| {
            let act = Arc::clone(&act);
            Box::pin(async move {
                act(leave).await;
                Ok::<_, Error>(Applied {
                    output: serde_json::json!({}),
                    commit: Commit::nothing(),
                })
            })
        }),
        narrow: None,
        part: None,
    }
}

/// Calls an operation whose body is `act`, as a person who confirms.
async fn confirmed(body: impl FnOnce() -> Entry) {
    let dir = tempfile::tempdir().expect("a directory");
    let store = Store::open(&dir.path().join("data/oaken.db"), MIGRATIONS).expect("a store");
    let keys = Keys::load_or_create(&dir.path().join("keys")).expect("keys");
    let governance = Governance::new(Arc::new(store), keys, Arc::new(Nobody));
    let entry = body();
    let name = entry.descriptor.name;
    let gate = Gate::new(governance, vec![entry]).expect("a gate");
    let person = gate.person_cli().expect("a person");
    let answer = gate
        .call(
            &person,
            name,
            Input::Value(serde_json::json!({})),
            Confirmation::Yes,
        )
        .await;
    assert!(matches!(answer, Ok(Answer::Done { .. })), "{answer:?}");
}

/// Runs `act` with leave to change, and gives what it made.
async fn with_changes<T, F>(act: impl Fn(Confirmed<Changes>) -> F + Send + Sync + 'static) -> T
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let made = Arc::new(Mutex::new(None));
    let into = Arc::clone(&made);
    let act: Act<Changes> = Box::new(move |leave| {
        let (doing, into) = (act(leave), Arc::clone(&into));
        Box::pin(async move {
            let made = doing.await;
            *into.lock().expect("no panic") = Some(made);
        })
    });
    confirmed(|| Entry {
        descriptor: &CHANGE,
        body: Body::Mutate(fns(act)),
    })
    .await;
    made.lock().expect("no panic").take().expect("the operation ran")
}

/// Runs `act` with leave to mark read, and gives what it made.
async fn with_marks_read<T, F>(act: impl Fn(Confirmed<MarksRead>) -> F + Send + Sync + 'static) -> T
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let made = Arc::new(Mutex::new(None));
    let into = Arc::clone(&made);
    let act: Act<MarksRead> = Box::new(move |leave| {
        let (doing, into) = (act(leave), Arc::clone(&into));
        Box::pin(async move {
            let made = doing.await;
            *into.lock().expect("no panic") = Some(made);
        })
    });
    confirmed(|| Entry {
        descriptor: &MARK,
        body: Body::MarksRead(fns(act)),
    })
    .await;
    made.lock().expect("no panic").take().expect("the operation ran")
}

async fn alice(server: &Dovecot) -> Session {
    session(server, TlsMode::Implicit, "alice")
        .await
        .expect("logs in")
}

/// UIDVALIDITY and HIGHESTMODSEQ of a folder.
async fn opened(server: &Dovecot, folder: &str) -> (u32, u64) {
    let state = reader(server, "alice")
        .await
        .examine(folder, true)
        .await
        .expect("opens");
    (state.uid_validity, state.highest_modseq.expect("kept"))
}

/// One session, for a closure that may only be called once but must be `Fn`.
fn once(session: Session) -> Arc<Mutex<Option<Session>>> {
    Arc::new(Mutex::new(Some(session)))
}

fn take(session: &Arc<Mutex<Option<Session>>>) -> Session {
    session.lock().expect("no panic").take().expect("taken once")
}

fn words(stored: &Stored) -> Vec<(u32, &'static str)> {
    let word = |o: &Outcome| match o {
        Outcome::Done { modseq: Some(_) } => "done",
        Outcome::Done { modseq: None } => "done without modseq",
        Outcome::AlreadySo => "already",
        Outcome::NotThere => "not there",
        Outcome::NotChanged(NotChanged::Modified) => "modified",
        Outcome::NotChanged(_) => "not changed",
        Outcome::Unconfirmed => "unconfirmed",
        Outcome::NotTried => "not tried",
    };
    stored.outcomes.iter().map(|(uid, o)| (*uid, word(o))).collect()
}

#[tokio::test]
async fn marking_read_and_unread_tells_each_message_apart() {
    let server = Dovecot::start(&["alice"]);
    for (n, flags) in [(1, ""), (2, "S"), (3, "F")] {
        server.deliver("alice", "INBOX", flags, &message(n));
    }
    let (validity, _) = opened(&server, "INBOX").await;
    let kept = once(alice(&server).await);
    let stored = with_marks_read(move |leave| {
        let session = take(&kept);
        async move {
            let mut writer = Writer::open(session, "INBOX", validity, &leave)
                .await
                .expect("opens");
            writer.add_seen(&leave, &[1, 2, 9], None).await
        }
    })
    .await;
    assert_eq!(stored.failure, None);
    assert_eq!(words(&stored), [(1, "done"), (2, "already"), (9, "not there")]);
    let flags = |n: usize| {
        server.files("alice", "INBOX")[n]
            .rsplit(',')
            .next()
            .map(str::to_owned)
    };
    assert_eq!(
        (flags(0), flags(1), flags(2)),
        (Some("S".into()), Some("S".into()), Some("F".into()))
    );

    let kept = once(alice(&server).await);
    let stored = with_changes(move |leave| {
        let session = take(&kept);
        async move {
            let mut writer = Writer::open(session, "INBOX", validity, &leave)
                .await
                .expect("opens");
            writer.remove_seen(&leave, &[1, 3], None).await
        }
    })
    .await;
    assert_eq!(words(&stored), [(1, "done"), (3, "already")]);
    assert_eq!(flags(0), Some(String::new()));
}

#[tokio::test]
async fn flags_change_and_a_change_by_somebody_else_is_kept() {
    let server = Dovecot::start(&["alice"]);
    for n in 1..=3 {
        server.deliver("alice", "INBOX", "", &message(n));
    }
    let (validity, since) = opened(&server, "INBOX").await;
    server.reflag("alice", "INBOX", 1, "S");
    let kept = once(alice(&server).await);
    let (stored, plain) = with_changes(move |leave| {
        let session = take(&kept);
        async move {
            let mut writer = Writer::open(session, "INBOX", validity, &leave)
                .await
                .expect("opens");
            let keyword = Settable::Keyword(Keyword::new("$Oaken").expect("an atom"));
            let flags = [Settable::Flagged, keyword];
            let guarded = writer
                .store_flags(&leave, &[1, 2, 3], &flags, &[], Some(since))
                .await;
            let plain = writer
                .store_flags(&leave, &[1, 2], &[Settable::Answered], &[Settable::Flagged], None)
                .await;
            (guarded, plain)
        }
    })
    .await;
    assert_eq!(
        (&stored.failure, words(&stored)),
        (&None, vec![(1, "done"), (2, "modified"), (3, "done")])
    );
    assert_eq!(
        (&plain.failure, words(&plain)),
        (&None, vec![(1, "done"), (2, "done")])
    );
    let mut reader = Reader::new(alice(&server).await);
    reader.examine("INBOX", true).await.expect("opens");
    let mut flags = vec![];
    reader
        .fetch_flags(oaken_wire_imap::UidRange::all(), None, |f| flags.push(f.flags))
        .await
        .expect("fetches");
    assert_eq!(
        flags,
        [
            vec!["$Oaken", "\\Answered"],
            vec!["\\Answered", "\\Seen"],
            vec!["$Oaken", "\\Flagged"]
        ]
    );
    let stores: Vec<String> = server
        .client_lines()
        .into_iter()
        .filter(|l| l.contains(" STORE "))
        .collect();
    assert!(
        !stores.is_empty()
            && stores
                .iter()
                .all(|l| !l.contains("Seen") && !l.contains("Deleted")),
        "{stores:?}"
    );
}

#[tokio::test]
async fn a_folder_that_was_replaced_or_is_gone_is_not_written() {
    let server = Dovecot::start(&["alice"]);
    server.deliver("alice", "INBOX", "", &message(1));
    let (validity, _) = opened(&server, "INBOX").await;
    for (folder, given) in [("INBOX", validity + 1), ("no such folder", validity)] {
        let kept = once(alice(&server).await);
        let refused: std::result::Result<(), WireError> = with_changes(move |leave| {
            let session = take(&kept);
            async move { Writer::open(session, folder, given, &leave).await.map(|_| ()) }
        })
        .await;
        let e = refused.expect_err("refused");
        assert!(
            matches!(e.reason, Reason::UidValidityChanged | Reason::No(..)) && !e.unconfirmed,
            "{e:?}"
        );
    }
    assert!(!server.client_lines().iter().any(|l| l.contains(" STORE ")));
}
