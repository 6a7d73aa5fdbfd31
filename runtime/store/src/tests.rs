//! The store on real files: what goes wrong with a database, each with its code and a sentence that says what to do.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use oaken_core::{Code, Error};
use rusqlite::Connection;

use crate::{Durability, MIGRATIONS, OrFault, Store, fault};

const ONE: &str = "CREATE TABLE note_row (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;";
const TWO: &str = "ALTER TABLE note_row ADD COLUMN more TEXT;";

fn place() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("data").join("oaken.db");
    (dir, path)
}

fn open(path: &Path, migrations: &[&str]) -> oaken_core::Result<Store> {
    Store::open_within(path, migrations, Duration::from_millis(50))
}

fn put(store: &Store, n: i64) -> oaken_core::Result<()> {
    store.write(Durability::Full, |tx| {
        tx.execute("INSERT INTO note_row (n, text) VALUES (?1, 'x')", [n])
            .or_fault()?;
        Ok(())
    })
}

fn count(store: &Store) -> i64 {
    store
        .read(|c| {
            c.query_row("SELECT count(*) FROM note_row", [], |r| r.get(0))
                .or_fault()
        })
        .expect("a count")
}

#[track_caller]
fn check(got: oaken_core::Result<Store>, code: Code, begins: &str) {
    let e: Error = got.err().expect("refused");
    assert_eq!(e.code(), code, "{e}");
    assert!(e.message().starts_with(begins), "{e}");
}

#[test]
fn what_is_written_is_read_by_every_handle() {
    let (_dir, path) = place();
    let (a, b) = (open(&path, &[ONE]).expect("a"), open(&path, &[ONE]).expect("b"));
    put(&a, 1).expect("one");
    put(&b, 2).expect("two");
    assert_eq!((count(&a), count(&b)), (2, 2));
}

#[test]
fn a_failed_or_panicking_write_leaves_nothing_and_the_next_one_works() {
    let (_dir, path) = place();
    let store = open(&path, &[ONE]).expect("open");
    let failed = store.write(Durability::Full, |tx| {
        tx.execute("INSERT INTO note_row (n, text) VALUES (1, 'x')", [])
            .or_fault()?;
        Err::<(), _>(Error::internal())
    });
    assert!(failed.is_err());
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        store.write(Durability::Normal, |tx| -> oaken_core::Result<()> {
            tx.execute("INSERT INTO note_row (n, text) VALUES (2, 'x')", [])
                .or_fault()?;
            panic!("a handler")
        })
    }));
    assert!(panicked.is_err());
    put(&store, 3).expect("three");
    assert_eq!(count(&store), 1);
}

#[test]
fn each_write_has_the_durability_it_asks_for() {
    let (_dir, path) = place();
    let store = open(&path, &[ONE]).expect("open");
    for (durability, expected) in [
        (Durability::Full, 2),
        (Durability::Normal, 1),
        (Durability::Normal, 1),
        (Durability::Full, 2),
    ] {
        let mode: i64 = store
            .write(durability, |tx| {
                tx.query_row("PRAGMA synchronous", [], |r| r.get(0)).or_fault()
            })
            .expect("a mode");
        assert_eq!(mode, expected);
    }
    let (journal, wiped): (String, i64) = store
        .write(Durability::Full, |tx| {
            let journal = tx.query_row("PRAGMA journal_mode", [], |r| r.get(0)).or_fault()?;
            let wiped = tx
                .query_row("PRAGMA secure_delete", [], |r| r.get(0))
                .or_fault()?;
            Ok((journal, wiped))
        })
        .expect("pragmas");
    assert_eq!((journal.as_str(), wiped), ("wal", 1));
}

#[test]
fn readers_cannot_write_but_may_have_temporary_views() {
    let (_dir, path) = place();
    let store = open(&path, &[ONE]).expect("open");
    put(&store, 1).expect("one");
    let reader = store.checkout().expect("a reader");
    reader
        .execute_batch(
            "CREATE TEMP TABLE reach (n INTEGER); CREATE TEMP VIEW note AS SELECT n FROM note_row;",
        )
        .expect("temporary");
    let e = fault(reader.execute("DELETE FROM note_row", []).expect_err("read-only"));
    assert_eq!(e.code(), Code::Refused);
    assert!(e.message().starts_with("The database cannot be written"), "{e}");
    drop(reader);
    // What a taker set up stays on its connection, and never meets the plain readers.
    let again = store.checkout().expect("the same reader");
    assert_eq!(
        again.query_row("SELECT count(*) FROM note", [], |r| r.get::<_, i64>(0)),
        Ok(1)
    );
    let plain = store.read(|c| {
        c.query_row("SELECT count(*) FROM note", [], |r| r.get::<_, i64>(0))
            .or_fault()
    });
    assert!(plain.is_err());
}

