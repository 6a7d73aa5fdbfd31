//! The gate's share of a read: each handler's body is wrapped with a clock, and the rest of the call is the gate's.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use oaken_core::{Answer, Confirmation};
use oaken_gate::{Body, Caller, Entry, Gate, Governance, Input, Keys};
use oaken_mail::{MailDirectory, Services};
use oaken_store::{MIGRATIONS, Store};
use serde_json::{Value, json};

use crate::median;

const CALLS: usize = 2_000;

/// Measures on the mail in a data directory, whose keys lie beside it.
pub fn measure(data: &Path) {
    let handler_time = Arc::new(AtomicU64::new(0));
    let gate = open(data, &handler_time);
    let caller = gate.person_cli().expect("a person");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let listed = runtime.block_on(call(&gate, &caller, "list_messages", json!({})));
    let message = listed["messages"][0]["message_id"].clone();
    println!(
        "| read in process, person | handler, µs | with the gate, µs | the gate, µs |\n|---|---|---|---|"
    );
    for (operation, input) in [
        ("list_accounts", json!({})),
        ("mailbox_counts", json!({})),
        ("list_messages", json!({})),
        ("read_message", json!({ "message_ids": [message] })),
    ] {
        let (mut handler, mut whole, mut rest) = (vec![], vec![], vec![]);
        for _ in 0..CALLS {
            let begin = Instant::now();
            runtime.block_on(call(&gate, &caller, operation, input.clone()));
            let all = begin.elapsed().as_nanos() as f64 / 1e3;
            let inside = handler_time.load(Ordering::Relaxed) as f64 / 1e3;
            handler.push(inside);
            whole.push(all);
            rest.push(all - inside);
        }
        println!(
            "| {operation} | {:.1} | {:.1} | {:.1} |",
            median(handler),
            median(whole),
            median(rest)
        );
    }
}

async fn call(gate: &Gate, caller: &Caller, operation: &str, input: Value) -> Value {
    match gate
        .call(caller, operation, Input::Value(input), Confirmation::None)
        .await
    {
        Ok(Answer::Done { output, .. }) => output,
        _ => panic!("{operation} was not done"),
    }
}

fn open(data: &Path, handler_time: &Arc<AtomicU64>) -> Gate {
    let mut keys = data.as_os_str().to_owned();
    keys.push(".keys");
    let keys = Path::new(&keys);
    let store = Arc::new(Store::open(&data.join("oaken.db"), MIGRATIONS).expect("a database"));
    let directory = Arc::new(MailDirectory::new(store.clone()));
    let governance = Governance::new(
        store.clone(),
        Keys::load_or_create(keys).expect("keys"),
        directory,
    );
    let services = Services::open(store, governance.clone(), data, keys).expect("services");
    let entries = oaken_operations::entries(&services)
        .into_iter()
        .map(|e| timed(e, handler_time))
        .collect();
    Gate::new(governance, entries).expect("a gate")
}

fn timed(entry: Entry, handler_time: &Arc<AtomicU64>) -> Entry {
    let Entry { descriptor, body } = entry;
    let Body::Read(run) = body else {
        return Entry { descriptor, body };
    };
    let clock = handler_time.clone();
    let body = Body::Read(Box::new(move |grant, input| {
        let (begin, clock) = (Instant::now(), clock.clone());
        let running = run(grant, input);
        Box::pin(async move {
            let output = running.await;
            clock.store(begin.elapsed().as_nanos() as u64, Ordering::Relaxed);
            output
        })
    }));
    Entry { descriptor, body }
}
