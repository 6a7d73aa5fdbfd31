//! Lists: every row once, in order, however the pages fall.

use std::collections::HashSet;

use oaken_core::model::MessageRow;
use oaken_core::{FolderId, LabelId, MessageId};
use oaken_store::OrFault;

use super::fixture::{Mail, New, Put};
use crate::Reader;
use crate::reader::{MailboxQuery, MessageQuery};

struct Box {
    mail: Mail,
    account: i64,
    inbox: (i64, FolderId),
    label: (i64, LabelId),
    put: Vec<Put>,
}

/// 130 messages of one second in one folder, all with a label.
fn same_second() -> Box {
    let mail = Mail::new();
    let (account, _) = mail.account("work", "default");
    let inbox = mail.folder(account, "INBOX", Some("inbox"));
    let label = mail.label(account, "todo");
    let put: Vec<Put> = (0..130)
        .map(|_| {
            let (thread, _) = mail.thread(account);
            let put = mail.put(account, inbox.0, thread, New::default());
            mail.stick(account, label.0, put.location);
            put
        })
        .collect();
    Box {
        mail,
        account,
        inbox,
        label,
        put,
    }
}

/// Every page of a query, and the totals that each of them gave.
fn pages(reader: &Reader, query: MessageQuery<'_>) -> (Vec<MessageRow>, Vec<i64>) {
    let (mut rows, mut totals) = (Vec::new(), Vec::new());
    let mut cursor: Option<String> = None;
    loop {
        let page = reader
            .messages(&MessageQuery {
                cursor: cursor.as_deref(),
                ..query
            })
            .expect("a page");
        totals.push(page.total);
        rows.extend(page.rows);
        match page.next_cursor {
            Some(next) => cursor = Some(next),
            None => return (rows, totals),
        }
    }
}

#[track_caller]
fn check_pages(reader: &Reader, query: MessageQuery<'_>, expected: &[&Put]) {
    let (rows, totals) = pages(reader, query);
    let ids: Vec<&MessageId> = rows.iter().map(|r| &r.message_id).collect();
    let expected: Vec<&MessageId> = expected.iter().map(|p| &p.id).collect();
    assert_eq!(ids, expected);
    assert!(
        totals.iter().all(|t| usize::try_from(*t) == Ok(expected.len())),
        "{totals:?}"
    );
}

#[test]
fn pages_of_one_second_neither_skip_nor_repeat() {
    let b = same_second();
    let expected: Vec<&Put> = b.put.iter().rev().collect();
    for size in [1, 20, 50, 129, 130, 200] {
        let reader = b.mail.reader(&[b.account], size);
        check_pages(&reader, MessageQuery::default(), &expected);
    }
    let reader = b.mail.reader(&[b.account], 20);
    check_pages(
        &reader,
        MessageQuery {
            folder: Some(&b.inbox.1),
            ..MessageQuery::default()
        },
        &expected,
    );
    check_pages(
        &reader,
        MessageQuery {
            label: Some(&b.label.1),
            ..MessageQuery::default()
        },
        &expected,
    );
    check_pages(
        &reader,
        MessageQuery {
            from: Some("ADA"),
            ..MessageQuery::default()
        },
        &expected,
    );
    check_pages(
        &reader,
        MessageQuery {
            unread: Some(true),
            ..MessageQuery::default()
        },
        &expected,
    );
    let both = MessageQuery {
        folder: Some(&b.inbox.1),
        label: Some(&b.label.1),
        ..MessageQuery::default()
    };
    check_pages(&reader, both, &expected);
}

#[test]
fn pages_go_on_after_the_last_row_was_moved_away() {
    let b = same_second();
    let reader = b.mail.reader(&[b.account], 50);
    let in_inbox = MessageQuery {
        folder: Some(&b.inbox.1),
        ..MessageQuery::default()
    };
    let first = reader.messages(&in_inbox).expect("a page");
    // The whole first page leaves the folder; its last message even vanishes.
    for put in &b.put[80..] {
        b.mail.write(|tx| {
            tx.execute("DELETE FROM location_row WHERE row = ?1", [put.location])
                .or_fault()
        });
    }
    b.mail.write(|tx| {
        tx.execute(
            "UPDATE message_row SET vanished_at = 1 WHERE row = ?1",
            [b.put[80].row],
        )
        .or_fault()
    });
    let second = reader
        .messages(&MessageQuery {
            cursor: first.next_cursor.as_deref(),
            ..in_inbox
        })
        .expect("a page");
    let expected: Vec<&MessageId> = b.put[30..80].iter().rev().map(|p| &p.id).collect();
    assert_eq!(
        second.rows.iter().map(|r| &r.message_id).collect::<Vec<_>>(),
        expected
    );
    assert_eq!(second.total, 80);
}

#[test]
fn several_accounts_are_merged_in_one_order() {
    let mail = Mail::new();
    let mut put = Vec::new();
    let mut accounts = Vec::new();
    for name in ["a", "b", "c"] {
        let (account, _) = mail.account(name, "default");
        let (inbox, _) = mail.folder(account, "INBOX", Some("inbox"));
        accounts.push((account, inbox));
    }
    for n in 0..60 {
        let (account, inbox) = accounts[n % 3];
        let (thread, _) = mail.thread(account);
        let received = 1_000 + (n / 7) as i64;
        put.push((
            received,
            mail.put(
                account,
                inbox,
                thread,
                New {
                    received,
                    ..New::default()
                },
            ),
        ));
    }
    put.sort_by_key(|(received, p)| std::cmp::Reverse((*received, p.row)));
    let expected: Vec<&Put> = put.iter().map(|(_, p)| p).collect();
    check_pages(&mail.person(7), MessageQuery::default(), &expected);

    let mut threads = HashSet::new();
    let mut cursor: Option<String> = None;
    loop {
        let query = MailboxQuery {
            cursor: cursor.as_deref(),
            ..MailboxQuery::default()
        };
        let page = mail.person(7).mailbox(&query).expect("threads");
        assert_eq!(page.total, 60);
        let in_order = page.rows.windows(2).all(|w| w[0].received >= w[1].received);
        assert!(in_order);
        threads.extend(page.rows.into_iter().map(|r| r.thread_id));
        match page.next_cursor {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    assert_eq!(threads.len(), 60);
}
