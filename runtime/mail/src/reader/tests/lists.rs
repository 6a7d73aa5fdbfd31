//! Lists: every row once, in order, whatever the filter and however the pages fall.

use std::collections::HashSet;

use oaken_core::model::MessageRow;
use oaken_core::{Code, FolderId, LabelId, MessageId, Timestamp};
use oaken_store::OrFault;

use super::fixture::{Mail, New, Put};
use crate::Reader;
use crate::reader::{MailboxQuery, MessageQuery, View};

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

#[test]
fn every_filter_narrows() {
    let mail = Mail::new();
    let (account, _) = mail.account("work", "default");
    let (inbox, inbox_id) = mail.folder(account, "INBOX", Some("inbox"));
    let (archive, archive_id) = mail.folder(account, "Archive", Some("archive"));
    let (label, label_id) = mail.label(account, "todo");
    let mut put = Vec::new();
    for (n, (from, flags)) in [
        (("Ärzte Köln", "praxis@aerzte.example"), 0),
        (("Ada", "ada@example.org"), 1),
        (("", "no-reply@shop.example"), 5),
        (("Ada L.", "ada@example.org"), 4),
    ]
    .into_iter()
    .enumerate()
    {
        let (thread, _) = mail.thread(account);
        let new = New {
            received: 1_000 + n as i64,
            from,
            flags,
            ..New::default()
        };
        put.push(mail.put(account, inbox, thread, new));
    }
    mail.stick(account, label, put[1].location);
    // The last lies in the archive too, read and not flagged there.
    let second = mail.locate(
        account,
        archive,
        put[3].row,
        New {
            received: 1_003,
            flags: 1,
            ..New::default()
        },
    );
    mail.stick(account, label, put[3].location);
    mail.stick(account, label, second);

    let reader = mail.reader(&[account], 10);
    let at = |n: i64| Some(Timestamp::from_unix(n));
    let q = MessageQuery::default();
    let in_archive = MessageQuery {
        folder: Some(&archive_id),
        ..q
    };
    for (query, expected) in [
        (q, vec![3, 2, 1, 0]),
        (
            MessageQuery {
                unread: Some(true),
                ..q
            },
            vec![3, 0],
        ),
        (
            MessageQuery {
                unread: Some(false),
                ..q
            },
            vec![2, 1],
        ),
        (
            MessageQuery {
                flagged: Some(true),
                ..q
            },
            vec![3, 2],
        ),
        (
            MessageQuery {
                flagged: Some(false),
                ..q
            },
            vec![1, 0],
        ),
        (
            MessageQuery {
                from: Some("ärzte"),
                ..q
            },
            vec![0],
        ),
        (
            MessageQuery {
                from: Some("ÄRZTE"),
                ..q
            },
            vec![0],
        ),
        (
            MessageQuery {
                from: Some("Example.ORG"),
                ..q
            },
            vec![3, 1],
        ),
        (
            MessageQuery {
                from: Some("100%"),
                ..q
            },
            vec![],
        ),
        (
            MessageQuery {
                from: Some("ada"),
                unread: Some(true),
                ..q
            },
            vec![3],
        ),
        (
            MessageQuery {
                since: at(1_002),
                ..q
            },
            vec![3, 2],
        ),
        (
            MessageQuery {
                before: at(1_002),
                ..q
            },
            vec![1, 0],
        ),
        (
            MessageQuery {
                since: at(1_001),
                before: at(1_002),
                ..q
            },
            vec![1],
        ),
        (
            MessageQuery {
                label: Some(&label_id),
                ..q
            },
            vec![3, 1],
        ),
        (
            MessageQuery {
                label: Some(&label_id),
                unread: Some(true),
                ..q
            },
            vec![3],
        ),
        (
            MessageQuery {
                folder: Some(&inbox_id),
                label: Some(&label_id),
                ..q
            },
            vec![3, 1],
        ),
        (
            MessageQuery {
                folder: Some(&inbox_id),
                from: Some("ada"),
                ..q
            },
            vec![3, 1],
        ),
        (in_archive, vec![3]),
        (
            MessageQuery {
                unread: Some(true),
                ..in_archive
            },
            vec![],
        ),
        (
            MessageQuery {
                unread: Some(false),
                flagged: Some(false),
                ..in_archive
            },
            vec![3],
        ),
    ] {
        let expected: Vec<&Put> = expected.into_iter().map(|n: usize| &put[n]).collect();
        check_pages(&reader, query, &expected);
    }
    let row = reader.messages(&in_archive).expect("a page").rows.remove(0);
    assert_eq!((row.unread, row.flagged), (false, false), "as it lies there");
    assert_eq!(row.folder_ids, [inbox_id, archive_id.clone()]);
    let row = reader.messages(&q).expect("a page").rows.remove(0);
    assert_eq!((row.unread, row.flagged), (true, true), "as it lies somewhere");
    assert_eq!(
        reader.labels(None).expect("labels").remove(0).messages,
        2,
        "a message counts once"
    );
}

