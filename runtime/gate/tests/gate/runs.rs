//! Check 5: intent before, outcome after; what fails, panics, or dies in between.

use oaken_core::{Answer, Code, Confirmation};
use oaken_store::{Durability, OrFault};
use serde_json::json;

use crate::world::{M1, World, token};

fn misbehave(w: &World, how: &'static str) {
    w.state.lock().expect("the state").misbehave = Some(how);
}

fn mark() -> serde_json::Value {
    json!({ "target": { "ids": [M1] } })
}

#[tokio::test]
async fn a_change_has_its_intent_and_its_outcome_with_ids_and_states() {
    let w = World::new();
    let agent = w.organiser().await;
    let p = w.proposed(&agent, "mark_read", mark()).await;
    w.done(&agent, "mark_read", mark(), token(&p)).await;
    assert_eq!(w.logged("intent", "mark_read", None), 1);
    assert_eq!(w.logged("outcome", "mark_read", Some("done")), 1);
    assert_eq!(w.logged("read", "mark_read", Some("proposed")), 1);
    let detail: String =
        w.sql("SELECT detail FROM audit_row WHERE kind = 'intent' AND operation = 'mark_read'");
    assert_eq!(
        detail,
        format!(r#"[{{"of":"{M1}","what":"read","before":"false","after":"true"}}]"#)
    );
    let same: i64 = w.sql(
        "SELECT i.seq = o.intent AND i.entry = o.entry AND i.caller = o.caller FROM audit_row i, audit_row o \
         WHERE i.kind = 'intent' AND i.operation = 'mark_read' AND o.kind = 'outcome' AND o.operation = 'mark_read'",
    );
    assert_eq!(same, 1);
    let state = w.state.lock().expect("the state");
    let entry: String =
        w.sql("SELECT entry FROM audit_row WHERE kind = 'intent' AND operation = 'mark_read'");
    assert_eq!(state.applied[0].1, entry);
    assert_eq!(w.sql::<i64>("SELECT count(*) FROM open_intent_row"), 0);
}

#[tokio::test]
async fn what_fails_says_its_code_changes_nothing_and_is_in_the_log() {
    for (how, code, outcome) in [
        ("apply fails", Code::RemoteRefused, "remote_refused"),
        ("apply panics", Code::Unconfirmed, "unconfirmed"),
        ("commit is stale", Code::Stale, "stale"),
        ("commit fails", Code::Unconfirmed, "unconfirmed"),
    ] {
        let w = World::new();
        misbehave(&w, how);
        let e = w
            .refused(&w.person(), "mark_read", mark(), Confirmation::Yes)
            .await;
        assert_eq!((e.code(), w.is_read(M1)), (code, false), "{how}");
        assert_eq!(w.logged("outcome", "mark_read", Some(outcome)), 1, "{how}");
        assert_eq!(w.sql::<i64>("SELECT count(*) FROM open_intent_row"), 0, "{how}");
        assert!(w.whole());
        // The gate is as good as before.
        w.state.lock().expect("the state").misbehave = None;
        w.done(&w.person(), "mark_read", mark(), Confirmation::Yes).await;
    }
}

#[tokio::test]
async fn a_change_is_never_undone_by_a_fault_in_its_answer() {
    let w = World::new();
    misbehave(&w, "bad output");
    let e = w
        .refused(&w.person(), "mark_read", mark(), Confirmation::Yes)
        .await;
    assert_eq!(e.code(), Code::Internal);
    assert!(e.message().contains("The change was made"), "{e}");
    assert!(w.is_read(M1));
    assert_eq!(w.logged("outcome", "mark_read", Some("done")), 1);
}

#[tokio::test]
async fn no_row_no_call() {
    let w = World::new();
    let agent = w.agent("a").await;
    w.store
        .write(Durability::Full, |tx| {
            tx.execute_batch(
                "CREATE TRIGGER full BEFORE INSERT ON audit_row BEGIN SELECT RAISE(ABORT, 'full'); END",
            )
            .or_fault()
        })
        .expect("a log that takes nothing");
    let e = w
        .refused(&w.person(), "mark_read", mark(), Confirmation::Yes)
        .await;
    assert_eq!((e.code(), w.applied(), w.is_read(M1)), (Code::Internal, 0, false));
    let e = w
        .refused(
            &agent,
            "read_things",
            json!({ "message_ids": [M1] }),
            Confirmation::None,
        )
        .await;
    assert_eq!(e.code(), Code::Internal);
}

#[tokio::test]
async fn what_a_crash_left_open_is_unconfirmed_and_what_still_runs_is_left_alone() {
    let w = World::new();
    let agent = w.organiser().await;
    let p = w.proposed(&agent, "mark_read", mark()).await;
    // A process that died between the intent and the outcome: its rows, without its end.
    w.store
        .write(Durability::Full, |tx| {
            tx.execute_batch(
                "CREATE TRIGGER dies BEFORE INSERT ON audit_row WHEN NEW.kind = 'outcome' \
                 BEGIN SELECT RAISE(ABORT, 'dead'); END",
            )
            .or_fault()
        })
        .expect("a crash");
    let e = w.refused(&agent, "mark_read", mark(), token(&p)).await;
    assert_eq!(e.code(), Code::Unconfirmed);
    let open = |w: &World| w.sql::<i64>("SELECT count(*) FROM open_intent_row");
    assert_eq!(open(&w), 1);
    let process = |w: &World, is: &str| {
        let set = format!("UPDATE open_intent_row SET process = {is}");
        w.store
            .write(Durability::Full, |tx| tx.execute(&set, []).or_fault())
            .expect("set");
    };
    // While it cannot be written that its process is gone (the disk is full), it stays open and the gate opens.
    process(&w, "'gone 1 1 ' || process");
    let w = w.reopen();
    assert_eq!(open(&w), 1);
    process(&w, "replace(process, 'gone 1 1 ', '')");
    w.store
        .write(Durability::Full, |tx| {
            tx.execute_batch("DROP TRIGGER dies").or_fault()
        })
        .expect("mended");

    // As long as its process runs, nobody settles it.
    let w = w.reopen();
    assert_eq!(open(&w), 1);
    process(&w, "'gone 1 1'");
    let w = w.reopen();
    assert_eq!(
        (open(&w), w.logged("outcome", "mark_read", Some("unconfirmed"))),
        (0, 1)
    );
    assert!(w.whole());
    let state = w
        .read(
            &w.person(),
            "get_proposal",
            json!({ "proposal_id": p.proposal_id }),
        )
        .await;
    assert_eq!(state["state"], "unconfirmed");
    // The token stays used.
    let e = w.refused(&agent, "mark_read", mark(), token(&p)).await;
    assert_eq!(e.code(), Code::Refused);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_who_goes_away_does_not_stop_a_change_half_way() {
    let w = World::new();
    let (gate, person) = (w.gate.clone(), w.person());
    let other = oaken_store::rusqlite::Connection::open(w.store.path()).expect("another process");
    other.execute_batch("BEGIN IMMEDIATE").expect("its lock");
    let calling = tokio::spawn(async move {
        gate.call(
            &person,
            "mark_read",
            oaken_gate::Input::Value(mark()),
            Confirmation::Yes,
        )
        .await
    });
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    calling.abort();
    assert!(calling.await.is_err());
    other.execute_batch("ROLLBACK").expect("let go");
    for _ in 0..100 {
        if w.logged("outcome", "mark_read", Some("done")) == 1 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(w.logged("outcome", "mark_read", Some("done")), 1);
    assert!(w.is_read(M1));
}

#[tokio::test]
async fn what_is_so_already_is_no_entry_to_undo() {
    let w = World::new();
    let entry = async || match w.call(&w.person(), "mark_read", mark(), Confirmation::Yes).await {
        Ok(Answer::Done { entry, .. }) => entry,
        other => panic!("{other:?}"),
    };
    let first = entry().await.expect("an entry");
    assert_eq!(entry().await, None);
    let named: i64 =
        w.sql("SELECT count(*) FROM audit_row WHERE operation = 'mark_read' AND entry IS NOT NULL");
    assert_eq!(named, 2, "the intent and the outcome of {first}");
    assert_eq!(w.logged("outcome", "mark_read", Some("done")), 2);
}
