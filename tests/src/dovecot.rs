//! A throw-away Dovecot: a real IMAP server with users and mail of its own, in a temporary directory, gone on drop.
//!
//! Nothing of the system's configuration is read. It runs as `nobody` when the tests run as root. Names of users
//! choose their mailboxes: `gerda` has German ones, `norma` only INBOX, `sdb` keeps single-dbox files, all others
//! have English ones. Where Dovecot or openssl is missing a test fails and says what to install; it never skips.

mod certificate;
mod configuration;

use std::fmt::Write as _;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant, UNIX_EPOCH};

use tempfile::TempDir;

pub use certificate::{certificate, certificate_for};
use configuration::{configuration, mailboxes};

/// A running server.
pub struct Dovecot {
    /// The name its certificate is for.
    pub host: String,
    /// In clear with STARTTLS.
    pub imap_port: u16,
    /// Implicit TLS.
    pub imaps_port: u16,
    /// The authority of its certificate, in PEM.
    pub ca_file: PathBuf,
    /// The server's own certificate, in PEM.
    pub cert_file: PathBuf,
    owner: Option<(u32, u32)>,
    child: Child,
    dir: TempDir,
    delivered: AtomicU32,
}

impl Dovecot {
    /// Starts a server with these users. `alice` logs in as `alice@oak.test` with `pw-alice`.
    ///
    /// # Panics
    /// When Dovecot or openssl is missing or does not start; the message says which and why.
    #[must_use]
    pub fn start(users: &[&str]) -> Dovecot {
        let program = program("dovecot");
        let owner = (id(&["-u"]) == Some(0)).then(|| (id(&["-u", "nobody"]), id(&["-g", "nobody"])));
        let owner = owner.and_then(|(u, g)| u.zip(g));
        for _ in 0..3 {
            let dir = tempfile::Builder::new()
                .prefix("oakdc")
                .tempdir()
                .expect("a temporary directory");
            let ports = free_ports();
            write_files(dir.path(), users, ports, owner);
            let mut command = Command::new(&program);
            command
                .args(["-F", "-c"])
                .arg(dir.path().join("etc/dovecot.conf"));
            command
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            if let Some((uid, gid)) = owner {
                command.uid(uid).gid(gid);
            }
            let child = command.spawn().expect("dovecot can be run");
            let mut server = Dovecot {
                host: "localhost".into(),
                imap_port: ports.0,
                imaps_port: ports.1,
                ca_file: dir.path().join("etc/ca.pem"),
                cert_file: dir.path().join("etc/cert.pem"),
                owner,
                child,
                dir,
                delivered: AtomicU32::new(0),
            };
            if server.becomes_ready() {
                return server;
            }
            // A port may have been taken between the look and the start; three times is no accident.
            eprintln!("dovecot did not start: {}", server.log());
        }
        panic!("dovecot does not start; its log is above");
    }

    /// The login of a user.
    #[must_use]
    pub fn login(&self, user: &str) -> String {
        format!("{user}@oak.test")
    }

    /// The password of a user.
    #[must_use]
    pub fn password(&self, user: &str) -> String {
        format!("pw-{user}")
    }

    /// Puts a message into a user's folder (`INBOX` or a folder's name on disk) with Maildir flags such as `S`; gives
    /// the file's name without its flags. The first is received at 1,700,000,000 seconds since 1970, each further one
    /// a second later.
    ///
    /// # Panics
    /// When the file cannot be written. Not for users whose mail is no Maildir.
    pub fn deliver(&self, user: &str, folder: &str, flags: &str, message: &[u8]) -> String {
        let maildir = self.maildir(user, folder);
        if !maildir.join("cur").is_dir() {
            for sub in ["cur", "new", "tmp"] {
                fs::create_dir_all(maildir.join(sub)).expect("a Maildir");
            }
            self.own(&self.dir.path().join("mail").join(user));
        }
        let n = self.delivered.fetch_add(1, Ordering::SeqCst);
        let name = format!("{}.M{n}P{}.oak", 1_700_000_000 + n, std::process::id());
        let (tmp, cur) = (
            maildir.join("tmp").join(&name),
            maildir.join("cur").join(format!("{name}:2,{flags}")),
        );
        fs::write(&tmp, message).expect("a message");
        // Dovecot takes a file's time for the message's INTERNALDATE.
        let file = fs::File::options().write(true).open(&tmp).expect("a message");
        file.set_modified(UNIX_EPOCH + Duration::from_secs(1_700_000_000 + u64::from(n)))
            .expect("a time");
        self.own(&tmp);
        fs::rename(tmp, cur).expect("a delivery");
        name
    }

    /// The Maildir file names of a user's folder, flags included, in order.
    ///
    /// # Panics
    /// When the folder cannot be read.
    #[must_use]
    pub fn files(&self, user: &str, folder: &str) -> Vec<String> {
        let maildir = self.maildir(user, folder);
        let mut names = vec![];
        for sub in ["cur", "new"] {
            for entry in fs::read_dir(maildir.join(sub)).expect("a folder") {
                names.push(
                    entry
                        .expect("an entry")
                        .file_name()
                        .to_string_lossy()
                        .into_owned(),
                );
            }
        }
        names.sort();
        names
    }