#[test]
fn a_folder_of_another_account_than_asked_for_is_said() {
    let mail = Mail::new();
    let (a, id) = mail.account("a", "default");
    let (b, _) = mail.account("b", "default");
    let (_, folder) = mail.folder(b, "INBOX", Some("inbox"));
    let query = MessageQuery {
        account: Some(&id),
        folder: Some(&folder),
        ..MessageQuery::default()
    };
    let refused = mail
        .reader(&[a, b], 10)
        .messages(&query)
        .expect_err("not of this account");
    assert_eq!(
        (refused.code(), refused.faults()[0].field.as_str()),
        (Code::InvalidInput, "/folder_id")
    );
}

#[test]
fn the_views_of_the_overview() {
    let mail = Mail::new();
    let (account, _) = mail.account("work", "default");
    let (inbox, _) = mail.folder(account, "INBOX", Some("inbox"));
    let (sent, _) = mail.folder(account, "Sent", Some("sent"));
    let (trash, _) = mail.folder(account, "Trash", Some("trash"));
    let put = |folder, thread, received, flags, subject| {
        mail.put(
            account,
            folder,
            thread,
            New {
                received,
                flags,
                subject,
                ..New::default()
            },
        )
    };
    let (answered, answered_id) = mail.thread(account);
    let question = put(inbox, answered, 1_000, 0, "Question");
    let answer = put(sent, answered, 1_010, 1, "Re: Question");
    let (flagged, flagged_id) = mail.thread(account);
    let kept = put(inbox, flagged, 1_005, 5, "Keep");
    let (thrown, _) = mail.thread(account);
    put(trash, thrown, 2_000, 0, "Thrown away");

    let view = |view| {
        let page = mail
            .reader(&[account], 10)
            .mailbox(&MailboxQuery {
                view,
                ..MailboxQuery::default()
            })
            .expect("threads");
        assert_eq!(usize::try_from(page.total), Ok(page.rows.len()));
        page.rows
    };
    let seen: Vec<_> = view(View::Inbox)
        .into_iter()
        .map(|r| (r.thread_id, r.newest, r.messages, r.unread))
        .collect();
    let expected = [
        (flagged_id.clone(), kept.id, 1, 0),
        (answered_id.clone(), question.id, 2, 1),
    ];
    assert_eq!(seen, expected);
    let unread = view(View::Unread);
    assert_eq!(
        unread.iter().map(|r| &r.thread_id).collect::<Vec<_>>(),
        [&answered_id]
    );
    assert_eq!(unread[0].why.word(), "unread");
    assert_eq!(
        view(View::Flagged)
            .iter()
            .map(|r| &r.thread_id)
            .collect::<Vec<_>>(),
        [&flagged_id]
    );
    let sent = view(View::Sent).remove(0);
    assert_eq!(
        (sent.newest, sent.subject.as_str(), sent.received.unix()),
        (answer.id, "Re: Question", 1_010)
    );
}

#[test]
fn what_may_be_missing_is_said() {
    let b = same_second();
    b.mail.write(|tx| {
        tx.execute("UPDATE account_row SET complete_back_to = 900", [])
            .or_fault()
    });
    b.mail.write(|tx| {
        tx.execute("UPDATE folder_row SET complete_back_to = 950", [])
            .or_fault()
    });
    let reader = b.mail.reader(&[b.account], 10);
    let back_to = |query: MessageQuery<'_>| {
        reader
            .messages(&query)
            .expect("a page")
            .complete_back_to
            .map(Timestamp::unix)
    };
    let q = MessageQuery::default();
    assert_eq!(back_to(q), Some(900));
    assert_eq!(
        back_to(MessageQuery {
            since: Some(Timestamp::from_unix(900)),
            ..q
        }),
        None
    );
    assert_eq!(
        back_to(MessageQuery {
            folder: Some(&b.inbox.1),
            ..q
        }),
        Some(950)
    );
    assert_eq!(
        reader.account_states().expect("states")[0]
            .complete_back_to
            .map(Timestamp::unix),
        Some(900)
    );
}
