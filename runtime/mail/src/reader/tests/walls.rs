//! What a reader's connection refuses, and that the mail of one workspace does not exist for another's agent.

use oaken_core::{Code, IdKind, MessageId, Timestamp};
use oaken_store::OrFault;

use super::fixture::{Mail, New};
use crate::Reader;
use crate::reader::{MailboxQuery, MessageQuery, View};

struct Two {
    mail: Mail,
    /// In reach of the agent.
    seen: i64,
    /// Not.
    hidden: i64,
}

fn two() -> Two {
    let mail = Mail::new();
    let (seen, _) = mail.account("work", "default");
    let (hidden, _) = mail.account("private", "home");
    for account in [seen, hidden] {
        let (inbox, _) = mail.folder(account, "INBOX", Some("inbox"));
        let (label, _) = mail.label(account, "todo");
        for n in 0..3 {
            let (thread, _) = mail.thread(account);
            let new = New {
                received: 1_000 + n,
                flags: 4,
                ..New::default()
            };
            let put = mail.put(account, inbox, thread, new);
            mail.stick(account, label, put.location);
        }
    }
    Two { mail, seen, hidden }
}

#[track_caller]
fn prepares(reader: &Reader, sql: &str) -> bool {
    reader.with(|c| Ok(c.prepare(sql).is_ok())).expect("a connection")
}

#[test]
fn base_tables_are_refused_at_prepare_however_they_are_asked_for() {
    let two = two();
    for reader in [two.mail.reader(&[two.seen], 10), two.mail.person(10)] {
        for sql in [
            "SELECT id FROM message_row",
            "SELECT count(*) FROM message_row",
            "SELECT 1 FROM message_row",
            "SELECT id FROM main.message_row",
            "SELECT rowid FROM main.location_row",
            "SELECT (SELECT id FROM message_row LIMIT 1)",
            "SELECT * FROM (SELECT * FROM account_row)",
            "SELECT 1 WHERE EXISTS (SELECT 1 FROM account_row WHERE secret IS NOT NULL)",
            "SELECT m.id FROM message m JOIN message_row r ON r.row = m.row",
            "WITH message AS (SELECT * FROM message_row) SELECT * FROM message",
            "WITH message AS (SELECT id FROM message_row) SELECT count(*) FROM message",
            "WITH account AS MATERIALIZED (SELECT secret FROM account_row) SELECT * FROM account",
            "WITH RECURSIVE thread(row) AS (SELECT row FROM thread_row UNION SELECT row FROM thread) SELECT row FROM thread",
            "SELECT * FROM (SELECT * FROM message_row) AS message",
            "SELECT id FROM message UNION ALL SELECT id FROM message_row",
            "SELECT id FROM message ORDER BY (SELECT max(row) FROM message_row)",
            "SELECT in_inbox FROM message_views",
            "SELECT token_hash FROM agent_row",
            "SELECT value FROM setting_row",
            "SELECT sql FROM sqlite_master",
            "SELECT sql FROM temp.sqlite_master",
            "SELECT name FROM sqlite_temp_schema",
            "SELECT * FROM sqlite_sequence",
            "SELECT name FROM pragma_table_info('message_row')",
            "SELECT name FROM pragma_table_list",
            "PRAGMA table_info(message_row)",
            "PRAGMA query_only",
            "PRAGMA data_version = 1",
            "PRAGMA writable_schema = 1",
            "PRAGMA trusted_schema = 1",
            "ATTACH ':memory:' AS other",
            "DETACH temp",
            "INSERT INTO temp.reach (account) VALUES (2)",
            "DELETE FROM temp.reach",
            "UPDATE temp.reach SET account = 2",
            "INSERT INTO setting_row (section, name, value) VALUES ('mcp', 'workspaces', '[]')",
            "DELETE FROM message_row",
            "UPDATE location_row SET flags = 1",
            "CREATE TEMP VIEW mine AS SELECT * FROM message_row",
            "CREATE TEMP TABLE mine (x)",
            "CREATE TEMP TRIGGER t AFTER INSERT ON reach BEGIN SELECT 1; END",
            "CREATE VIRTUAL TABLE temp.f USING fts5(x)",
            "DROP VIEW temp.message",
            "DROP TABLE temp.reach",
            "ALTER TABLE temp.reach RENAME TO mine",
            "REINDEX",
            "ANALYZE",
            "SAVEPOINT s",
            "SELECT load_extension('x')",
        ] {
            assert!(!prepares(&reader, sql), "{sql}");
        }
        for sql in [
            "SELECT * FROM message",
            "SELECT count(*) FROM message",
            "WITH x AS (SELECT id FROM message) SELECT id FROM x",
            "SELECT account FROM temp.reach",
            "SELECT value FROM json_each('[1]')",
            "PRAGMA data_version",
        ] {
            assert!(prepares(&reader, sql), "{sql}");
        }
    }
}

