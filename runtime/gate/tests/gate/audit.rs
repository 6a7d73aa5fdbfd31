//! The log as a chain: any byte that is flipped in it shows, any row that goes, and any cut at its end against a head.

use oaken_core::Confirmation;
use oaken_gate::governance::audit::{self, Filter};
use oaken_store::rusqlite::Connection;
use oaken_store::rusqlite::types::Value as Sql;
use serde_json::json;

use crate::world::{M1, WORK, World, token};

async fn busy_world() -> World {
    let w = World::new();
    let agent = w.organiser().await;
    let input = json!({ "target": { "ids": [M1] } });
    let p = w.proposed(&agent, "mark_read", input.clone()).await;
    w.done(&agent, "mark_read", input.clone(), token(&p)).await;
    w.refused(&agent, "mark_read", input, token(&p)).await;
    w.refused(&agent, "no_such", json!({}), Confirmation::None).await;
    w.read(&agent, "list_things", json!({ "account_id": WORK })).await;
    w
}

/// Writes past the triggers, as one with the file in hand can.
fn tamper(w: &World) -> Connection {
    let c = Connection::open(w.store.path()).expect("the file");
    c.execute_batch("DROP TRIGGER IF EXISTS audit_kept_update; DROP TRIGGER IF EXISTS audit_kept_delete;")
        .expect("dropped");
    c
}

#[tokio::test]
async fn any_value_of_any_row_that_differs_breaks_the_chain_at_that_row() {
    let w = busy_world().await;
    assert!(w.whole());
    let c = tamper(&w);
    let columns = [
        "at",
        "kind",
        "door",
        "caller",
        "operation",
        "class",
        "intent",
        "entry",
        "proposal",
        "outcome",
        "count",
        "detail",
        "mac",
    ];
    let last: i64 = w.sql("SELECT max(seq) FROM audit_row");
    let mut flipped = 0;
    for seq in 1..=last {
        for column in columns {
            let get = format!("SELECT {column} FROM audit_row WHERE seq = {seq}");
            let before: Sql = c.query_row(&get, [], |r| r.get(0)).expect("a value");
            let after = match &before {
                Sql::Null if column == "intent" => Sql::Integer(0),
                Sql::Null => Sql::Text(String::new()),
                Sql::Integer(n) => Sql::Integer(n ^ 1),
                Sql::Text(_) if column == "kind" => continue,
                Sql::Text(s) => {
                    let mut bytes = s.clone().into_bytes();
                    let n = bytes.len() / 2;
                    bytes[n] = if bytes[n] == b'x' { b'y' } else { b'x' };
                    Sql::Text(String::from_utf8(bytes).expect("ASCII"))
                }
                Sql::Blob(b) => {
                    let mut b = b.clone();
                    b[31] ^= 1;
                    Sql::Blob(b)
                }
                Sql::Real(_) => unreachable!("no column is real"),
            };
            let set = format!("UPDATE audit_row SET {column} = ?1 WHERE seq = {seq}");
            c.execute(&set, [&after]).expect("tampered");
            let verified = audit::verify(w.gate.governance(), None).expect("verified");
            assert_eq!(verified.broken_at, Some(seq), "{column} of row {seq}");
            c.execute(&set, [&before]).expect("mended");
            flipped += 1;
        }
    }
    assert!(flipped > 150 && w.whole(), "{flipped}");
}

#[tokio::test]
async fn rows_that_go_change_places_or_are_slipped_in_show() {
    let w = busy_world().await;
    let last: i64 = w.sql("SELECT max(seq) FROM audit_row");
    let (seq, head) = audit::head(w.gate.governance()).expect("read").expect("a head");
    assert_eq!(seq, last);
    let broken = |head| {
        audit::verify(w.gate.governance(), head)
            .expect("verified")
            .broken_at
    };
    assert_eq!(broken(Some((seq, head.as_str()))), None);
    let c = tamper(&w);
    let copy = "CREATE TEMP TABLE kept AS SELECT * FROM audit_row;";
    let back = "DELETE FROM audit_row; INSERT INTO audit_row SELECT * FROM kept;";
    c.execute_batch(copy).expect("kept");
    c.execute_batch("PRAGMA foreign_keys = OFF").expect("off");
    for (change, expected) in [
        ("DELETE FROM audit_row WHERE seq = 3", Some(3)),
        ("DELETE FROM audit_row WHERE seq = 1", Some(1)),
        (
            "UPDATE audit_row SET seq = -1 WHERE seq = 3; UPDATE audit_row SET seq = 3 WHERE seq = 4; UPDATE audit_row SET seq = 4 WHERE seq = -1",
            Some(3),
        ),
        (
            "INSERT INTO audit_row SELECT 1 + (SELECT max(seq) FROM audit_row), at, kind, door, caller, operation, class, intent, entry, proposal, outcome, count, detail, mac FROM audit_row WHERE seq = 2",
            Some(last + 1),
        ),
    ] {
        c.execute_batch(change).expect("tampered");
        assert_eq!(broken(None), expected, "{change}");
        c.execute_batch(back).expect("mended");
    }
    // Rows taken off the end leave a whole chain; a head kept elsewhere tells.
    c.execute("DELETE FROM audit_row WHERE seq = ?1", [last])
        .expect("tampered");
    assert_eq!(broken(None), None);
    assert_eq!(broken(Some((seq, head.as_str()))), Some(last));
}

