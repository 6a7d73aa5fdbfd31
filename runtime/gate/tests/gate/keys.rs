//! The two keys: made once, private, never replaced in silence; and what a strange key does to what they guard.

use std::path::Path;

use oaken_core::Code;
use oaken_gate::Keys;
use oaken_store::{MIGRATIONS, Store};
use serde_json::json;

use crate::world::{M1, World, token};

fn read(dir: &Path, name: &str) -> String {
    std::fs::read_to_string(dir.join(name)).expect("a key")
}

#[test]
fn keys_are_made_once_and_kept() {
    let dir = tempfile::tempdir().expect("a folder");
    let keys = dir.path().join("config").join("keys");
    Keys::load_or_create(&keys).expect("made");
    let before = (read(&keys, "install.key"), read(&keys, "audit.key"));
    assert!(before.0 != before.1 && before.0.len() == 64 && before.1.bytes().all(|b| b.is_ascii_hexdigit()));
    Keys::load_or_create(&keys).expect("read");
    assert_eq!((read(&keys, "install.key"), read(&keys, "audit.key")), before);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |p: &Path| std::fs::metadata(p).expect("there").permissions().mode() & 0o777;
        assert_eq!(
            (
                mode(&keys),
                mode(&keys.join("install.key")),
                mode(&keys.join("audit.key"))
            ),
            (0o700, 0o600, 0o600)
        );
    }
    assert_eq!(
        std::fs::read_dir(&keys).expect("a folder").count(),
        2,
        "nothing is left beside them"
    );
}

#[test]
fn a_damaged_key_is_refused_and_left_as_it_is() {
    let dir = tempfile::tempdir().expect("a folder");
    Keys::load_or_create(dir.path()).expect("made");
    for damage in ["", "abc", &"g".repeat(64), &"é".repeat(32)] {
        std::fs::write(dir.path().join("audit.key"), damage).expect("damaged");
        let e = Keys::load_or_create(dir.path()).err().expect("refused");
        assert_eq!(e.code(), Code::Refused);
        assert_eq!(read(dir.path(), "audit.key"), damage);
    }
    let file = dir.path().join("file");
    std::fs::write(&file, "x").expect("a file");
    assert_eq!(
        Keys::load_or_create(&file).err().map(|e| e.code()),
        Some(Code::Refused)
    );
}

#[tokio::test]
async fn once_the_log_has_begun_no_key_is_made_anew() {
    let w = World::new();
    let keys = w.dir.path().join("keys");
    let fresh = tempfile::tempdir().expect("a folder");
    let empty = Store::open(&fresh.path().join("oaken.db"), MIGRATIONS).expect("a store");
    Keys::open_in(&fresh.path().join("keys"), &empty).expect("made");
    w.agent("a").await;
    let store = Store::open(&w.dir.path().join("data").join("oaken.db"), MIGRATIONS).expect("the store");
    Keys::open_in(&keys, &store).expect("read");
    for name in ["audit.key", "install.key"] {
        let kept = read(&keys, name);
        std::fs::remove_file(keys.join(name)).expect("gone");
        let e = Keys::open_in(&keys, &store).err().expect("refused");
        assert_eq!(e.code(), Code::Refused);
        assert!(e.message().contains("Restore it"), "{e}");
        assert!(!keys.join(name).exists());
        std::fs::write(keys.join(name), kept).expect("restored");
        Keys::open_in(&keys, &store).expect("read");
    }
}

#[test]
fn several_starts_at_once_agree_on_one_key() {
    let dir = tempfile::tempdir().expect("a folder");
    let keys = dir.path().join("keys");
    std::thread::scope(|s| {
        for _ in 0..8 {
            s.spawn(|| Keys::load_or_create(&keys).expect("a key"));
        }
    });
    assert_eq!(read(&keys, "install.key").len(), 64);
    assert_eq!(std::fs::read_dir(&keys).expect("a folder").count(), 2);
}

#[tokio::test]
async fn under_other_keys_no_token_confirms_and_the_log_shows_as_broken() {
    let w = World::new();
    let agent = w.organiser().await;
    let input = json!({ "target": { "ids": [M1] } });
    let p = w.proposed(&agent, "mark_read", input.clone()).await;
    let keys = w.dir.path().join("keys");
    for name in ["install.key", "audit.key"] {
        std::fs::remove_file(keys.join(name)).expect("gone");
    }
    let w = w.reopen_with(Keys::load_or_create(&keys).expect("other keys"));
    let e = w.refused(&agent, "mark_read", input, token(&p)).await;
    assert_eq!((e.code(), w.applied(), w.whole()), (Code::Refused, 0, false));
}
