//! A scripted IMAP server over TCP and real TLS, for what no honest server does: each connection plays its script.
//!
//! A script has a line for each step. `S: text` sends a line, `S~ text` sends without a line break, `C: text` waits
//! for a command that begins so after its tag, `T:` does a TLS handshake, `W: milliseconds` waits, `X:` closes.
//! In what is sent `{tag}` stands for the tag of the last command, `\r`, `\n` and `\0` for themselves.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// A running liar.
pub struct LyingImap {
    /// Where it listens, on 127.0.0.1.
    pub port: u16,
    received: Arc<Mutex<Vec<Received>>>,
    task: JoinHandle<()>,
}

/// What one client sent on one connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// Before any TLS handshake.
    pub in_clear: Vec<u8>,
    /// Under TLS.
    pub under_tls: Vec<u8>,
}

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

impl LyingImap {
    /// Starts it with the certificate of `certificates` (`cert.pem`, `key.pem`, as [`crate::dovecot::certificate`]
    /// writes them) and one script for each connection; later connections play the last one again.
    ///
    /// # Panics
    /// When the certificate cannot be read or no port is free.
    pub async fn start(certificates: &Path, scripts: &[&str]) -> LyingImap {
        let acceptor = TlsAcceptor::from(Arc::new(configuration(certificates)));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let received = Arc::new(Mutex::new(vec![]));
        let scripts: Vec<String> = scripts.iter().map(|s| (*s).to_owned()).collect();
        let log = Arc::clone(&received);
        let task = tokio::spawn(async move {
            let mut n = 0;
            while let Ok((tcp, _)) = listener.accept().await {
                let script = scripts.get(n).or(scripts.last()).cloned().unwrap_or_default();
                n += 1;
                let (acceptor, log) = (acceptor.clone(), Arc::clone(&log));
                tokio::spawn(async move {
                    let mut heard = Received::default();
                    play(tcp, &script, &acceptor, &mut heard).await;
                    log.lock().expect("no panic under the lock").push(heard);
                });
            }
        });
        LyingImap { port, received, task }
    }

    /// What was received on the connections that have ended, in the order of their ends.
    ///
    /// # Panics
    /// Never: nothing panics while it holds the lock.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().expect("no panic under the lock").clone()
    }
}

impl Drop for LyingImap {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn configuration(certificates: &Path) -> ServerConfig {
    let chain = CertificateDer::pem_file_iter(certificates.join("cert.pem")).expect("a certificate");
    let chain = chain.map(|c| c.expect("a certificate")).collect();
    let key = PrivateKeyDer::from_pem_file(certificates.join("key.pem")).expect("a key");
    ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the versions of the provider")
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .expect("a key for the certificate")
}

async fn play(tcp: TcpStream, script: &str, acceptor: &TlsAcceptor, heard: &mut Received) {
    let mut stream: Box<dyn Stream> = Box::new(tcp);
    let (mut tls, mut tag) = (false, String::from("*"));
    for step in script.lines().map(str::trim_start).filter(|l| !l.is_empty()) {
        let (kind, text) = step.split_at(2);
        let text = text.trim_start().replace("{tag}", &tag);
        let bytes = text
            .replace("\\r", "\r")
            .replace("\\n", "\n")
            .replace("\\0", "\0")
            .into_bytes();
        let gone = match kind {
            "S:" => stream.write_all(&[&bytes, &b"\r\n"[..]].concat()).await.is_err(),
            "S~" => stream.write_all(&bytes).await.is_err(),
            "W:" => {
                tokio::time::sleep(Duration::from_millis(text.parse().unwrap_or(0))).await;
                false
            }
            "C:" => loop {
                let into = if tls {
                    &mut heard.under_tls
                } else {
                    &mut heard.in_clear
                };
                let Some(line) = line(&mut stream, into).await else {
                    break true;
                };
                let (sent, command) = line.split_once(' ').unwrap_or(("*", &line));
                if command.starts_with(&text) {
                    tag = sent.to_owned();
                    break false;
                }
            },
            "T:" => match acceptor.accept(stream).await {
                Ok(secure) => {
                    (stream, tls) = (Box::new(secure), true);
                    false
                }
                Err(_) => return,
            },
            "X:" => true,
            other => panic!("no step {other}"),
        };
        if gone {
            return;
        }
    }
    // The client may say what it likes until it goes.
    let _ = stream
        .read_to_end(if tls {
            &mut heard.under_tls
        } else {
            &mut heard.in_clear
        })
        .await;
}

async fn line(stream: &mut Box<dyn Stream>, heard: &mut Vec<u8>) -> Option<String> {
    let start = heard.len();
    loop {
        heard.push(stream.read_u8().await.ok()?);
        if heard.ends_with(b"\n") {
            return Some(String::from_utf8_lossy(&heard[start..]).trim_end().to_owned());
        }
    }
}
