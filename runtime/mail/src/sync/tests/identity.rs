//! Ids: what keeps one, what gets a new one, and what waits.

use super::{Mail, mail};

#[test]
fn a_move_between_folders_keeps_the_id_whichever_is_scanned_first() {
    for (from, to) in [(".A", ".Z"), (".Z", ".A")] {
        let m = Mail::new();
        m.folder(".A");
        m.folder(".Z");
        m.put(
            &format!("{from}/cur/1700000001.a.host:2,S"),
            mail("a@x", "one", ""),
        );
        m.sync();
        let id = m.id("one");
        m.rename(
            &format!("{from}/cur/1700000001.a.host:2,S"),
            &format!("{to}/cur/1700000009.b.host:2,FS"),
        );
        m.sync();
        assert_eq!(m.id("one"), id);
        assert_eq!(m.places(), [format!("{} 5 one", &to[1..])]);
        assert_eq!(
            m.rows("SELECT text_state, vanished_at FROM message_row"),
            ["whole -"]
        );
    }
}

#[test]
fn a_copy_elsewhere_is_another_place_of_the_same_message() {
    let m = Mail::new();
    m.folder(".A");
    m.put("cur/1700000001.a.host:2,S", mail("a@x", "one", ""));
    m.put(".A/cur/1700000002.b.host:2,", mail("a@x", "one", ""));
    m.sync();
    assert_eq!(m.places(), ["A 0 one", "INBOX 1 one"]);
    let id = m.id("one");
    m.remove("cur/1700000001.a.host:2,S");
    m.sync();
    assert_eq!((m.id("one"), m.places()), (id, vec!["A 0 one".to_owned()]));
}

#[test]
fn equal_mails_in_one_folder_are_two_and_stay_two() {
    let m = Mail::new();
    m.folder(".A");
    m.put("cur/1700000001.a.host:2,", mail("a@x", "one", ""));
    m.put("cur/1700000002.b.host:2,", mail("a@x", "one", ""));
    m.sync();
    let ids = m.rows("SELECT id FROM message_row ORDER BY id");
    assert_eq!(ids.len(), 2);
    m.rename("cur/1700000001.a.host:2,", ".A/cur/1700000001.a.host:2,");
    m.rename("cur/1700000002.b.host:2,", ".A/cur/1700000002.b.host:2,");
    m.sync();
    assert_eq!(m.rows("SELECT id FROM message_row ORDER BY id"), ids);
    assert_eq!(
        m.rows("SELECT count(DISTINCT message), count(*) FROM location_row"),
        ["2 2"]
    );
}

#[test]
fn equal_mails_keep_their_own_ids_when_all_are_met_anew() {
    let m = Mail::new();
    m.folder(".A");
    let ids = || {
        m.rows("SELECT m.id, l.flags FROM message_row m JOIN location_row l ON l.message = m.row ORDER BY m.received")
    };
    m.put("cur/1700000001.a.host:2,F", mail("a@x", "one", ""));
    m.sync();
    m.put("cur/1700000002.b.host:2,", mail("a@x", "one", ""));
    m.sync();
    let before = ids();
    assert_eq!(before.len(), 2);
    m.rename("cur/1700000001.a.host:2,F", ".A/cur/1700000001.c.host:2,F");
    m.rename("cur/1700000002.b.host:2,", ".A/cur/1700000002.d.host:2,");
    m.sync();
    assert_eq!(
        ids(),
        before,
        "the newer one is met first and does not take the older's place"
    );
}

#[test]
fn mails_of_one_message_id_and_size_with_other_text_are_two() {
    let m = Mail::new();
    m.folder(".A");
    m.put("cur/1700000001.a.host:2,", mail("a@x", "ones", ""));
    m.put(".A/cur/1700000002.b.host:2,", mail("a@x", "twos", ""));
    m.sync();
    assert_ne!(m.id("ones"), m.id("twos"));
    assert_eq!(
        m.rows("SELECT count(DISTINCT thread), count(*) FROM message_row"),
        ["1 2"]
    );
}

#[test]
fn a_vanished_id_waits_without_text_and_comes_back() {
    let m = Mail::new();
    m.put("cur/1700000001.a.host:2,S", mail("a@x", "one", ""));
    m.sync();
    let id = m.id("one");
    m.remove("cur/1700000001.a.host:2,S");
    assert_eq!(m.sync().gone, 1);
    assert_eq!(
        m.rows("SELECT id, subject, from_addr, snippet, text_state FROM message_row"),
        [format!("{id}    vanished")]
    );
    assert_eq!(m.rows("SELECT count(*) FROM body_row"), ["0"]);
    m.put("cur/1700000077.z.host:2,", mail("a@x", "one", ""));
    m.sync();
    assert_eq!(
        m.rows("SELECT id, subject, text_state, vanished_at FROM message_row"),
        [format!("{id} one whole -")]
    );
    assert_eq!(m.rows("SELECT text FROM body_row"), ["Text of one."]);
}

#[test]
fn a_file_rewritten_under_another_name_keeps_its_id() {
    let m = Mail::new();
    m.put("cur/1700000001.a.host:2,S", mail("a@x", "one", ""));
    m.sync();
    let id = m.id("one");
    m.rename("cur/1700000001.a.host:2,S", "cur/1700000002.other.host:2,S");
    m.sync();
    assert_eq!((m.id("one"), m.places().len()), (id, 1));
}

#[test]
fn a_vanished_id_is_forgotten_after_ninety_days() {
    let m = Mail::new();
    m.put("cur/1700000001.a.host:2,S", mail("a@x", "one", ""));
    m.sync();
    m.remove("cur/1700000001.a.host:2,S");
    m.sync();
    let days_ago = |days: i64| {
        m.services
            .store
            .write(oaken_store::Durability::Normal, |tx| {
                use oaken_store::OrFault;
                tx.execute(
                    "UPDATE message_row SET vanished_at = unixepoch() - ?1 * 86400",
                    [days],
                )
                .or_fault()
            })
            .expect("written");
    };
    days_ago(89);
    m.sync();
    assert_eq!(m.rows("SELECT count(*) FROM message_row"), ["1"]);
    days_ago(91);
    m.sync();
    assert_eq!(m.rows("SELECT count(*) FROM message_row"), ["0"]);
}

#[test]
fn a_reply_finds_its_thread_before_its_parent_and_joins_two() {
    let m = Mail::new();
    m.put("cur/1700000009.a.host:2,", mail("3@x", "third", "<1@x> <2@x>"));
    m.sync();
    let thread = m.rows("SELECT id FROM thread_row");
    m.put("cur/1700000001.b.host:2,", mail("1@x", "first", ""));
    m.put("cur/1700000002.c.host:2,", mail("9@x", "apart", ""));
    m.sync();
    assert_eq!(m.rows("SELECT count(DISTINCT thread) FROM message_row"), ["2"]);
    m.put("cur/1700000010.d.host:2,", mail("4@x", "joins", "<9@x> <3@x>"));
    m.sync();
    assert_eq!(m.rows("SELECT count(DISTINCT thread) FROM message_row"), ["1"]);
    assert_eq!(
        m.rows(
            "SELECT t.id, t.messages, t.latest, t.latest_unread FROM thread_row t WHERE merged_into IS NULL"
        ),
        [format!("{} 4 1700000010 1700000010", thread[0])]
    );
    // The id of the thread that was merged still leads somewhere.
    assert_eq!(
        m.rows("SELECT messages, latest, merged_into IS NOT NULL FROM thread_row WHERE messages = 0"),
        ["0 - 1"]
    );
}
