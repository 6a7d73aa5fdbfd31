//! Threads and messages in full, and the targets of changes.

use oaken_core::model::MessageFacts;
use oaken_core::{Code, MessageId};
use oaken_store::OrFault;

use super::fixture::{Mail, New, Put};
use crate::Flags;
use crate::reader::MessageQuery;

#[test]
fn a_thread_is_found_by_any_message_in_it_and_reads_oldest_first() {
    let mail = Mail::new();
    let (account, _) = mail.account("work", "default");
    let (inbox, _) = mail.folder(account, "INBOX", Some("inbox"));
    let (thread, id) = mail.thread(account);
    // Equal times, and the newest put first.
    let text = "Yes.\n\nOn Mon, Ada wrote:\n> Do you come?";
    let times = [1_002, 1_001, 1_001, 1_000];
    let put: Vec<Put> = times
        .into_iter()
        .map(|received| {
            mail.put(
                account,
                inbox,
                thread,
                New {
                    received,
                    text,
                    ..New::default()
                },
            )
        })
        .collect();
    let expected: Vec<&MessageId> = [3, 1, 2, 0].into_iter().map(|n: usize| &put[n].id).collect();
    for size in [1, 3, 4, 10] {
        let reader = mail.reader(&[account], size);
        for begin in &put {
            let mut ids = Vec::new();
            let mut cursor: Option<String> = None;
            loop {
                let got = reader.thread_of(&begin.id, cursor.as_deref()).expect("a thread");
                assert_eq!((&got.thread_id, got.page.total), (&id, 4));
                assert!(
                    got.page.rows.iter().all(|m| m.text.as_str() == "Yes."),
                    "quotes are left out"
                );
                ids.extend(got.page.rows.into_iter().map(|m| m.message_id));
                match got.page.next_cursor {
                    Some(next) => cursor = Some(next),
                    None => break,
                }
            }
            assert_eq!(ids.iter().collect::<Vec<_>>(), expected);
        }
    }
    let whole = mail
        .reader(&[account], 10)
        .read(std::slice::from_ref(&put[0].id), 0)
        .expect("read");
    assert_eq!(whole[0].text.as_str(), text, "read in full, the quotes are there");
}

#[test]
fn a_merged_thread_is_found_by_its_old_id() {
    let mail = Mail::new();
    let (account, _) = mail.account("work", "default");
    let (inbox, _) = mail.folder(account, "INBOX", Some("inbox"));
    let (old, old_id) = mail.thread(account);
    let (new, new_id) = mail.thread(account);
    let put = mail.put(account, inbox, new, New::default());
    mail.write(|tx| {
        tx.execute(
            "UPDATE thread_row SET merged_into = ?2 WHERE row = ?1",
            [old, new],
        )
        .or_fault()
    });
    let reader = mail.reader(&[account], 10);
    let got = reader.thread(&old_id, None).expect("a thread");
    assert_eq!(
        (got.thread_id, got.page.rows[0].message_id.clone()),
        (new_id, put.id)
    );
    // A circle, which should not be, ends.
    mail.write(|tx| {
        tx.execute(
            "UPDATE thread_row SET merged_into = ?2 WHERE row = ?1",
            [new, old],
        )
        .or_fault()
    });
    assert_eq!(
        reader.thread(&old_id, None).expect_err("a circle").code(),
        Code::Internal
    );
}

#[test]
fn a_message_in_full_is_cleaned_and_says_what_it_is() {
    let mail = Mail::new();
    let (account, _) = mail.account("work", "default");
    let (inbox, _) = mail.folder(account, "INBOX", Some("inbox"));
    let (thread, _) = mail.thread(account);
    let new = New {
        subject: "a\u{1b}]52;c;x\u{7}b",
        text: "in\u{202e}voice",
        flags: 6,
        ..New::default()
    };
    let put = mail.put(account, inbox, thread, new);
    let facts = r#"{"from":[{"name":"Ada","address":"ada@example.org"}],
        "reply_to":[{"address":"eve@example.net"}],"to":[{"name":"Bo","address":"bo@example.org"}],
        "unsubscribe":{"ways":["https://l.example/1","mailto:l@l.example"],"one_click":true},
        "authentication":"mx.example.org; dkim=pass","receipt_requested":true}"#;
    mail.write(|tx| {
        tx.execute("UPDATE body_row SET facts = ?1", [facts]).or_fault()?;
        tx.execute("UPDATE message_row SET attachments = 1, text_state = 'cut'", [])
            .or_fault()?;
        tx.execute(
            "INSERT INTO attachment_row (id, account, message, part, name, media_type, size)
             VALUES ('at_0000000000-2', ?1, ?2, '2', 'fdp\u{202e}.exe', 'application/pdf', 7)",
            [account, put.row],
        )
        .or_fault()
    });
    let reader = mail.reader(&[account], 10);
    let m = reader
        .read(std::slice::from_ref(&put.id), 0)
        .expect("read")
        .remove(0);
    assert_eq!(m.subject.as_str(), "a\\u{1b}]52;c;x\\u{7}b");
    assert_eq!(m.text.as_str(), "in\\u{202e}voice");
    assert_eq!(m.reply_to[0].address.as_str(), "eve@example.net");
    assert_eq!(m.to[0].name.as_ref().map(oaken_core::Text::as_str), Some("Bo"));
    assert_eq!(
        m.unsubscribe.expect("a way").as_str(),
        "https://l.example/1, mailto:l@l.example"
    );
    assert_eq!(
        m.authentication.expect("said").as_str(),
        "mx.example.org; dkim=pass"
    );
    assert_eq!((m.unread, m.flagged, m.answered), (true, true, true));
    assert_eq!(
        m.attachments[0].name.as_ref().map(oaken_core::Text::as_str),
        Some("fdp\\u{202e}.exe")
    );
    let expected = [
        MessageFacts::ReplyToDiffers,
        MessageFacts::TextIncomplete,
        MessageFacts::ReceiptRequested,
        MessageFacts::InvisibleCharacters,
    ];
    assert_eq!(m.facts, expected);
    let rest = reader.read(&[put.id], 10).expect("read").remove(0);
    assert_eq!(
        rest.text.as_str(),
        "voice",
        "the first ten characters are passed over"
    );
    let row = reader
        .messages(&MessageQuery::default())
        .expect("a page")
        .rows
        .remove(0);
    assert_eq!((row.gist.as_str(), row.attachments), ("in\\u{202e}voice", 1));
}