#[test]
fn a_copy_of_the_database_cannot_be_written_out() {
    // SQLite asks about VACUUM only when it runs: it attaches its target.
    let two = two();
    let reader = two.mail.reader(&[two.seen], 10);
    let copy = two.mail.dir.path().join("copy.db");
    reader
        .with(|c| c.query_row("SELECT 1", [], |_| Ok(())).or_fault())
        .expect("set up");
    let c = two.mail.store.checkout().expect("a connection");
    for sql in [format!("VACUUM INTO '{}'", copy.display()), "VACUUM".to_owned()] {
        assert!(c.execute_batch(&sql).is_err(), "{sql}");
    }
    assert!(!copy.exists());
}

#[test]
fn a_reach_does_not_stay_on_a_pooled_connection() {
    let two = two();
    let count = |reader: Reader| {
        reader
            .with(|c| {
                c.query_row("SELECT count(*) FROM message", [], |r| r.get::<_, i64>(0))
                    .or_fault()
            })
            .expect("a count")
    };
    for _ in 0..3 {
        assert_eq!(count(two.mail.person(10)), 6);
        assert_eq!(count(two.mail.reader(&[two.seen], 10)), 3);
        assert_eq!(count(two.mail.reader(&[], 10)), 0);
        assert_eq!(count(two.mail.reader(&[two.hidden, two.seen, two.hidden], 10)), 6);
        assert_eq!(count(two.mail.reader(&[999], 10)), 0);
    }
}

#[test]
fn nothing_of_another_workspace_is_in_a_list_a_count_or_a_total() {
    let two = two();
    let agent = two.mail.reader(&[two.seen], 10);
    let accounts = agent.accounts().expect("accounts");
    assert_eq!(accounts.len(), 1);
    assert_eq!(accounts[0].workspace, "default");
    let own = &accounts[0].account_id;

    let page = agent.messages(&MessageQuery::default()).expect("messages");
    assert_eq!((page.rows.len(), page.total), (3, 3));
    assert_eq!(page.showing(), "3 of 3");
    assert!(page.rows.iter().all(|r| r.account_id == *own));
    for view in [View::Inbox, View::Unread, View::Flagged] {
        let page = agent
            .mailbox(&MailboxQuery {
                view,
                ..MailboxQuery::default()
            })
            .expect("threads");
        assert_eq!((page.rows.len(), page.total), (3, 3), "{view:?}");
        assert!(page.rows.iter().all(|r| r.account_id == *own));
    }
    let folders = agent.folders(None).expect("folders");
    assert_eq!(
        folders
            .iter()
            .map(|f| (f.total, f.unread, f.flagged))
            .collect::<Vec<_>>(),
        [(3, 3, 3)]
    );
    let labels = agent.labels(None).expect("labels");
    assert_eq!(labels.iter().map(|l| l.messages).collect::<Vec<_>>(), [3]);
    let states = agent.account_states().expect("states");
    assert_eq!(states.iter().map(|s| s.messages).collect::<Vec<_>>(), [3]);
    assert_eq!(
        two.mail
            .person(10)
            .messages(&MessageQuery::default())
            .expect("messages")
            .total,
        6
    );
}

#[test]
fn what_a_sync_left_alone_is_counted_and_named_within_reach_only() {
    let two = two();
    two.mail.write(|tx| {
        for (account, name) in [(two.seen, "cur/a\u{202e}link"), (two.hidden, "cur/other")] {
            tx.execute(
                "INSERT INTO sync_issue_row (account, reason, name, at) VALUES (?1, 'link', ?2, 0)",
                (account, name),
            )
            .or_fault()?;
        }
        Ok(())
    });
    let agent = two.mail.reader(&[two.seen], 10);
    let states = agent.account_states().expect("states");
    assert_eq!(states.iter().map(|s| s.left_alone).collect::<Vec<_>>(), [1]);
    let named = |reader: &Reader, id| {
        let found = reader.left_alone(id, 10).expect("names");
        found
            .iter()
            .map(|l| format!("{} {}", l.reason, l.name))
            .collect::<Vec<_>>()
    };
    assert_eq!(named(&agent, &states[0].account_id), ["link cur/a\\u{202e}link"]);
    let hidden = two
        .mail
        .reader(&[two.hidden], 10)
        .account_states()
        .expect("states")
        .remove(0);
    assert!(named(&agent, &hidden.account_id).is_empty());
    assert_eq!(
        named(&two.mail.person(10), &hidden.account_id),
        ["link cur/other"]
    );
}

#[test]
fn folders_that_are_not_up_to_date_are_told_within_reach_only() {
    let two = two();
    two.mail.write(|tx| {
        tx.execute("UPDATE folder_row SET state = 'ok'", []).or_fault()?;
        tx.execute(
            "UPDATE folder_row SET state = 'failing', reason = 'no', since = 7 WHERE account = ?1",
            [two.hidden],
        )
        .or_fault()?;
        Ok(())
    });
    assert!(
        two.mail
            .reader(&[two.seen], 10)
            .folder_states(10)
            .expect("states")
            .is_empty()
    );
    let states = two.mail.person(10).folder_states(10).expect("states");
    assert_eq!(states.len(), 1);
    assert_eq!(
        (states[0].reason.as_deref(), states[0].since.map(Timestamp::unix)),
        (Some("no"), Some(7))
    );
}

