//! Full-text hits joined to what is in reach: totals, order and pages are as if nothing else existed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use oaken_core::model::MessageRow;
use oaken_core::{Code, MessageId, Timestamp};
use oaken_store::OrFault;

use super::fixture::{Mail, New, Put};
use crate::reader::{Coverage, FoundQuery, Page};
use crate::{Reader, Services};

struct Searched {
    mail: Mail,
    services: Arc<Services>,
    accounts: Vec<i64>,
    put: Vec<Vec<Put>>,
}

/// Two accounts of two workspaces. In the second the word occurs in every message, and thirty times.
fn two(count: i64) -> Searched {
    let mail = Mail::new();
    let services = mail.services();
    let (mut accounts, mut put) = (Vec::new(), Vec::new());
    let often = "parsnip ".repeat(30);
    for (name, workspace, text) in [("work", "default", "A parsnip."), ("private", "home", &*often)] {
        let (account, _) = mail.account(name, workspace);
        let (inbox, _) = mail.folder(account, "INBOX", Some("inbox"));
        let (thread, _) = mail.thread(account);
        let mut here: Vec<Put> = (0..count)
            .map(|n| {
                mail.put(
                    account,
                    inbox,
                    thread,
                    New {
                        received: 1_000 + n / 50,
                        text,
                        ..New::default()
                    },
                )
            })
            .collect();
        here.push(mail.put(
            account,
            inbox,
            thread,
            New {
                received: 5_000,
                text: "Something else.",
                ..New::default()
            },
        ));
        services.index.follow(&mail.store, account).expect("indexed");
        accounts.push(account);
        put.push(here);
    }
    Searched {
        mail,
        services,
        accounts,
        put,
    }
}

fn find(s: &Searched, reader: &Reader, query: FoundQuery<'_>) -> (Page<MessageRow>, Coverage) {
    reader
        .found(
            &s.services,
            &FoundQuery {
                expression: "\"parsnip\"",
                ..query
            },
        )
        .expect("searched")
}

