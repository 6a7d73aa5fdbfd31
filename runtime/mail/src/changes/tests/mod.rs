//! Changes of flags in a Maildir, through a real gate: leave is made nowhere else.

mod operations;

use oaken_core::{Change, Code, Confirmation, MessageId};
use serde_json::json;

use crate::sync::tests::{Mail, mail};
pub(crate) use operations::Called;

fn two() -> (Called, String, String) {
    let m = Mail::new();
    m.folder(".A");
    m.put("new/1700000001.a.host", mail("a@x", "one", ""));
    m.put("cur/1700000002.b.host,S=1:2,Pa", mail("b@x", "two", ""));
    m.put(".A/cur/1700000003.c.host:2,F", mail("a@x", "one", ""));
    m.sync();
    let (one, two) = (m.id("one"), m.id("two"));
    (Called::over(m), one, two)
}

#[test]
fn marking_read_renames_every_place_and_is_journalled() {
    let (c, one, two) = two();
    let (output, entry) = c.change("mark_read", &[&one, &two]);
    assert_eq!(output, json!({"marked": [one, two], "not_changed": []}));
    assert_eq!(
        c.mail.files(),
        [
            ".A/cur/1700000003.c.host:2,FS",
            "cur/1700000001.a.host:2,S",
            "cur/1700000002.b.host,S=1:2,PSa"
        ]
    );
    assert_eq!(c.mail.places(), ["A 5 one", "INBOX 1 one", "INBOX 1 two"]);
    assert_eq!(c.journal(), ["mark_read done seen 0 1 done"; 3]);
    assert_eq!(c.look(&entry.expect("an entry")), "seen true left 2 stale 0");
    let report = c.mail.sync();
    assert_eq!(
        (report.new, report.changed, report.gone),
        (0, 0, 0),
        "the rows are as the files"
    );
}

#[test]
fn a_change_that_changes_nothing_says_so_and_leaves_no_entry() {
    let (c, one, _) = two();
    c.change("mark_read", &[&one]);
    let (output, _) = c.change("mark_read", &[&one]);
    assert_eq!(
        output,
        json!({"marked": [], "not_changed": [{"message_id": one, "reason": "already_so"}]})
    );
    assert_eq!(c.journal().len(), 2);
}

#[test]
fn a_file_that_was_renamed_meanwhile_is_found_and_one_that_is_gone_is_said() {
    let (c, one, two) = two();
    c.mail
        .rename("new/1700000001.a.host", "cur/1700000001.a.host:2,R");
    c.mail.remove("cur/1700000002.b.host,S=1:2,Pa");
    c.mail.remove(".A/cur/1700000003.c.host:2,F");
    let (output, entry) = c.change("flag_messages", &[&one, &two]);
    assert_eq!(
        output,
        json!({"marked": [one], "not_changed": [{"message_id": two, "reason": "not_there"}]})
    );
    assert_eq!(c.mail.files(), ["cur/1700000001.a.host:2,FR"]);
    assert_eq!(c.look(&entry.expect("an entry")), "flagged true left 1 stale 1");
}

#[test]
fn one_that_was_read_elsewhere_meanwhile_is_already_so_and_not_undone() {
    let (c, _, two) = two();
    c.mail.rename(
        "cur/1700000002.b.host,S=1:2,Pa",
        "cur/1700000002.b.host,S=1:2,PSa",
    );
    let (output, entry) = c.change("mark_read", &[&two]);
    assert_eq!(
        output,
        json!({"marked": [], "not_changed": [{"message_id": two, "reason": "already_so"}]})
    );
    assert_eq!(c.journal(), ["mark_read done seen 0 1 already"]);
    assert_eq!(c.look(&entry.expect("an entry")), "seen true left 0 stale 1");
    assert_eq!(c.mail.places()[2], "INBOX 1 two");
}

#[test]
fn marking_unread_takes_it_back_and_the_entry_is_stale_then() {
    let (c, one, two) = two();
    let (_, entry) = c.change("mark_read", &[&one, &two]);
    let (output, _) = c.change("mark_unread", &[&two]);
    assert_eq!(output["marked"], json!([two]));
    assert_eq!(c.mail.files()[2], "cur/1700000002.b.host,S=1:2,Pa");
    assert_eq!(c.look(&entry.expect("an entry")), "seen true left 1 stale 1");
}

