//! Tests against a scripted server on an in-memory pipe: what hostile and broken servers do, word for word.
//!
//! A script has a line for each step: `S: …` the server sends, `C: …` the client must send exactly this, `X:` the
//! server closes. `\r`, `\n`, `\0` and `\"` stand for themselves; each line ends with a line break, `S~` without.

mod breaking;
mod fetching;
mod login;
mod mutated;
mod opening;
mod starttls;
mod writing;

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::task::JoinHandle;

use crate::capabilities::Capabilities;
use crate::cursor::Cursor;
use crate::exec::Wire;
use crate::guard::Frame;
use crate::{Limits, Peer, Reader, Session, TlsMode};

/// Plays a script; gives what the client sent beyond it.
pub(crate) async fn play(mut io: DuplexStream, script: String) -> String {
    for step in script.lines().map(str::trim_start).filter(|l| !l.is_empty()) {
        let (kind, text) = step.split_at(2);
        let text = text.strip_prefix(' ').unwrap_or(text);
        let text = text
            .replace("\\r", "\r")
            .replace("\\n", "\n")
            .replace("\\0", "\0");
        match kind {
            // A client that has had enough may be gone.
            "S:" if io.write_all(format!("{text}\r\n").as_bytes()).await.is_err() => return String::new(),
            "S~" if io.write_all(text.as_bytes()).await.is_err() => return String::new(),
            "S:" | "S~" => {}
            "C:" => assert_eq!(line(&mut io).await, format!("{text}\r\n"), "the client's line"),
            "X:" => return String::new(),
            other => panic!("no step {other}"),
        }
    }
    let mut rest = vec![];
    let _ = io.read_to_end(&mut rest).await;
    String::from_utf8_lossy(&rest).into_owned()
}

async fn line(io: &mut DuplexStream) -> String {
    let mut line = vec![];
    loop {
        match io.read_u8().await {
            Ok(b) => line.push(b),
            Err(_) => return String::from_utf8_lossy(&line).into_owned(),
        }
        if line.ends_with(b"\n") {
            return String::from_utf8_lossy(&line).into_owned();
        }
    }
}

/// Small limits, so that tests can pass them.
pub(crate) fn limits() -> Limits {
    Limits {
        line: 4_096,
        literal: 10_000,
        answer: 100_000,
        folders: 50,
        header: 1_000,
        piece: 10,
        headers_at_once: 3,
        bodies_at_once: 2,
        ..Limits::default()
    }
}

pub(crate) fn wire(script: &str) -> (Wire, JoinHandle<String>) {
    let (ours, theirs) = tokio::io::duplex(1024 * 1024);
    let peer = Peer {
        host: "imap.example".into(),
        port: 143,
        tls: TlsMode::StartTls,
    };
    (
        Wire::new(Box::new(ours), &limits(), Arc::new(peer)),
        tokio::spawn(play(theirs, script.to_owned())),
    )
}

pub(crate) fn capabilities(words: &str) -> Capabilities {
    let frame = Frame {
        bytes: words.as_bytes().to_vec(),
        literals: vec![],
    };
    Capabilities::read(&mut Cursor::new(&frame))
}

pub(crate) fn session(words: &str, script: &str) -> (Session, JoinHandle<String>) {
    let (wire, server) = wire(script);
    (
        Session {
            wire,
            capabilities: capabilities(words),
        },
        server,
    )
}

/// A reader with a mailbox of three messages open. The script goes on with the second command.
pub(crate) async fn opened(words: &str, script: &str) -> (Reader, JoinHandle<String>) {
    let open = "C: o1 EXAMINE \"INBOX\"\nS: * 3 EXISTS\nS: * OK [UIDVALIDITY 7] x\nS: * OK [HIGHESTMODSEQ 3] x\nS: o1 OK [READ-ONLY] done\n";
    let (session, server) = session(words, &format!("{open}{script}"));
    let mut reader = Reader::new(session);
    reader.examine("INBOX", false).await.expect("opens");
    (reader, server)
}

/// The script ran to its end and the client sent nothing more.
pub(crate) async fn ended(server: JoinHandle<String>) {
    let rest = tokio::time::timeout(Duration::from_secs(5), server)
        .await
        .expect("the script ends");
    assert_eq!(
        rest.expect("the client kept to the script"),
        "",
        "what the client sent beyond the script"
    );
}