#[test]
fn pages_of_hits_neither_skip_nor_repeat_and_count_only_what_is_in_reach() {
    let s = two(130);
    let reader = s.mail.reader(&s.accounts[..1], 40);
    let mut ids: Vec<MessageId> = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let (page, coverage) = find(
            &s,
            &reader,
            FoundQuery {
                cursor: cursor.as_deref(),
                ..FoundQuery::default()
            },
        );
        assert_eq!(page.total, 130);
        assert_eq!(
            coverage,
            Coverage {
                indexed: 131,
                searched: 131
            }
        );
        ids.extend(page.rows.into_iter().map(|r| r.message_id));
        match page.next_cursor {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    let expected: Vec<MessageId> = s.put[0][..130].iter().rev().map(|p| p.id.clone()).collect();
    assert_eq!(ids, expected);
    let (page, coverage) = find(&s, &s.mail.person(10), FoundQuery::default());
    assert_eq!((page.total, coverage.searched), (260, 262));
}

#[test]
fn a_range_narrows_hits_and_what_was_searched() {
    let s = two(130);
    let reader = s.mail.reader(&s.accounts[..1], 500);
    let at = |n: i64| Some(Timestamp::from_unix(n));
    let (page, coverage) = find(
        &s,
        &reader,
        FoundQuery {
            since: at(1_001),
            before: at(1_002),
            ..FoundQuery::default()
        },
    );
    assert_eq!((page.total, page.rows.len()), (50, 50));
    assert_eq!(
        coverage,
        Coverage {
            indexed: 50,
            searched: 50
        }
    );
}

#[test]
fn an_index_that_lags_or_is_missing_says_so() {
    let s = two(3);
    let reader = s.mail.reader(&s.accounts[..1], 10);
    let (account, put) = (s.accounts[0], &s.put[0]);
    let (inbox, thread): (i64, i64) = s
        .mail
        .store
        .read(|c| {
            c.query_row(
                "SELECT l.folder, m.thread FROM location_row l JOIN message_row m ON m.row = l.message
                 WHERE m.row = ?1",
                [put[0].row],
                |r| Ok((r.get(0)?, r.get(1)?)),
            )
            .or_fault()
        })
        .expect("there");
    s.mail.put(
        account,
        inbox,
        thread,
        New {
            text: "A late parsnip.",
            ..New::default()
        },
    );
    let (page, coverage) = find(&s, &reader, FoundQuery::default());
    assert_eq!(
        (page.total, coverage),
        (
            3,
            Coverage {
                indexed: 4,
                searched: 5
            }
        )
    );
    s.services.index.follow(&s.mail.store, account).expect("indexed");
    let (page, coverage) = find(&s, &reader, FoundQuery::default());
    assert_eq!(
        (page.total, coverage),
        (
            4,
            Coverage {
                indexed: 5,
                searched: 5
            }
        )
    );

    // A message that left is no hit, although the index does not know yet.
    s.mail.write(|tx| {
        tx.execute("DELETE FROM location_row WHERE message = ?1", [put[0].row])
            .or_fault()?;
        tx.execute(
            "UPDATE message_row SET vanished_at = 1 WHERE row = ?1",
            [put[0].row],
        )
        .or_fault()
    });
    let (page, coverage) = find(&s, &reader, FoundQuery::default());
    assert_eq!((page.total, coverage.searched), (3, 4));

    // One that was lost is written anew by the first search.
    s.services.index.forget(account).expect("forgotten");
    let (page, coverage) = find(&s, &reader, FoundQuery::default());
    assert_eq!(
        (page.total, coverage),
        (
            3,
            Coverage {
                indexed: 4,
                searched: 4
            }
        )
    );
}

#[test]
fn a_damaged_index_is_no_error_and_is_made_anew() {
    let s = two(3);
    let account = s.accounts[0];
    // Another connection breaks what the full text stands on.
    let c =
        oaken_store::rusqlite::Connection::open(s.services.data_dir().join("index.db")).expect("the index");
    c.execute_batch(&format!(
        "UPDATE fts_{account}_data SET block = x'00ff00ff'; DELETE FROM fts_{account}_idx; DROP TABLE fts_{account}_docsize;"
    ))
    .expect("broken");
    drop(c);
    let reader = s.mail.reader(&s.accounts[..1], 10);
    let (page, coverage) = find(&s, &reader, FoundQuery::default());
    assert_eq!(
        (page.total, coverage),
        (
            0,
            Coverage {
                indexed: 0,
                searched: 4
            }
        )
    );
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let (page, coverage) = find(&s, &reader, FoundQuery::default());
        if coverage.indexed == 4 {
            assert_eq!(page.total, 3);
            break;
        }
        assert!(Instant::now() < until, "it was not made anew");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_cursor_of_a_list_is_none_of_a_search() {
    let s = two(3);
    let reader = s.mail.reader(&s.accounts[..1], 1);
    let list = reader
        .messages(&crate::reader::MessageQuery::default())
        .expect("a page")
        .next_cursor;
    let query = FoundQuery {
        expression: "\"parsnip\"",
        cursor: list.as_deref(),
        ..FoundQuery::default()
    };
    assert_eq!(
        reader
            .found(&s.services, &query)
            .expect_err("another list's")
            .code(),
        Code::InvalidInput
    );
}

#[test]
fn an_expression_that_is_refused_does_not_cost_the_index() {
    let s = two(3);
    let reader = s.mail.reader(&s.accounts[..1], 10);
    let query = FoundQuery {
        expression: "\"parsnip",
        ..FoundQuery::default()
    };
    let refused = reader.found(&s.services, &query).expect_err("no expression");
    assert_eq!(
        (refused.code(), refused.faults()[0].field.as_str()),
        (Code::InvalidInput, "/query")
    );
    let (page, coverage) = find(&s, &reader, FoundQuery::default());
    assert_eq!((page.total, coverage.indexed), (3, 4), "it is still there");
}

#[test]
fn as_many_words_as_a_query_can_hold_are_taken() {
    let s = two(3);
    let reader = s.mail.reader(&s.accounts[..1], 10);
    let expression = vec!["\"parsnip\""; 200].join(" AND ");
    let query = FoundQuery {
        expression: &expression,
        ..FoundQuery::default()
    };
    assert_eq!(reader.found(&s.services, &query).expect("searched").0.total, 3);
}
