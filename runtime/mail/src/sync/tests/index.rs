//! The full text follows the rows, and mends itself.

use super::{Mail, mail};
use crate::index::{Index, terms};

#[track_caller]
fn check(m: &Mail, word: &str, subjects: &[&str]) {
    let row: i64 = m.rows("SELECT row FROM account_row")[0]
        .parse()
        .expect("a number");
    let expression = terms::for_query(word).expect("a term");
    let hits = m.services.index.matches(row, &expression, 100).expect("asked");
    let mut found: Vec<String> = hits
        .iter()
        .flat_map(|h| m.rows_of("SELECT subject FROM message_row WHERE row = ?1", &[h]))
        .collect();
    found.sort();
    assert_eq!(found, subjects, "{word}");
    let held = m.services.index.held(row).expect("asked");
    assert_eq!(
        held.to_string(),
        m.rows("SELECT count(*) FROM message_row WHERE vanished_at IS NULL")[0]
    );
}

#[test]
fn words_of_subject_text_and_people_are_found_and_what_is_gone_is_not() {
    let m = Mail::new();
    m.put("cur/1700000001.a.host:2,", mail("a@x", "apples", ""));
    m.put("cur/1700000002.b.host:2,", mail("b@x", "pears", ""));
    m.sync();
    check(&m, "apples", &["apples"]);
    check(&m, "text of pears", &["pears"]);
    check(&m, "bob@example.org", &["apples", "pears"]);
    check(&m, "ada", &["apples", "pears"]);
    check(&m, "plums", &[]);
    m.remove("cur/1700000001.a.host:2,");
    m.sync();
    check(&m, "apples", &[]);
    check(&m, "ada", &["pears"]);
    m.put("cur/1700000003.c.host:2,", mail("a@x", "apples", ""));
    m.sync();
    check(&m, "apples", &["apples"]);
}

/// Mail as it comes from Japan and China: the subject as an encoded word, the text in the charset of the place.
fn of_charset(subject: &str, charset: &str, text: &[u8]) -> Vec<u8> {
    let head = format!(
        "From: Ada <ada@example.org>\r\nSubject: {subject}\r\nMIME-Version: 1.0\r\n\
         Content-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    );
    [head.as_bytes(), text, b"\r\n"].concat()
}

#[test]
fn words_of_scripts_without_spaces_are_found_within_a_run() {
    let m = Mail::new();
    // 東京都の会議は金曜日です
    let japanese = b"\x93\x8c\x8b\x9e\x93s\x82\xcc\x89\xef\x8bc\x82\xcd\x8b\xe0\x97j\x93\xfa\x82\xc5\x82\xb7";
    m.put(
        "cur/1700000001.a.host:2,",
        of_charset("jp", "Shift_JIS", japanese),
    );
    // 会议推迟到星期五
    let chinese = b"\xbb\xe1\xd2\xe9\xcd\xc6\xb3\xd9\xb5\xbd\xd0\xc7\xc6\xda\xce\xe5";
    let subject = "=?GB18030?B?u+HS6c2o1qo=?=";
    m.put(
        "cur/1700000002.b.host:2,",
        of_charset(subject, "GB18030", chinese),
    );
    m.sync();
    check(&m, "会議", &["jp"]);
    check(&m, "京都", &["jp"]);
    check(&m, "金曜日", &["jp"]);
    check(&m, "会议", &["会议通知"]);
    check(&m, "通知", &["会议通知"]);
    check(&m, "星期五", &["会议通知"]);
    check(&m, "星期六", &[]);
}

#[test]
fn the_names_of_attachments_are_found() {
    let m = Mail::new();
    m.put(
        "cur/1700000001.a.host:2,",
        "From: Ada <ada@example.org>\r\nSubject: numbers\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee there.\r\n\
         --b\r\nContent-Type: application/pdf; name=\"quarterly-report 2026.pdf\"\r\n\
         Content-Disposition: attachment; filename=\"quarterly-report 2026.pdf\"\r\n\r\nx\r\n--b--\r\n",
    );
    m.sync();
    check(&m, "see", &["numbers"]);
    check(&m, "quarterly", &["numbers"]);
    check(&m, "quarterly-report 2026.pdf", &["numbers"]);
    check(&m, "pdf", &["numbers"]);
    m.remove("cur/1700000001.a.host:2,");
    m.sync();
    check(&m, "quarterly", &[]);
}

#[test]
fn an_index_that_is_missing_behind_or_ahead_is_mended() {
    let m = Mail::new();
    m.put("cur/1700000001.a.host:2,", mail("a@x", "apples", ""));
    m.sync();
    let row: i64 = m.rows("SELECT row FROM account_row")[0]
        .parse()
        .expect("a number");
    m.services.index.forget(row).expect("forgotten");
    m.sync();
    check(&m, "apples", &["apples"]);
    m.put("cur/1700000002.b.host:2,", mail("b@x", "pears", ""));
    m.sync();
    check(&m, "pears", &["pears"]);
    // As after an older oaken.db was put back: the index knows mail that the rows never saw, then new mail comes.
    m.remove("cur/1700000002.b.host:2,");
    m.services
        .store
        .write(oaken_store::Durability::Normal, |tx| {
            use oaken_store::OrFault;
            tx.execute("DELETE FROM message_row WHERE subject = 'pears'", [])
                .or_fault()?;
            tx.execute("UPDATE account_row SET revision = 1", []).or_fault()?;
            tx.execute("UPDATE folder_row SET stamp = NULL", []).or_fault()
        })
        .expect("set back");
    m.put("cur/1700000003.c.host:2,", mail("c@x", "plums", ""));
    m.put("cur/1700000004.d.host:2,", mail("d@x", "cherries", ""));
    m.sync();
    check(&m, "plums", &["plums"]);
    check(&m, "cherries", &["cherries"]);
    check(&m, "pears", &[]);
    check(&m, "ada", &["apples", "cherries", "plums"]);
}

#[test]
fn a_damaged_index_is_made_anew() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(
        dir.path().join("index.db"),
        "this is no database, whatever its name says",
    )
    .expect("written");
    let index = Index::open(dir.path()).expect("made anew");
    assert_eq!(index.held(1).expect("asked"), 0);
}

#[test]
fn a_table_that_an_older_oaken_made_otherwise_is_made_anew() {
    let m = Mail::new();
    m.put("cur/1700000001.a.host:2,", mail("a@x", "apples", ""));
    m.sync();
    let row = &m.rows("SELECT row FROM account_row")[0];
    let c =
        oaken_store::rusqlite::Connection::open(m.services.data_dir().join("index.db")).expect("the index");
    c.execute_batch(&format!(
        "DROP TABLE fts_{row}; CREATE VIRTUAL TABLE fts_{row} USING fts5(subject, content='', contentless_delete=1);"
    ))
    .expect("as it was once");
    drop(c);
    m.put("cur/1700000002.b.host:2,", mail("b@x", "pears", ""));
    m.sync();
    check(&m, "ada", &["apples", "pears"]);
}
