//! Every list goes by an index: SQLite's own plans say so.

use oaken_core::model::MessageRow;
use oaken_store::OrFault;
use oaken_store::rusqlite::params_from_iter;
use oaken_store::rusqlite::types::Value;

use super::fixture::{Mail, New};
use crate::Reader;
use crate::reader::coverage::Reached;
use crate::reader::messages::Counted;
use crate::reader::scan::Key;
use crate::reader::{MailboxQuery, MessageQuery, View, mailbox, messages};

fn plan(reader: &Reader, sql: &str, params: &[Value]) -> Vec<String> {
    reader
        .with(|c| {
            let mut statement = c.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).or_fault()?;
            let steps = statement
                .query_map(params_from_iter(params), |r| r.get(3))
                .or_fault()?;
            steps
                .collect::<oaken_store::rusqlite::Result<Vec<String>>>()
                .or_fault()
        })
        .expect("a plan")
}

#[track_caller]
fn check(reader: &Reader, sql: &str, params: &[Value], index: &str) {
    let steps = plan(reader, sql, params);
    let all = steps.join("\n");
    assert!(
        !steps
            .iter()
            .any(|s| s.starts_with("SCAN") && !s.contains("json_each") && !s.contains("hit")),
        "{sql}\n{all}"
    );
    assert!(!all.contains("USE TEMP B-TREE FOR ORDER BY"), "{sql}\n{all}");
    assert!(
        !all.contains("MATERIALIZE") && !all.contains("CO-ROUTINE"),
        "{sql}\n{all}"
    );
    assert!(all.contains(index), "{index} is not used: {sql}\n{all}");
}

#[test]
fn lists_of_messages() {
    let mail = Mail::new();
    let (account, id) = mail.account("work", "default");
    let reader = mail.reader(&[account], 10);
    let accounts = [Reached {
        row: account,
        id,
        complete_back_to: None,
    }];
    let after = Some(Key {
        time: 5,
        row: 5,
        flags: None,
    });
    let inbox = Some(Counted {
        row: 1,
        total: 0,
        unread: 0,
        flagged: 0,
    });
    let q = MessageQuery::default();
    let since = Some(oaken_core::Timestamp::from_unix(1));
    for (query, folder, label, index) in [
        (q, None, None, "message_newest"),
        (
            MessageQuery {
                since,
                before: since,
                ..q
            },
            None,
            None,
            "message_newest",
        ),
        (
            MessageQuery {
                unread: Some(true),
                ..q
            },
            None,
            None,
            "message_unread",
        ),
        (
            MessageQuery {
                unread: Some(false),
                ..q
            },
            None,
            None,
            "message_newest",
        ),
        (
            MessageQuery {
                flagged: Some(true),
                ..q
            },
            None,
            None,
            "message_flagged",
        ),
        (q, inbox, None, "location_newest"),
        (
            MessageQuery {
                unread: Some(true),
                ..q
            },
            inbox,
            None,
            "location_unread",
        ),
        (
            MessageQuery {
                flagged: Some(true),
                since,
                ..q
            },
            inbox,
            None,
            "location_flagged",
        ),
        (q, inbox, Some(1), "location_newest"),
        (
            MessageQuery { from: Some("x"), ..q },
            inbox,
            None,
            "location_newest",
        ),
        (q, None, Some(1), "label_newest"),
    ] {
        for scan in messages::scans(&query, &accounts, folder, label) {
            for after in [None, after] {
                let (sql, params) = scan.page_sql(after, 51);
                check(&reader, &sql, &params, index);
            }
            let (_, params) = scan.page_sql(None, 1);
            check(&reader, &scan.count_sql(), &params[..params.len() - 1], index);
        }
    }
}

#[test]
fn a_total_is_counted_in_an_index_alone() {
    let mail = Mail::new();
    let (account, id) = mail.account("work", "default");
    let reader = mail.reader(&[account], 10);
    let accounts = [Reached {
        row: account,
        id,
        complete_back_to: None,
    }];
    let unread = MessageQuery {
        unread: Some(true),
        ..MessageQuery::default()
    };
    let flagged = MessageQuery {
        flagged: Some(true),
        ..MessageQuery::default()
    };
    for (query, index) in [(unread, "message_unread"), (flagged, "message_flagged")] {
        let sql = messages::scans(&query, &accounts, None, None)
            .remove(0)
            .count_sql();
        check(
            &reader,
            &sql,
            &[Value::Integer(1)],
            &format!("COVERING INDEX {index}"),
        );
    }
    let sql = mailbox::scan(account, &MailboxQuery::default()).count_sql();
    check(&reader, &sql, &[Value::Integer(1)], "COVERING INDEX thread_inbox");
}