#[test]
fn reading_keeps_the_order_asked_and_names_the_one_that_is_gone() {
    let mail = Mail::new();
    let (account, _) = mail.account("work", "default");
    let (inbox, _) = mail.folder(account, "INBOX", Some("inbox"));
    let (thread, _) = mail.thread(account);
    let put: Vec<Put> = (0..3)
        .map(|_| mail.put(account, inbox, thread, New::default()))
        .collect();
    let reader = mail.reader(&[account], 10);
    let asked = [put[2].id.clone(), put[0].id.clone()];
    let read = reader.read(&asked, 0).expect("read");
    assert_eq!(
        read.iter().map(|m| m.message_id.clone()).collect::<Vec<_>>(),
        asked
    );
    mail.write(|tx| {
        tx.execute("DELETE FROM location_row WHERE message = ?1", [put[1].row])
            .or_fault()?;
        tx.execute(
            "UPDATE message_row SET vanished_at = 1 WHERE row = ?1",
            [put[1].row],
        )
        .or_fault()
    });
    let gone = reader
        .read(&[put[0].id.clone(), put[1].id.clone()], 0)
        .expect_err("gone");
    assert_eq!(
        (gone.code(), gone.faults()[0].field.as_str()),
        (Code::NotFound, "/message_ids/1")
    );
    assert_eq!(
        reader.thread_of(&put[0].id, None).expect("a thread").page.total,
        2
    );
    // Its id still names it for a change, which finds it nowhere. Named twice it is one.
    let named = [put[0].id.clone(), put[1].id.clone(), put[0].id.clone()];
    for targets in [reader.targets(&named), reader.targets_left(&named)] {
        let targets = targets.expect("resolved");
        let ids: Vec<_> = targets.iter().map(crate::reader::Target::id).collect();
        assert_eq!(ids, [&put[0].id, &put[1].id]);
    }
    let target = reader
        .targets(std::slice::from_ref(&put[1].id))
        .expect("resolved")
        .remove(0);
    assert_eq!((target.id(), target.places().len()), (&put[1].id, 0));
    assert!(!target.has_everywhere(Flags::SEEN));
}

#[test]
fn a_target_has_each_place_with_its_own_flags() {
    let mail = Mail::new();
    let (account, account_id) = mail.account("work", "default");
    let (inbox, inbox_id) = mail.folder(account, "INBOX", Some("inbox"));
    let (archive, _) = mail.folder(account, "Archive", None);
    let (thread, _) = mail.thread(account);
    let put = mail.put(
        account,
        inbox,
        thread,
        New {
            flags: 1,
            ..New::default()
        },
    );
    mail.locate(account, archive, put.row, New::default());
    mail.write(|tx| {
        tx.execute(
            "UPDATE location_row SET name = 'u1', file = 'cur/u1:2,S' WHERE row = ?1",
            [put.location],
        )
        .or_fault()
    });
    let target = mail
        .reader(&[account], 10)
        .targets(&[put.id])
        .expect("resolved")
        .remove(0);
    assert_eq!(
        (target.account(), target.account_row(), target.row()),
        (&account_id, account, put.row)
    );
    assert!(target.has_somewhere(Flags::SEEN) && !target.has_everywhere(Flags::SEEN));
    let first = &target.places()[0];
    assert_eq!(
        (first.folder(), first.uid(), first.flags()),
        (&inbox_id, 1, Flags::SEEN)
    );
    assert_eq!((first.name(), first.file()), (Some("u1"), Some("cur/u1:2,S")));
    assert_eq!((first.special_use(), first.wire_name()), (Some("inbox"), "INBOX"));
    assert_eq!(target.places().len(), 2);
}