#[test]
fn an_id_of_another_workspace_is_missing_in_the_same_words_as_nonsense() {
    let two = two();
    let other = two.mail.reader(&[two.hidden], 10);
    let message = other
        .messages(&MessageQuery::default())
        .expect("messages")
        .rows
        .remove(0);
    let folder = other.folders(None).expect("folders").remove(0).folder_id;
    let label = other.labels(None).expect("labels").remove(0).label_id;
    let agent = two.mail.reader(&[two.seen], 10);
    let nonsense = MessageId::random();

    let ids = [
        (IdKind::Message, message.message_id.as_str()),
        (IdKind::Thread, message.thread_id.as_str()),
        (IdKind::Account, message.account_id.as_str()),
        (IdKind::Folder, folder.as_str()),
        (IdKind::Label, label.as_str()),
        (IdKind::Message, nonsense.as_str()),
        (IdKind::Entry, "e_0000000000"),
        (IdKind::Attachment, "at_0000000000-1"),
        (IdKind::Draft, "d_0000000000"),
    ];
    assert_eq!(agent.resolve(&ids).expect("resolved"), [false; 9]);
    let theirs = other.resolve(&ids[..5]).expect("resolved");
    assert_eq!(theirs, [true; 5]);
    let gates = [
        (IdKind::Agent, "ag_0000000000"),
        (IdKind::Proposal, "p_0000000000"),
        (IdKind::Token, "x"),
    ];
    assert_eq!(agent.resolve(&gates).expect("resolved"), [true; 3]);

    let hidden = agent
        .read(std::slice::from_ref(&message.message_id), 0)
        .expect_err("hidden");
    assert_eq!(hidden, agent.read(&[nonsense], 0).expect_err("missing"));
    assert_eq!(hidden.code(), Code::NotFound);
    let errors = [
        agent.thread(&message.thread_id, None).expect_err("hidden"),
        agent.thread_of(&message.message_id, None).expect_err("hidden"),
        agent
            .targets(std::slice::from_ref(&message.message_id))
            .expect_err("hidden"),
        agent
            .messages(&MessageQuery {
                folder: Some(&folder),
                ..MessageQuery::default()
            })
            .expect_err("hidden"),
        agent
            .messages(&MessageQuery {
                label: Some(&label),
                ..MessageQuery::default()
            })
            .expect_err("hidden"),
        agent
            .messages(&MessageQuery {
                account: Some(&message.account_id),
                ..MessageQuery::default()
            })
            .expect_err("hidden"),
    ];
    assert!(errors.iter().all(|e| e.code() == Code::NotFound));
    assert_eq!(agent.targets_left(&[message.message_id]).expect("asked"), []);
}

#[test]
fn a_cursor_of_another_workspace_opens_nothing() {
    let two = two();
    let other = two.mail.reader(&[two.hidden], 1);
    let cursor = other
        .messages(&MessageQuery::default())
        .expect("messages")
        .next_cursor
        .expect("more");
    let query = MessageQuery {
        cursor: Some(&cursor),
        ..MessageQuery::default()
    };
    let refused = two
        .mail
        .reader(&[two.seen], 1)
        .messages(&query)
        .expect_err("not its own");
    assert_eq!(refused.code(), Code::InvalidInput);
    assert_eq!(refused.faults()[0].field, "/cursor");
}

#[test]
fn an_entry_is_in_reach_where_all_it_changed_is() {
    let two = two();
    let entry = |id: &str, accounts: &[i64]| {
        two.mail.write(|tx| {
            tx.execute(
                "INSERT INTO journal_entry_row (id, intent, operation, at, state) VALUES (?1, 1, 'mark_read', 0, 'done')",
                [id],
            )
            .or_fault()?;
            let entry = tx.last_insert_rowid();
            for account in accounts {
                tx.execute(
                    "INSERT INTO journal_change_row (entry, account, message, location, content_hash, what, before,
                        after, outcome)
                     SELECT ?1, account, row, 1, x'00', 'seen', 0, 1, 'done' FROM message_row
                     WHERE account = ?2 LIMIT 1",
                    [entry, *account],
                )
                .or_fault()?;
            }
            Ok(())
        });
    };
    entry("e_0000000001", &[two.seen]);
    entry("e_0000000002", &[two.seen, two.hidden]);
    entry("e_0000000003", &[two.hidden]);
    let ids = ["e_0000000001", "e_0000000002", "e_0000000003"].map(|id| (IdKind::Entry, id));
    let agent = two.mail.reader(&[two.seen], 10);
    assert_eq!(agent.resolve(&ids).expect("resolved"), [true, false, false]);
    assert_eq!(
        two.mail.person(10).resolve(&ids).expect("resolved"),
        [true, true, true]
    );
}
