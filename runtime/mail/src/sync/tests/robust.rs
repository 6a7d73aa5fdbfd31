//! Hostile and broken Maildirs: each is told by name, and nothing else suffers.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use oaken_core::Code;

use super::{Mail, mail};
use crate::sync::lease::Lease;

#[test]
fn links_are_refused_by_name_and_the_rest_is_taken_in() {
    let m = Mail::new();
    let outside = m.dir.path().join("outside");
    for sub in ["cur", "new"] {
        std::fs::create_dir_all(outside.join(sub)).expect("made");
    }
    std::fs::write(outside.join("cur/1700000001.k.host:2,S"), mail("k@x", "key", "")).expect("written");
    std::fs::write(m.dir.path().join("key"), "-----BEGIN PRIVATE KEY-----").expect("written");
    symlink(
        m.dir.path().join("key"),
        m.root().join("cur/1700000002.l.host:2,S"),
    )
    .expect("linked");
    symlink("/nowhere", m.root().join("new/1700000003.n.host")).expect("linked");
    symlink(&outside, m.root().join(".Outside")).expect("linked");
    m.folder(".Half");
    std::fs::remove_dir(m.root().join(".Half/new")).expect("removed");
    symlink(outside.join("cur"), m.root().join(".Half/new")).expect("linked");
    m.put("cur/1700000004.a.host:2,", mail("a@x", "one", ""));
    let report = m.sync();
    assert_eq!((report.new, report.left_alone), (1, 4));
    assert_eq!(m.places(), ["INBOX 0 one"]);
    assert_eq!(
        m.rows("SELECT reason, name FROM sync_issue_row ORDER BY name"),
        [
            "link .Outside",
            "link cur/1700000002.l.host:2,S",
            "link new",
            "link new/1700000003.n.host"
        ]
    );
}

#[test]
fn odd_names_and_odd_files_cost_nothing_else() {
    let m = Mail::new();
    m.put("cur/no-time-in-it", mail("a@x", "odd name", ""));
    m.put("cur/.hidden", "not mail");
    m.put("cur/1700000001.colon:2,S:2,T", mail("b@x", "two infos", ""));
    std::fs::create_dir(m.root().join("cur/a-folder")).expect("made");
    let name = std::ffi::OsStr::from_bytes(b"1700000002.\xff\xfe.host:2,");
    std::fs::write(m.root().join("cur").join(name), mail("c@x", "not utf-8", "")).expect("written");
    let made = std::process::Command::new("mkfifo")
        .arg(m.root().join("cur/1700000003.pipe:2,"))
        .status();
    assert!(made.is_ok_and(|s| s.success()));
    m.put("cur/1700000004.empty:2,", "");
    m.put(
        "cur/1700000005.bytes:2,",
        (0..=255u8).cycle().take(10_000).collect::<Vec<u8>>(),
    );
    let report = m.sync();
    assert_eq!((report.new, report.left_alone), (4, 2));
    assert_eq!(
        m.rows("SELECT reason FROM sync_issue_row ORDER BY reason"),
        ["name_not_utf8", "no_regular_file"]
    );
    assert_eq!(
        m.rows("SELECT count(*) FROM message_row WHERE text_state <> 'vanished'"),
        ["4"]
    );
}

#[test]
fn a_maildir_that_is_not_there_is_an_error_and_no_empty_mailbox() {
    let m = Mail::new();
    m.put("cur/1700000001.a.host:2,", mail("a@x", "one", ""));
    m.sync();
    let away = m.dir.path().join("away");
    std::fs::rename(m.root(), &away).expect("unmounted");
    let check = |m: &Mail| {
        assert_eq!(m.try_sync().err().map(|e| e.code()), Some(Code::Refused));
        assert_eq!(m.places(), ["INBOX 0 one"]);
        assert_eq!(
            m.rows("SELECT state, reason FROM account_row"),
            ["waiting_for_person maildir_missing"]
        );
        let refused = crate::sync::check_for_agent(&m.services, &m.account);
        assert_eq!(refused.err().map(|e| e.code()), Some(Code::Refused));
    };
    check(&m);
    std::fs::create_dir(m.root()).expect("an empty mount point");
    check(&m);
    std::fs::remove_dir(m.root()).expect("removed");
    std::fs::rename(&away, m.root()).expect("mounted");
    m.sync();
    crate::sync::check_for_agent(&m.services, &m.account).expect("due again");
    assert_eq!(
        m.rows("SELECT state, reason, failures FROM account_row"),
        ["ok - 0"]
    );
}