#[test]
fn lists_of_threads() {
    let mail = Mail::new();
    let (account, _) = mail.account("work", "default");
    let reader = mail.reader(&[account], 10);
    for (view, index) in [
        (View::Inbox, "thread_inbox"),
        (View::Unread, "thread_unread"),
        (View::Flagged, "thread_flagged"),
        (View::Sent, "thread_sent"),
    ] {
        let scan = mailbox::scan(
            account,
            &MailboxQuery {
                view,
                ..MailboxQuery::default()
            },
        );
        for after in [
            None,
            Some(Key {
                time: 5,
                row: 5,
                flags: None,
            }),
        ] {
            let (sql, params) = scan.page_sql(after, 51);
            check(&reader, &sql, &params, index);
        }
    }
}

#[test]
fn what_is_read_by_an_id_or_a_row() {
    let mail = Mail::new();
    let (account, _) = mail.account("work", "default");
    let reader = mail.reader(&[account], 10);
    let one = [Value::Integer(1)];
    for (sql, index) in [
        (
            "SELECT row FROM message WHERE id = ?1",
            "sqlite_autoindex_message_row_1",
        ),
        (
            "SELECT row FROM message_once WHERE id = ?1",
            "sqlite_autoindex_message_row_1",
        ),
        (
            "SELECT count(*) FROM message m WHERE m.account = ?1 AND m.received > -9000000000000000000",
            "INDEX message_newest",
        ),
        (
            "SELECT m.row FROM message m WHERE m.thread = ?1 ORDER BY m.received, m.row",
            "message_thread",
        ),
        ("SELECT text FROM body WHERE message = ?1", "INTEGER PRIMARY KEY"),
        (
            "SELECT f.id FROM location l CROSS JOIN folder f ON f.row = l.folder WHERE l.message = ?1 ORDER BY l.row",
            "location_message",
        ),
        (
            "SELECT a.id, m.id FROM message m JOIN account a ON a.row = m.account WHERE m.row = ?1",
            "INTEGER PRIMARY KEY",
        ),
        (
            "SELECT m.row FROM json_each(?1) hit CROSS JOIN message m ON m.row = hit.value",
            "INTEGER PRIMARY KEY",
        ),
    ] {
        check(&reader, sql, &one, index);
    }
}

/// A bound on the work of a page, where a plan alone could deceive: the steps of SQLite's machine for a page of 20
/// do not grow with the mail.
#[test]
fn a_page_costs_the_same_in_a_larger_mailbox() {
    let mut steps = Vec::new();
    for count in [200, 2_000] {
        let mail = Mail::new();
        let (account, _) = mail.account("work", "default");
        let (inbox, _) = mail.folder(account, "INBOX", Some("inbox"));
        let (thread, _) = mail.thread(account);
        mail.put(account, inbox, thread, New::default());
        mail.write(|tx| {
            tx.execute(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                 INSERT INTO message_row (id, account, thread, content_hash, received, text_state, revision)
                 SELECT printf('m_%010d', i), account, thread, x'00', i, 'whole', 1 FROM n, message_row WHERE row = 1",
                [count],
            )
            .or_fault()
        });
        let reader = mail.reader(&[account], 20);
        let rows: Vec<MessageRow> = reader.messages(&MessageQuery::default()).expect("a page").rows;
        assert_eq!(rows.len(), 20);
        let scan = messages::scans(
            &MessageQuery::default(),
            &[Reached {
                row: account,
                id: rows[0].account_id.clone(),
                complete_back_to: None,
            }],
            None,
            None,
        )
        .remove(0);
        let (sql, params) = scan.page_sql(None, 21);
        let cost = reader
            .with(|c| {
                let mut statement = c.prepare(&sql).or_fault()?;
                let found = statement
                    .query_map(params_from_iter(&params), |_| Ok(()))
                    .or_fault()?
                    .count();
                assert_eq!(found, 21);
                Ok(statement.get_status(oaken_store::rusqlite::StatementStatus::VmStep))
            })
            .expect("counted");
        steps.push(cost);
    }
    assert!(steps[1] < steps[0] + 20, "{steps:?}");
}
