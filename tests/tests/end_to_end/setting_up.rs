//! What the tests begin with: a Dovecot with real mail, its account added and synced at the command line.

use std::collections::BTreeMap;

use oaken_tests::corpus;
use oaken_tests::dovecot::Dovecot;
use oaken_tests::imap_probe::{Folder, Probe};
use oaken_tests::installation::{Installation, Outcome};

/// The folders that hold mail.
pub const FOLDERS: [&str; 3] = ["INBOX", "Archive", "Junk"];

/// What each folder of the server holds, by name.
pub type Server = BTreeMap<&'static str, Folder>;

/// Delivers real messages: most into INBOX, some into other folders, every third of them read.
pub fn deliver(server: &Dovecot, user: &str, count: usize) {
    for (n, message) in corpus::messages(count).iter().enumerate() {
        let folder = FOLDERS[match n % 10 {
            0 => 1,
            1 => 2,
            _ => 0,
        }];
        server.deliver(user, folder, if n % 3 == 0 { "S" } else { "" }, message);
    }
}

/// Runs `oaken accounts add` for a user, with this password on standard input.
pub fn add_account(oaken: &Installation, server: &Dovecot, user: &str, password: &str) -> Outcome {
    let (address, port) = (server.login(user), server.imaps_port.to_string());
    // A copy, which is still there when the server is gone.
    let ca_file = oaken.home().join("ca.pem");
    std::fs::copy(&server.ca_file, &ca_file).expect("the certificate");
    let ca_file = ca_file.to_str().expect("a path in UTF-8");
    let arguments = [
        "accounts",
        "add",
        "--name",
        user,
        "--address",
        &address,
        "--host",
        &server.host,
        "--port",
        &port,
        "--ca-file",
        ca_file,
        "--password-stdin",
        "--yes",
    ];
    oaken.oaken_given(&arguments, &format!("{password}\n"))
}

/// What the server holds now.
pub fn look_at(server: &Dovecot, user: &str) -> Server {
    let mut probe = Probe::login(server.imap_port, &server.login(user), &server.password(user));
    FOLDERS
        .iter()
        .map(|folder| (*folder, probe.folder(folder)))
        .collect()
}

/// The places whose flags differ, as folder, UID, before and after.
pub fn changed(before: &Server, after: &Server) -> Vec<(&'static str, u32, Vec<String>, Vec<String>)> {
    let mut changed = vec![];
    for (folder, now) in after {
        for (uid, flags) in &now.flags {
            let then = before[folder].flags.get(uid).cloned().unwrap_or_default();
            if then != *flags {
                changed.push((*folder, *uid, then, flags.clone()));
            }
        }
    }
    changed
}
