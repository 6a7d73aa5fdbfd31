//! The bytes of a Maildir's message: whole, as they are, and the file stays where it is.

use std::fs;

use oaken_core::Code;
use oaken_store::OrFault;
use oaken_store::rusqlite::params;

use super::fixture::{Mail, New, Put};

const BYTES: &[u8] = b"Subject: x\r\n\r\n\xff\x00raw";

struct Maildir {
    mail: Mail,
    account: i64,
    put: Put,
}

/// One message at `.Work/cur`, whose file was renamed since it was last seen.
fn maildir() -> Maildir {
    let mail = Mail::new();
    let root = mail.dir.path().join("maildir");
    fs::create_dir_all(root.join(".Work/cur")).expect("made");
    fs::write(root.join(".Work/cur/u1:2,S"), BYTES).expect("written");
    let (account, _) = mail.account("work", "default");
    let (folder, _) = mail.folder(account, ".Work", None);
    let (thread, _) = mail.thread(account);
    let put = mail.put(account, folder, thread, New::default());
    mail.write(|tx| {
        tx.execute("UPDATE account_row SET path = ?1", params![root.to_str()])
            .or_fault()?;
        tx.execute("UPDATE location_row SET name = 'u1', file = 'new/u1'", [])
            .or_fault()
    });
    Maildir { mail, account, put }
}

#[tokio::test]
async fn a_message_comes_whole_or_not_at_all() {
    let m = maildir();
    let services = m.mail.services();
    let reader = m.mail.reader(&[m.account], 10);
    let raw = reader.raw(&services, &m.put.id, 1_000).await.expect("read");
    assert_eq!(raw.bytes(), BYTES);
    let size = raw.size_bytes();
    let large = reader
        .raw(&services, &m.put.id, size - 1)
        .await
        .err()
        .expect("too large");
    assert_eq!(large.code(), Code::OverLimit);
    assert!(reader.raw(&services, &m.put.id, size).await.is_ok());
    let cur = m.mail.dir.path().join("maildir/.Work/cur");
    let names: Vec<_> = fs::read_dir(&cur)
        .expect("there")
        .map(|e| e.expect("one").file_name())
        .collect();
    assert_eq!(names, ["u1:2,S"], "reading renames nothing");
}

#[tokio::test]
async fn what_is_hidden_gone_or_a_link_is_not_read() {
    let m = maildir();
    let services = m.mail.services();
    let hidden = m.mail.reader(&[], 10).raw(&services, &m.put.id, 1_000).await;
    assert_eq!(hidden.err().expect("hidden").code(), Code::NotFound);
    let reader = m.mail.reader(&[m.account], 10);
    let file = m.mail.dir.path().join("maildir/.Work/cur/u1:2,S");
    fs::remove_file(&file).expect("removed");
    let gone = reader.raw(&services, &m.put.id, 1_000).await;
    assert_eq!(gone.err().expect("gone").code(), Code::NotFound);
    #[cfg(unix)]
    {
        let key = m.mail.dir.path().join("keys/vault.key");
        std::os::unix::fs::symlink(key, &file).expect("linked");
        assert!(reader.raw(&services, &m.put.id, 1_000).await.is_err());
    }
}