#[test]
fn nothing_is_renamed_through_a_link_or_onto_another_file() {
    let (c, one, two) = two();
    let outside = c.mail.dir.path().join("outside");
    std::fs::create_dir(&outside).expect("made");
    std::fs::rename(c.mail.root().join(".A/cur"), outside.join("cur")).expect("moved");
    std::os::unix::fs::symlink(outside.join("cur"), c.mail.root().join(".A/cur")).expect("linked");
    c.mail.put("cur/1700000002.b.host,S=1:2,PSa", "another file");
    let (output, _) = c.change("mark_read", &[&one, &two]);
    assert_eq!(output["marked"], json!([one]), "its place in INBOX was marked");
    assert!(outside.join("cur/1700000003.c.host:2,F").exists());
    assert_eq!(
        std::fs::read(c.mail.root().join("cur/1700000002.b.host,S=1:2,PSa")).expect("there"),
        b"another file"
    );
}

#[test]
fn a_maildir_that_is_not_there_is_an_error_and_leaves_no_entry() {
    let (c, one, _) = two();
    std::fs::rename(c.mail.root(), c.mail.dir.path().join("away")).expect("unmounted");
    let refused = c.call("mark_read", json!({"target": {"ids": [one]}}), Confirmation::Yes);
    assert_eq!(refused.err().map(|e| e.code()), Some(Code::Refused));
    assert_eq!(c.journal(), [""; 0]);
}

#[test]
fn a_preview_names_the_messages_that_would_change_and_changes_nothing() {
    let (c, one, two) = two();
    c.change("mark_read", &[&one]);
    let before = c.mail.files();
    let asked = c.call(
        "mark_read",
        json!({"target": {"ids": [one, two]}}),
        Confirmation::None,
    );
    let e = asked.expect_err("not confirmed");
    assert_eq!(e.code(), Code::ConfirmRequired);
    let id = MessageId::parse(&two).expect("an id");
    assert_eq!(
        e.changes().map(|p| p.changes.clone()),
        Some(vec![Change::new(&id, "seen", "unread", "read")])
    );
    assert_eq!(c.mail.files(), before);
}

#[test]
fn what_a_crash_left_open_is_settled_by_what_the_next_sync_sees() {
    let (c, one, two) = two();
    c.change("mark_read", &[&one, &two]);
    // As if the process had been killed after the renames, or after some of them, and before the outcome.
    let crash = |at: i64, process: Option<&str>| {
        c.mail
            .services
            .store
            .write(oaken_store::Durability::Full, |tx| {
                use oaken_store::OrFault;
                tx.execute(
                    "UPDATE journal_entry_row SET state = 'open', at = unixepoch() - ?1, process = coalesce(?2, process)",
                    oaken_store::rusqlite::params![at, process],
                )
                .or_fault()?;
                tx.execute("UPDATE journal_change_row SET outcome = 'open'", [])
                    .or_fault()
            })
            .expect("written");
    };
    c.mail.rename(
        "cur/1700000002.b.host,S=1:2,PSa",
        "cur/1700000002.b.host,S=1:2,Pa",
    );
    c.mail.remove(".A/cur/1700000003.c.host:2,FS");
    crash(60, None);
    c.mail.sync();
    assert_eq!(
        c.journal(),
        ["mark_read open seen 0 1 open"; 3],
        "it may still be under way"
    );
    // A process that is gone leaves it at once, one that runs on after a while.
    for (at, process) in [(0, Some("another-boot 1 1 pid:[1]")), (3_600, None)] {
        crash(at, process);
        c.mail.sync();
        assert_eq!(
            c.journal(),
            [
                "mark_read done seen 0 1 not_there",
                "mark_read done seen 0 1 done",
                "mark_read done seen 0 1 refused"
            ]
        );
    }
    assert!(
        !c.mail
            .files()
            .contains(&"cur/1700000002.b.host,S=1:2,PSa".to_owned()),
        "nothing was repeated"
    );
}