#[test]
fn of_two_runs_one_syncs_and_a_lost_lease_lapses() {
    let m = Mail::new();
    let row: i64 = m.rows("SELECT row FROM account_row")[0]
        .parse()
        .expect("a number");
    let held = Lease::take(m.services.clone(), row).expect("free");
    assert_eq!(m.try_sync().err().map(|e| e.code()), Some(Code::Busy));
    held.renew().expect("still ours");
    drop(held);
    m.sync();
    // A process that was killed holds one: until its time is over, or the machine started anew.
    let killed = |sql: &str| {
        m.services
            .store
            .write(oaken_store::Durability::Normal, |tx| {
                use oaken_store::OrFault;
                tx.execute(sql, []).or_fault()
            })
            .expect("written");
    };
    killed("UPDATE account_row SET lease_holder = 'e_x', lease_boot = 'another boot', lease_until = 1e15");
    m.sync();
    killed("UPDATE account_row SET lease_holder = 'e_x', lease_until = 0");
    m.sync();
    killed(
        "UPDATE account_row SET lease_holder = 'e_x', lease_process = 'another-boot 1 1 pid:[1]',
            lease_until = 1000000000000000",
    );
    m.sync();
    killed("UPDATE account_row SET lease_holder = 'e_x', lease_until = 1000000000000000");
    assert_eq!(m.try_sync().err().map(|e| e.code()), Some(Code::Busy));
}

#[test]
fn what_lies_on_disk_is_the_mails_size_and_a_long_text_is_cut_and_said() {
    let m = Mail::new();
    let long = format!("Subject: long\r\n\r\n{}", "many words ".repeat(60_000));
    m.put("cur/1700000001.a.host:2,", &long);
    m.sync();
    assert_eq!(
        m.rows("SELECT size, text_state FROM message_row"),
        [format!("{} cut", long.len())]
    );
    assert_eq!(
        m.rows("SELECT length(text) <= 524288, length(text) > 520000 FROM body_row"),
        ["1 1"]
    );
    assert_eq!(m.rows("SELECT length(snippet) <= 400 FROM message_row"), ["1"]);
}

#[test]
fn a_run_that_is_dropped_half_way_gives_its_lease_back_and_says_so() {
    let m = Mail::new();
    m.put("cur/1700000001.a.host:2,", mail("a@x", "one", ""));
    let row: i64 = m.rows("SELECT row FROM account_row")[0]
        .parse()
        .expect("a number");
    let lease = Lease::take(m.services.clone(), row).expect("free");
    crate::sync::state::begin(&m.services, row).expect("begun");
    drop(lease);
    assert_eq!(
        m.rows("SELECT state, reason, lease_holder FROM account_row"),
        ["failing interrupted -"]
    );
    m.sync();
    assert_eq!(
        m.rows("SELECT state, reason, lease_holder FROM account_row"),
        ["ok - -"]
    );
}

#[test]
fn what_a_killed_process_left_under_way_is_said_to_be_interrupted_by_the_next() {
    let m = Mail::new();
    m.sync();
    let leave = |process: &str| {
        m.services
            .store
            .write(oaken_store::Durability::Normal, |tx| {
                use oaken_store::OrFault;
                tx.execute(
                    "UPDATE account_row SET state = 'syncing', lease_holder = 'e_x', lease_process = ?1,
                        lease_until = 1000000000000000",
                    [process],
                )
                .or_fault()
            })
            .expect("written");
        crate::sync::settle_leases(&m.services.store).expect("settled");
        m.rows("SELECT state, reason, lease_holder FROM account_row")
    };
    assert_eq!(leave(oaken_store::process::this()), ["syncing - e_x"]);
    assert_eq!(leave("another-boot 1 1 pid:[1]"), ["failing interrupted -"]);
}

