//! One token, 32 callers at once, 200 rounds: one winner each. And rights that are taken away in between.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use oaken_core::{Code, Confirmation};
use oaken_gate::Input;
use serde_json::json;

use crate::world::{M1, World, token};

#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn of_32_callers_with_one_token_one_wins_200_times() {
    let w = Arc::new(World::new());
    let agent = w.organiser().await;
    let input = json!({ "target": { "ids": [M1] } });
    for round in 0..200 {
        w.state
            .lock()
            .expect("the state")
            .things
            .get_mut(M1)
            .expect("there")
            .read = false;
        let p = w.proposed(&agent, "mark_read", input.clone()).await;
        let before = w.applied();
        let (won, barrier) = (
            Arc::new(AtomicUsize::new(0)),
            Arc::new(tokio::sync::Barrier::new(32)),
        );
        let callers: Vec<_> = (0..32)
            .map(|_| {
                let (w, agent, input, t) = (w.clone(), agent.clone(), input.clone(), token(&p));
                let (won, barrier) = (won.clone(), barrier.clone());
                tokio::spawn(async move {
                    barrier.wait().await;
                    match w.gate.call(&agent, "mark_read", Input::Value(input), t).await {
                        Ok(_) => drop(won.fetch_add(1, Ordering::SeqCst)),
                        // A loser whose preview came after the winner's commit finds nothing as it was proposed.
                        Err(e) => assert!(matches!(e.code(), Code::Refused | Code::Stale), "{e}"),
                    }
                })
            })
            .collect();
        for caller in callers {
            caller.await.expect("no panic");
        }
        assert_eq!(
            (won.load(Ordering::SeqCst), w.applied() - before),
            (1, 1),
            "round {round}"
        );
    }
    assert!(w.whole());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_processes_over_one_database_have_one_winner_too() {
    // The second gate is what another process is: its own connections, caches and locks over the same file.
    let w = Arc::new(World::new());
    let agent = w.organiser().await;
    let second = Arc::new(w.beside());
    let input = json!({ "target": { "ids": [M1] } });
    for _ in 0..30 {
        w.state
            .lock()
            .expect("the state")
            .things
            .get_mut(M1)
            .expect("there")
            .read = false;
        let p = w.proposed(&agent, "mark_read", input.clone()).await;
        let call = |gate: oaken_gate::Gate| {
            let (agent, input, t) = (agent.clone(), input.clone(), token(&p));
            tokio::spawn(async move {
                gate.call(&agent, "mark_read", Input::Value(input), t)
                    .await
                    .is_ok()
            })
        };
        let (a, b) = (call(w.gate.clone()), call(second.as_ref().clone()));
        assert!(a.await.expect("no panic") ^ b.await.expect("no panic"));
    }
    assert!(w.whole());
}

#[tokio::test]
async fn what_another_process_lowers_holds_at_once_here() {
    let w = World::new();
    let agent = w.organiser().await;
    let second = w.beside();
    let read = json!({ "message_ids": [M1] });
    w.read(&agent, "read_things", read.clone()).await;
    let input = json!({ "operation": "read_things", "exposure": "off" });
    let person = second.person_cli().expect("a person");
    second
        .call(
            &person,
            "set_operation_exposure",
            Input::Value(input),
            Confirmation::Yes,
        )
        .await
        .expect("set");
    let e = w.refused(&agent, "read_things", read, Confirmation::None).await;
    assert_eq!(e.code(), Code::NotAvailable);
}

#[tokio::test]
async fn a_right_taken_away_between_the_preview_and_the_intent_stops_the_call() {
    let w = World::new();
    let agent = w.organiser().await;
    let input = json!({ "target": { "ids": [M1] } });
    let p = w.proposed(&agent, "mark_read", input.clone()).await;
    // The write lock is held by another process until it has lowered the right: the call has passed every check by then.
    let other = oaken_store::rusqlite::Connection::open(w.store.path()).expect("another process");
    other.execute_batch("BEGIN IMMEDIATE").expect("its lock");
    let gate = w.gate.clone();
    let (caller, t, i) = (agent.clone(), token(&p), input.clone());
    let calling = tokio::spawn(async move { gate.call(&caller, "mark_read", Input::Value(i), t).await });
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    other
        .execute(
            "UPDATE exposure_row SET offered = 0 WHERE operation = 'mark_read'",
            [],
        )
        .expect("lowered");
    other.execute_batch("COMMIT").expect("let go");
    let e = calling.await.expect("no panic").expect_err("refused");
    assert_eq!((e.code(), w.applied()), (Code::Stale, 0));
}