#[test]
fn a_database_locked_by_another_process_is_busy_and_says_so() {
    let (_dir, path) = place();
    let store = open(&path, &[ONE]).expect("open");
    let other = Connection::open(&path).expect("another process");
    other.execute_batch("BEGIN IMMEDIATE").expect("its lock");
    let e = put(&store, 1).expect_err("locked");
    assert_eq!(e.code(), Code::Busy);
    assert_eq!(serde_json::to_value(&e).expect("json")["retry"], true);
    other.execute_batch("ROLLBACK").expect("let go");
    put(&store, 1).expect("free");
}

#[test]
fn writers_that_wait_for_a_locked_database_are_busy_together_and_not_one_after_another() {
    let (_dir, path) = place();
    let store = Store::open_within(&path, &[ONE], Duration::from_millis(400)).expect("open");
    let other = Connection::open(&path).expect("another process");
    other.execute_batch("BEGIN IMMEDIATE").expect("its lock");
    let began = std::time::Instant::now();
    std::thread::scope(|s| {
        for n in 0..8 {
            let store = &store;
            s.spawn(move || assert_eq!(put(store, n).expect_err("locked").code(), Code::Busy));
        }
    });
    // One after another they would take eight times as long.
    assert!(
        began.elapsed() < Duration::from_millis(1_600),
        "{:?}",
        began.elapsed()
    );
    other.execute_batch("ROLLBACK").expect("let go");
    put(&store, 1).expect("free");
    assert_eq!(count(&store), 1);
}

#[test]
fn a_version_that_the_tables_belie_is_refused_and_left() {
    let (_dir, path) = place();
    drop(open(&path, &[ONE, TWO]).expect("open"));
    for version in [-5, 0, 1] {
        let c = Connection::open(&path).expect("altered");
        c.pragma_update(None, "user_version", version).expect("set");
        drop(c);
        check(
            open(&path, &[ONE, TWO]),
            Code::Refused,
            "The database is not of the version that it says",
        );
    }
    let c = Connection::open(&path).expect("altered");
    c.pragma_update(None, "user_version", 2).expect("set");
    drop(c);
    put(&open(&path, &[ONE, TWO]).expect("as it was"), 1).expect("one");
}

#[test]
fn a_newer_database_is_refused_by_name_and_left_as_it_is() {
    let (_dir, path) = place();
    drop(open(&path, &[ONE, TWO]).expect("the newer one"));
    let before = std::fs::read(&path).expect("its bytes");
    check(
        open(&path, &[ONE]),
        Code::Refused,
        "The database was written by a newer Oaken (version 2; this one knows 1)",
    );
    assert_eq!(std::fs::read(&path).expect("its bytes"), before);
}

#[test]
fn a_damaged_database_and_another_file_are_refused() {
    let (_dir, path) = place();
    std::fs::create_dir(path.parent().expect("a folder")).expect("made");
    std::fs::write(
        &path,
        "this is a letter and no database, and long enough to have a header of one",
    )
    .expect("written");
    check(
        open(&path, &[ONE]),
        Code::Refused,
        "The database is damaged or is no database of Oaken",
    );
}

#[test]
fn a_place_that_is_missing_is_made_and_one_below_a_file_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    open(&dir.path().join("a").join("b").join("oaken.db"), &[ONE]).expect("made with its parents");
    std::fs::write(dir.path().join("file"), "x").expect("a file");
    check(
        open(&dir.path().join("file").join("oaken.db"), &[ONE]),
        Code::Refused,
        "The data directory cannot be made",
    );
}