#[test]
fn a_sync_that_is_told_to_stop_ends_after_its_batch_and_gives_its_lease_back() {
    let m = Mail::new();
    for n in 0..450 {
        m.put(
            &format!("cur/{}.x.host:2,S", 1_700_000_000 + n),
            mail(&format!("{n}@x"), &format!("mail {n}"), ""),
        );
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let services = m.services.clone();
    let stop = std::sync::Arc::new(move |_| services.stop_syncing());
    let stopped = runtime.block_on(crate::sync::run(&m.services, &m.account, stop));
    assert_eq!(stopped.err().map(|e| e.code()), Some(Code::Interrupted));
    assert_eq!(
        m.rows("SELECT state, reason, lease_holder, failures, next_try FROM account_row"),
        ["failing interrupted - 0 -"]
    );
    assert_eq!(m.rows("SELECT count(*) FROM message_row"), ["200"]);
    assert_eq!(m.try_sync().err().map(|e| e.code()), Some(Code::Interrupted));
}

/// As if nothing had changed there for an hour.
fn settled(m: &Mail, folder: &str) {
    let then = std::time::SystemTime::now() - std::time::Duration::from_secs(3_600);
    for sub in ["cur", "new"] {
        std::fs::File::open(m.root().join(folder).join(sub))
            .and_then(|dir| dir.set_modified(then))
            .expect("set");
    }
}

#[test]
fn what_was_left_alone_is_known_until_its_folder_is_looked_at_again() {
    let m = Mail::new();
    m.folder(".Work");
    symlink("/nowhere", m.root().join("cur/1700000001.l.host:2,S")).expect("linked");
    symlink("/nowhere", m.root().join(".Work/cur/1700000001.l.host:2,S")).expect("linked");
    symlink("/tmp", m.root().join(".Tmp")).expect("linked");
    let known = || m.rows("SELECT reason, name FROM sync_issue_row ORDER BY name, folder");
    let all = [
        "link .Tmp",
        "link cur/1700000001.l.host:2,S",
        "link cur/1700000001.l.host:2,S",
    ];
    settled(&m, "");
    settled(&m, ".Work");
    for _ in 0..3 {
        assert_eq!(m.sync().left_alone, 3);
        assert_eq!(known(), all);
    }
    m.remove(".Work/cur/1700000001.l.host:2,S");
    assert_eq!(m.sync().left_alone, 2);
    assert_eq!(known(), all[..2]);
    m.remove("cur/1700000001.l.host:2,S");
    m.remove(".Tmp");
    assert_eq!(m.sync().left_alone, 0);
    assert_eq!(known(), [""; 0]);
}

#[test]
fn a_folder_that_is_not_taken_in_is_told_by_name() {
    let m = Mail::new();
    for folder in [".a..b", ".....", ".Good", "Work/.Plans"] {
        m.folder(folder);
        m.put(
            &format!("{folder}/cur/1700000001.a.host:2,S"),
            mail("a@x", "one", ""),
        );
    }
    m.folder(".Linked");
    std::fs::remove_dir(m.root().join(".Linked/cur")).expect("removed");
    symlink(m.root().join("cur"), m.root().join(".Linked/cur")).expect("linked");
    m.folder(".NewOnly");
    std::fs::remove_dir(m.root().join(".NewOnly/cur")).expect("removed");
    let report = m.sync();
    assert_eq!((report.new, report.left_alone), (1, 5));
    assert_eq!(
        m.rows("SELECT reason, name FROM sync_issue_row ORDER BY name"),
        [
            "odd_name .....",
            "link .Linked",
            "no_cur .NewOnly",
            "odd_name .a..b",
            "odd_name Work/.Plans"
        ]
    );
    assert_eq!(
        m.rows("SELECT name FROM folder_row ORDER BY name"),
        ["Good", "INBOX"]
    );
}

#[test]
fn folders_that_would_be_read_alike_are_told_apart() {
    let m = Mail::new();
    for folder in [".INBOX", "inbox", ".Work", "Work"] {
        m.folder(folder);
    }
    m.sync();
    assert_eq!(
        m.rows("SELECT wire_name, name, special_use FROM folder_row ORDER BY wire_name"),
        [
            ". INBOX inbox",
            ".INBOX .INBOX -",
            ".Work .Work -",
            "Work Work -",
            "inbox ./inbox -"
        ]
    );
}