#[tokio::test]
async fn the_tables_themselves_refuse_to_change_or_forget_a_row() {
    let w = busy_world().await;
    let c = Connection::open(w.store.path()).expect("the file");
    assert!(c.execute("UPDATE audit_row SET count = 7", []).is_err());
    assert!(c.execute("DELETE FROM audit_row", []).is_err());
    assert!(w.whole());
}

#[tokio::test]
async fn a_person_lists_it_newest_first_by_agent_operation_time_and_place() {
    let w = busy_world().await;
    let g = w.gate.governance();
    let (rows, total) = audit::list(g, &Filter::default(), 3).expect("rows");
    assert_eq!(
        (rows.len() as i64, total),
        (3, w.sql("SELECT count(*) FROM audit_row"))
    );
    assert_eq!(
        (
            rows[0].operation.as_str(),
            rows[0].stage,
            rows[0].who.as_str(),
            rows[0].count
        ),
        ("list_things", "read", "organiser", 2)
    );
    assert_eq!(
        (rows[1].operation.as_str(), rows[1].outcome.as_deref()),
        ("-", Some("not_available"))
    );
    let filter = Filter {
        operation: Some("mark_read".into()),
        ..Filter::default()
    };
    let (rows, total) = audit::list(g, &filter, 50).expect("rows");
    assert_eq!(total, 3);
    assert_eq!(
        rows.iter().map(|r| r.stage).collect::<Vec<_>>(),
        ["outcome", "intent", "read"]
    );
    assert!(rows[0].entry.is_some());
    let filter = Filter {
        before_seq: Some(rows[0].seq),
        ..filter
    };
    assert_eq!(audit::list(g, &filter, 50).expect("rows").0.len(), 2);
    let (rows, _) = audit::list(
        g,
        &Filter {
            agent: oaken_core::AgentId::parse("ag_vvvvvvvvvv"),
            ..Filter::default()
        },
        50,
    )
    .expect("rows");
    assert!(rows.is_empty());
    let (first, _) = audit::list(
        g,
        &Filter {
            before_seq: Some(3),
            ..Filter::default()
        },
        50,
    )
    .expect("rows");
    assert!(first.iter().all(|r| r.who == "person"));
}

#[tokio::test]
async fn a_row_of_another_course_of_events_does_not_fit_even_under_the_right_key() {
    let w = busy_world().await;
    let agent = w.agent("b").await;
    let last: i64 = w.sql("SELECT max(seq) FROM audit_row");
    w.read(&agent, "list_things", json!({ "account_id": WORK })).await;
    let c = tamper(&w);
    // As after a restore from a backup: the same number, written twice, with different rows.
    c.execute_batch("CREATE TEMP TABLE other AS SELECT * FROM audit_row ORDER BY seq DESC LIMIT 1")
        .expect("kept");
    c.execute("DELETE FROM audit_row WHERE seq > ?1", [last])
        .expect("back");
    w.read(&agent, "read_things", json!({ "message_ids": [M1] }))
        .await;
    w.read(&agent, "read_things", json!({ "message_ids": [M1] }))
        .await;
    assert!(w.whole());
    c.execute("DELETE FROM audit_row WHERE seq = ?1", [last + 1])
        .expect("out");
    c.execute_batch("INSERT INTO audit_row SELECT * FROM other")
        .expect("in");
    let verified = audit::verify(w.gate.governance(), None).expect("verified");
    assert_eq!(verified.broken_at, Some(last + 2));
}

#[tokio::test]
async fn a_process_walks_on_from_where_it_was_and_a_full_walk_finds_what_was_changed_before() {
    let w = busy_world().await;
    let g = w.gate.governance();
    let check = || audit::check(g).expect("checked");
    let first = check();
    assert_eq!(
        (first.broken_at, first.rows),
        (None, w.sql("SELECT max(seq) FROM audit_row"))
    );
    w.done(
        &w.person(),
        "flag_things",
        json!({ "target": { "ids": [M1] } }),
        Confirmation::Yes,
    )
    .await;
    assert_eq!(check().rows, first.rows + 2);

    // Before the place it remembers: only a full walk tells. After it: both do.
    let c = tamper(&w);
    c.execute("UPDATE audit_row SET at = at + 1 WHERE seq = 2", [])
        .expect("tampered");
    assert_eq!(check().broken_at, None);
    assert_eq!(audit::verify(g, None).expect("verified").broken_at, Some(2));
    c.execute("UPDATE audit_row SET at = at - 1 WHERE seq = 2", [])
        .expect("mended");
    w.done(
        &w.person(),
        "mark_unread",
        json!({ "target": { "ids": [M1] } }),
        Confirmation::Yes,
    )
    .await;
    let new = first.rows + 3;
    c.execute("UPDATE audit_row SET at = at + 1 WHERE seq = ?1", [new])
        .expect("tampered");
    // What is broken is not remembered as whole: it stays so at every look.
    assert_eq!((check().broken_at, check().broken_at), (Some(new), Some(new)));
    c.execute("UPDATE audit_row SET at = at - 1 WHERE seq = ?1", [new])
        .expect("mended");
    assert_eq!((check().broken_at, check().rows), (None, first.rows + 4));

    // Rows taken off the end, the remembered one among them.
    c.execute_batch("PRAGMA foreign_keys = OFF").expect("off");
    c.execute("DELETE FROM audit_row WHERE seq > ?1", [first.rows])
        .expect("tampered");
    assert_eq!(audit::verify(g, None).expect("verified").broken_at, None);
    assert_eq!(check().broken_at, Some(first.rows + 1));
}
