//! Filters, views and coverage: what narrows a list, and what a list says may be missing.

use oaken_core::{Code, MessageId, Timestamp};
use oaken_store::OrFault;

use super::fixture::{Mail, New, Put};
use crate::Reader;
use crate::reader::{MailboxQuery, MessageQuery, View};

#[track_caller]
fn check<'a>(reader: &Reader, put: &[Put], narrow: impl FnOnce(&mut MessageQuery<'a>), expected: &[usize]) {
    let mut query = MessageQuery::default();
    narrow(&mut query);
    let page = reader.messages(&query).expect("a page");
    let ids: Vec<&MessageId> = page.rows.iter().map(|r| &r.message_id).collect();
    let expected: Vec<&MessageId> = expected.iter().map(|n| &put[*n].id).collect();
    assert_eq!(ids, expected);
    assert_eq!(usize::try_from(page.total), Ok(expected.len()));
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
    let r = &reader;
    check(r, &put, |_| (), &[3, 2, 1, 0]);
    check(r, &put, |q| q.unread = Some(true), &[3, 0]);
    check(r, &put, |q| q.unread = Some(false), &[2, 1]);
    check(r, &put, |q| q.flagged = Some(true), &[3, 2]);
    check(r, &put, |q| q.flagged = Some(false), &[1, 0]);
    check(r, &put, |q| q.from = Some("ärzte"), &[0]);
    check(r, &put, |q| q.from = Some("ÄRZTE"), &[0]);
    check(r, &put, |q| q.from = Some("Example.ORG"), &[3, 1]);
    check(r, &put, |q| q.from = Some("100%"), &[]);
    check(r, &put, |q| (q.from, q.unread) = (Some("ada"), Some(true)), &[3]);
    check(r, &put, |q| q.since = at(1_002), &[3, 2]);
    check(r, &put, |q| q.before = at(1_002), &[1, 0]);
    check(r, &put, |q| (q.since, q.before) = (at(1_001), at(1_002)), &[1]);
    check(r, &put, |q| q.label = Some(&label_id), &[3, 1]);
    check(
        r,
        &put,
        |q| (q.label, q.unread) = (Some(&label_id), Some(true)),
        &[3],
    );
    check(
        r,
        &put,
        |q| (q.folder, q.label) = (Some(&inbox_id), Some(&label_id)),
        &[3, 1],
    );
    check(
        r,
        &put,
        |q| (q.folder, q.from) = (Some(&inbox_id), Some("ada")),
        &[3, 1],
    );
    check(
        r,
        &put,
        |q| (q.folder, q.since) = (Some(&inbox_id), at(1_002)),
        &[3, 2],
    );
    check(r, &put, |q| q.folder = Some(&archive_id), &[3]);
    check(
        r,
        &put,
        |q| (q.folder, q.unread) = (Some(&archive_id), Some(true)),
        &[],
    );
    check(
        r,
        &put,
        |q| (q.folder, q.unread) = (Some(&archive_id), Some(false)),
        &[3],
    );
    check(
        r,
        &put,
        |q| (q.folder, q.flagged) = (Some(&inbox_id), Some(false)),
        &[1, 0],
    );
    let in_archive = MessageQuery {
        folder: Some(&archive_id),
        ..MessageQuery::default()
    };
    let row = reader.messages(&in_archive).expect("a page").rows.remove(0);
    assert_eq!((row.unread, row.flagged), (false, false), "as it lies there");
    assert_eq!(row.folder_ids, [inbox_id, archive_id.clone()]);
    let row = reader
        .messages(&MessageQuery::default())
        .expect("a page")
        .rows
        .remove(0);
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
    let mail = Mail::new();
    let (account, _) = mail.account("work", "default");
    let (_, inbox) = mail.folder(account, "INBOX", Some("inbox"));
    mail.write(|tx| {
        tx.execute("UPDATE account_row SET complete_back_to = 900", [])
            .or_fault()?;
        tx.execute("UPDATE folder_row SET complete_back_to = 950", [])
            .or_fault()
    });
    let reader = mail.reader(&[account], 10);
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
            folder: Some(&inbox),
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