    /// Gives a message other Maildir flags, as another client would; `nth` counts a folder's files from 0, in the
    /// order of their names.
    ///
    /// # Panics
    /// When there is no such file.
    pub fn reflag(&self, user: &str, folder: &str, nth: usize, flags: &str) {
        let name = self.files(user, folder).swap_remove(nth);
        let unique = name.split_once(":2,").map_or(&*name, |(unique, _)| unique);
        let cur = self.maildir(user, folder).join("cur");
        fs::rename(cur.join(&name), cur.join(format!("{unique}:2,{flags}"))).expect("a rename");
    }

    fn maildir(&self, user: &str, folder: &str) -> PathBuf {
        let maildir = self.dir.path().join("mail").join(user).join("Maildir");
        if folder == "INBOX" {
            maildir
        } else {
            maildir.join(folder)
        }
    }

    /// Every line that clients have sent after their logins, session by session, without the server's time stamps.
    ///
    /// # Panics
    /// When the log cannot be read.
    #[must_use]
    pub fn client_lines(&self) -> Vec<String> {
        let mut files: Vec<PathBuf> = fs::read_dir(self.dir.path().join("rawlog"))
            .expect("the raw log")
            .map(|e| e.expect("an entry").path())
            .filter(|p| p.extension().is_some_and(|e| e == "in"))
            .collect();
        files.sort();
        let mut lines = vec![];
        for file in files {
            let text = fs::read(file).expect("a raw log");
            for line in String::from_utf8_lossy(&text).lines() {
                let line = line
                    .split_once(' ')
                    .filter(|(t, _)| is_time(t))
                    .map_or(line, |(_, l)| l);
                lines.push(line.to_owned());
            }
        }
        lines
    }

    /// The server's own log, for a failing test to print.
    #[must_use]
    pub fn log(&self) -> String {
        fs::read_to_string(self.dir.path().join("log/dovecot.log")).unwrap_or_default()
    }

    fn becomes_ready(&mut self) -> bool {
        let end = Instant::now() + Duration::from_secs(15);
        while Instant::now() < end {
            if self.child.try_wait().ok().flatten().is_some() {
                return false;
            }
            if [self.imap_port, self.imaps_port]
                .iter()
                .all(|p| TcpStream::connect(("127.0.0.1", *p)).is_ok())
            {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }

    fn own(&self, path: &Path) {
        if let Some(owner) = self.owner {
            give_to(path, owner);
        }
    }
}

impl Drop for Dovecot {
    fn drop(&mut self) {
        // SIGTERM, so that the master ends its children too.
        let _ = Command::new("kill")
            .args(["-TERM", &self.child.id().to_string()])
            .status();
        let end = Instant::now() + Duration::from_secs(5);
        while Instant::now() < end {
            if self.child.try_wait().ok().flatten().is_some() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn is_time(word: &str) -> bool {
    word.contains('.') && word.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

fn id(args: &[&str]) -> Option<u32> {
    let out = Command::new("id").args(args).output().ok()?;
    String::from_utf8(out.stdout).ok()?.trim().parse().ok()
}

fn program(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from))
        .map(|dir| dir.join(name))
        .find(|p| p.is_file())
        .unwrap_or_else(|| panic!("{name} is missing; install it: apt-get install dovecot-imapd openssl"))
}

/// Two ports that nobody listens on.
fn free_ports() -> (u16, u16) {
    let bind = || TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = |l: &TcpListener| l.local_addr().expect("an address").port();
    let (a, b) = (bind(), bind());
    (port(&a), port(&b))
}

fn give_to(path: &Path, (uid, gid): (u32, u32)) {
    chown(path, Some(uid), Some(gid)).expect("a change of owner");
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a directory") {
            give_to(&entry.expect("an entry").path(), (uid, gid));
        }
    }
}

fn write_files(dir: &Path, users: &[&str], ports: (u16, u16), owner: Option<(u32, u32)>) {
    for sub in ["run", "mail", "etc", "log", "rawlog"] {
        fs::create_dir_all(dir.join(sub)).expect("a directory");
    }
    certificate(&dir.join("etc"));
    let mut passwd = String::new();
    for user in users {
        let _ = writeln!(
            passwd,
            "{user}@oak.test:{{PLAIN}}pw-{user}::::::{}",
            mailboxes(user)
        );
        fs::create_dir_all(dir.join("mail").join(user)).expect("a home");
    }
    fs::write(dir.join("etc/users"), passwd).expect("the users");
    let name = if owner.is_some() {
        "nobody".to_owned()
    } else {
        user_name(&["-un"])
    };
    let group = if owner.is_some() {
        user_name(&["-gn", "nobody"])
    } else {
        user_name(&["-gn"])
    };
    fs::write(
        dir.join("etc/dovecot.conf"),
        configuration(dir, ports, &name, &group),
    )
    .expect("the configuration");
    if let Some(owner) = owner {
        give_to(dir, owner);
    }
    fs::set_permissions(dir, fs::Permissions::from_mode(0o755)).expect("permissions");
}

fn user_name(args: &[&str]) -> String {
    let out = Command::new("id").args(args).output().expect("id runs");
    String::from_utf8_lossy(&out.stdout).trim().to_owned()
}
