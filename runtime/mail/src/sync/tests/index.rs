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
