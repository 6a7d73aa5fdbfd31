//! A small IMAP server with one mailbox, over real TLS, that can misbehave: withhold bytes, mark what is looked at, and
//! go away while flags are stored. It keeps what clients asked, so that a test can say what was never asked.
//!
//! Deliberately absent: every extension, and passwords; whoever comes is let in.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// When the server goes away instead of answering a STORE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    BeforeStoring,
    AfterStoring,
}

pub struct Mail {
    pub uid: u32,
    pub seen: bool,
    pub header: String,
    pub text: String,
    /// Its bytes are refused.
    pub withheld: bool,
}

#[derive(Default)]
pub struct Mailbox {
    pub mails: Vec<Mail>,
    pub marks_on_read: bool,
    pub loses: Option<Loss>,
    /// Every command since the login, without its tag.
    pub asked: Vec<String>,
}

pub struct Server {
    pub port: u16,
    mailbox: Arc<Mutex<Mailbox>>,
}

/// A file of this folder's certificates, which are for this test alone.
pub fn pem(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/imap/tls")
        .join(name)
}

impl Server {
    /// A mailbox with these subjects, unread, numbered from 1.
    pub async fn start(subjects: &[&str]) -> Server {
        let mail = |(n, subject): (usize, &&str)| Mail {
            uid: n as u32 + 1,
            seen: false,
            header: format!(
                "From: Ada <ada@example.org>\r\nSubject: {subject}\r\nMessage-ID: <{subject}@x>\r\n\
                 Date: Mon, 30 Nov 2026 09:00:00 +0000\r\n\r\n"
            ),
            text: format!("Text of {subject}.\r\n"),
            withheld: false,
        };
        let mailbox = Mailbox {
            mails: subjects.iter().enumerate().map(mail).collect(),
            ..Mailbox::default()
        };
        let chain = CertificateDer::pem_file_iter(pem("cert.pem")).expect("a certificate");
        let chain = chain.map(|c| c.expect("a certificate")).collect();
        let key = PrivateKeyDer::from_pem_file(pem("key.pem")).expect("a key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .expect("a key for the certificate");
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let server = Server {
            port: listener.local_addr().expect("an address").port(),
            mailbox: Arc::new(Mutex::new(mailbox)),
        };
        let mailbox = server.mailbox.clone();
        tokio::spawn(async move {
            while let Ok((tcp, _)) = listener.accept().await {
                let (acceptor, mailbox) = (acceptor.clone(), mailbox.clone());
                tokio::spawn(async move {
                    if let Ok(tls) = acceptor.accept(tcp).await {
                        let _ = serve(tls, &mailbox).await;
                    }
                });
            }
        });
        server
    }

    pub fn mailbox(&self) -> MutexGuard<'_, Mailbox> {
        self.mailbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many commands that begin so were asked.
    pub fn asked(&self, command: &str) -> usize {
        let mailbox = self.mailbox();
        mailbox.asked.iter().filter(|c| c.starts_with(command)).count()
    }
}

async fn serve<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    mailbox: &Mutex<Mailbox>,
) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    stream
        .write_all(b"* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR] here\r\n")
        .await?;
    let mut line = String::new();
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let Some((tag, command)) = line.trim_end().split_once(' ') else {
            return Ok(());
        };
        let answer = mailbox
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .answer(tag, command);
        let Some(answer) = answer else { return Ok(()) };
        stream.write_all(answer.as_bytes()).await?;
        stream.flush().await?;
    }
}

impl Mailbox {
    /// The answer to a command; none where the server goes away.
    fn answer(&mut self, tag: &str, command: &str) -> Option<String> {
        if command.starts_with("AUTHENTICATE") {
            return Some(format!("{tag} OK [CAPABILITY IMAP4rev1] in\r\n"));
        }
        self.asked.push(command.to_owned());
        let next = self.mails.last().map_or(1, |m| m.uid + 1);
        let count = self.mails.len();
        let words: Vec<&str> = command.splitn(4, ' ').collect();
        let said = match words.as_slice() {
            ["LIST", ..] => "* LIST (\\HasNoChildren) \"/\" INBOX\r\n".to_owned(),
            ["STATUS", ..] => {
                format!("* STATUS INBOX (MESSAGES {count} UIDNEXT {next} UIDVALIDITY 7 UNSEEN 0)\r\n")
            }
            [open @ ("EXAMINE" | "SELECT"), ..] => {
                let mode = if *open == "SELECT" {
                    "READ-WRITE"
                } else {
                    "READ-ONLY"
                };
                return Some(format!(
                    "* {count} EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT {next}] x\r\n\
                     * OK [PERMANENTFLAGS (\\Seen \\Flagged)] x\r\n{tag} OK [{mode}] open\r\n"
                ));
            }
            ["UID", "SEARCH", ..] => {
                let uids: Vec<String> = self.mails.iter().map(|m| m.uid.to_string()).collect();
                format!("* SEARCH {}\r\n", uids.join(" "))
            }
            ["UID", "FETCH", set, items] => {
                let set = numbers(set, next);
                let bytes = items.contains("BODY");
                if bytes && self.mails.iter().any(|m| set.contains(&m.uid) && m.withheld) {
                    return Some(format!("{tag} NO not this one\r\n"));
                }
                self.fetch(&set, items)
            }
            ["UID", "STORE", set, change] => {
                let (set, loss) = (numbers(set, next), self.loses.take());
                if loss != Some(Loss::BeforeStoring) && change.contains("\\Seen") {
                    let seen = change.starts_with('+');
                    self.mails
                        .iter_mut()
                        .filter(|m| set.contains(&m.uid))
                        .for_each(|m| m.seen = seen);
                }
                if loss.is_some() {
                    return None;
                }
                self.fetch(&set, "FLAGS")
            }
            ["LOGOUT"] => "* BYE gone\r\n".to_owned(),
            _ => String::new(),
        };
        Some(format!("{said}{tag} OK done\r\n"))
    }

    fn fetch(&mut self, set: &BTreeSet<u32>, items: &str) -> String {
        let mut said = String::new();
        for (n, mail) in self
            .mails
            .iter_mut()
            .enumerate()
            .filter(|(_, m)| set.contains(&m.uid))
        {
            let flags = if mail.seen { "\\Seen" } else { "" };
            let size = mail.header.len() + mail.text.len();
            said += &format!(
                "* {} FETCH (UID {} FLAGS ({flags}) RFC822.SIZE {size}",
                n + 1,
                mail.uid
            );
            said += " INTERNALDATE \"30-Nov-2026 09:00:00 +0000\"";
            let whole = format!("{}{}", mail.header, mail.text);
            for (section, bytes) in [("HEADER", &mail.header), ("TEXT", &mail.text), ("", &whole)] {
                if let Some((_, piece)) = items.split_once(&format!("BODY.PEEK[{section}]<")) {
                    let from = piece.split('.').next().and_then(|n| n.parse().ok()).unwrap_or(0);
                    let bytes = &bytes[bytes.len().min(from)..];
                    said += &format!(" BODY[{section}]<{from}> {{{}}}\r\n{bytes}", bytes.len());
                    mail.seen |= self.marks_on_read;
                }
            }
            said += ")\r\n";
        }
        said
    }
}

/// The UIDs of a set such as `1,3:5,7:*`.
fn numbers(set: &str, next: u32) -> BTreeSet<u32> {
    let number = |n: &str| n.parse().unwrap_or(next);
    set.split(',')
        .flat_map(|part| {
            let (from, to) = part.split_once(':').unwrap_or((part, part));
            number(from)..=number(to)
        })
        .collect()
}
