//! What a first sync finds, and that it changes nothing.

use super::{Mail, mail};

#[test]
fn both_layouts_flags_and_special_uses_and_no_file_is_renamed() {
    let m = Mail::new();
    for folder in [".Sent", ".Work.Plans", "Archiv", "Archiv/2025", ".Entw&APw-rfe"] {
        m.folder(folder);
    }
    m.put("new/1700000001.a.host", mail("a@x", "in new", ""));
    m.put("cur/1700000002.b.host:2,FS", mail("b@x", "flagged", ""));
    m.put(
        "cur/1700000003.c.host,S=1,W=2:2,RTab",
        mail("c@x", "answered", ""),
    );
    m.put(".Sent/cur/1700000004.d.host:2,S", mail("d@x", "sent", ""));
    m.put(
        "Archiv/2025/cur/1700000005.e.host:2,S",
        mail("e@x", "archived", ""),
    );
    let before = m.files();
    let report = m.sync();
    assert_eq!(
        (report.new, report.changed, report.gone, report.left_alone),
        (5, 0, 0, 0)
    );
    assert_eq!(m.files(), before, "reading renames nothing");
    assert_eq!(
        m.rows("SELECT name, special_use, total, unread, flagged FROM folder_row ORDER BY name"),
        [
            "Archiv archive 0 0 0",
            "Archiv/2025 - 1 0 0",
            "Entwürfe drafts 0 0 0",
            "INBOX inbox 3 2 1",
            "Sent sent 1 0 0",
            "Work/Plans - 0 0 0",
        ]
    );
    assert_eq!(
        m.places(),
        [
            "Archiv/2025 1 archived",
            "INBOX 10 answered",
            "INBOX 5 flagged",
            "INBOX 0 in new",
            "Sent 1 sent"
        ]
    );
    assert_eq!(
        m.rows("SELECT subject, received, sent, unread, flagged, answered, in_inbox, in_sent, to_first FROM message_row
            ORDER BY received"),
        [
            "in new 1700000001 1796029200 1 0 0 1 0 Bob",
            "flagged 1700000002 1796029200 0 1 0 1 0 Bob",
            "answered 1700000003 1796029200 1 0 1 1 0 Bob",
            "sent 1700000004 1796029200 0 0 0 0 1 Bob",
            "archived 1700000005 1796029200 0 0 0 0 0 Bob",
        ]
    );
    assert_eq!(
        m.rows("SELECT state, reason, complete_back_to, failures FROM account_row"),
        ["ok - 0 0"]
    );
}

#[test]
fn a_second_sync_finds_nothing_and_flags_follow_a_rename() {
    let m = Mail::new();
    m.put("new/1700000001.a.host", mail("a@x", "one", ""));
    m.sync();
    let id = m.id("one");
    let report = m.sync();
    assert_eq!((report.new, report.changed, report.gone), (0, 0, 0));
    m.rename("new/1700000001.a.host", "cur/1700000001.a.host:2,S");
    let report = m.sync();
    assert_eq!((report.new, report.changed, report.gone), (0, 1, 0));
    assert_eq!((m.id("one"), m.places()), (id, vec!["INBOX 1 one".to_owned()]));
    assert_eq!(m.rows("SELECT unread, total FROM folder_row"), ["0 1"]);
    assert_eq!(
        m.rows("SELECT file FROM location_row"),
        ["cur/1700000001.a.host:2,S"]
    );
}

#[test]
fn a_removed_folder_is_gone_with_its_places() {
    let m = Mail::new();
    m.folder(".Work");
    m.put(".Work/cur/1700000001.a.host:2,", mail("a@x", "one", ""));
    m.sync();
    std::fs::remove_dir_all(m.root().join(".Work")).expect("removed");
    assert_eq!(m.sync().gone, 1);
    assert_eq!(m.rows("SELECT name FROM folder_row"), ["INBOX"]);
    assert_eq!(
        m.rows("SELECT vanished_at IS NOT NULL, text_state FROM message_row"),
        ["1 vanished"]
    );
}

#[test]
fn more_than_a_batch_is_taken_in_newest_first() {
    let m = Mail::new();
    for n in 0..450 {
        m.put(
            &format!("cur/{}.x.host:2,S", 1_700_000_000 + n),
            mail(&format!("{n}@x"), &format!("mail {n}"), ""),
        );
    }
    let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let told = seen.clone();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let progress = std::sync::Arc::new(move |p: crate::sync::Progress| {
        told.lock().expect("held").push((p.messages, p.of))
    });
    let report = runtime
        .block_on(crate::sync::run(&m.services, &m.account, progress))
        .expect("synced");
    assert_eq!(report.new, 450);
    assert_eq!(*seen.lock().expect("held"), [(200, 450), (400, 450), (450, 450)]);
    assert_eq!(
        m.rows("SELECT subject FROM message_row ORDER BY row LIMIT 2"),
        ["mail 449", "mail 448"]
    );
}