#[cfg(unix)]
#[test]
fn the_folder_and_the_files_are_their_owner_s_alone() {
    use std::os::unix::fs::PermissionsExt;
    let (_dir, path) = place();
    let store = open(&path, &[ONE]).expect("open");
    put(&store, 1).expect("one");
    let mode = |p: &Path| std::fs::metadata(p).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(path.parent().expect("a folder")), 0o700);
    for suffix in ["", "-wal", "-shm"] {
        assert_eq!(
            mode(Path::new(&format!("{}{suffix}", path.display()))),
            0o600,
            "{suffix}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_database_behind_a_link_is_refused() {
    let (dir, path) = place();
    drop(open(&path, &[ONE]).expect("open"));
    let link = dir.path().join("link.db");
    std::os::unix::fs::symlink(&path, &link).expect("a link");
    check(open(&link, &[ONE]), Code::Refused, "The database file is a link");
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_open_to_others_is_closed_or_refused() {
    use std::os::unix::fs::PermissionsExt;
    let (_dir, path) = place();
    let folder = path.parent().expect("a folder");
    let set = |mode| std::fs::set_permissions(folder, std::fs::Permissions::from_mode(mode)).expect("set");
    let mode = || std::fs::metadata(folder).expect("there").permissions().mode() & 0o777;
    std::fs::create_dir(folder).expect("made");
    // Empty, and then with the database in it: Oaken's own.
    for open_to in [0o777, 0o755] {
        set(open_to);
        drop(open(&path, &[ONE]).expect("open"));
        assert_eq!(mode(), 0o700, "{open_to:o}");
    }
    // With other things in it and no database: nothing is put where others could put another.
    std::fs::remove_file(&path).expect("removed");
    std::fs::write(folder.join("other"), "x").expect("written");
    set(0o777);
    check(
        open(&path, &[ONE]),
        Code::Refused,
        "The data directory holds other things and can be written by others",
    );
    assert!(!path.exists());
    set(0o755);
    for _ in 0..2 {
        drop(open(&path, &[ONE]).expect("open"));
        assert_eq!(mode(), 0o755, "other people's things stay in reach");
    }
    // Nor is a database taken that others could have put there.
    set(0o777);
    check(
        open(&path, &[ONE]),
        Code::Refused,
        "The data directory holds other things and can be written by others",
    );
}

#[test]
fn a_migration_backs_up_what_was_there() {
    let (_dir, path) = place();
    let old = open(&path, &[ONE]).expect("the old one");
    put(&old, 1).expect("one");
    drop(old);
    let new = open(&path, &[ONE, TWO]).expect("the new one");
    put(&new, 2).expect("two");
    let copy = Connection::open(format!("{}.before-2", path.display())).expect("a copy");
    assert_eq!(
        copy.query_row("SELECT count(*) FROM note_row", [], |r| r.get::<_, i64>(0)),
        Ok(1)
    );
    assert_eq!(
        copy.query_row("PRAGMA user_version", [], |r| r.get::<_, i64>(0)),
        Ok(1)
    );
}

#[test]
fn a_migration_that_fails_leaves_the_database_as_it_was() {
    let (_dir, path) = place();
    drop(open(&path, &[ONE]).expect("open"));
    assert!(
        open(
            &path,
            &[ONE, "CREATE TABLE other_row (n INTEGER) STRICT; SELECT nonsense;"]
        )
        .is_err()
    );
    let store = open(&path, &[ONE]).expect("as it was");
    put(&store, 1).expect("one");
    assert_eq!(count(&store), 1);
}

#[test]
fn several_openers_at_once_migrate_once() {
    let (_dir, path) = place();
    std::fs::create_dir(path.parent().expect("a folder")).expect("made");
    let opened = AtomicUsize::new(0);
    std::thread::scope(|s| {
        for _ in 0..8 {
            s.spawn(|| {
                Store::open(&path, &[ONE, TWO]).expect("open");
                opened.fetch_add(1, Ordering::Relaxed);
            });
        }
    });
    assert_eq!(opened.load(Ordering::Relaxed), 8);
}

#[test]
fn oaken_s_own_migrations_apply() {
    let (_dir, path) = place();
    let store = Store::open(&path, MIGRATIONS).expect("open");
    let version: i64 = store
        .read(|c| c.query_row("PRAGMA user_version", [], |r| r.get(0)).or_fault())
        .expect("a version");
    assert_eq!(version, MIGRATIONS.len() as i64);
}
