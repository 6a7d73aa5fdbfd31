//! One command, one tagged completion. NO, BAD, BYE, end of file, a limit and a clock are errors; everything
//! untagged goes to the caller's closure as it comes, so memory stays flat.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, timeout_at};

use crate::command::Command;
use crate::error::Fallible;
use crate::guard::{Frame, Guard};
use crate::response::{Hint, Outcome, Response, Word};
use crate::{Limits, Peer, Phase, Protocol, Reason, TooLarge, WireError};

/// A byte stream: TCP, TLS over it, or a pipe in tests.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

/// A connection and what is known about it.
pub(crate) struct Wire {
    stream: Box<dyn Stream>,
    guard: Guard,
    limits: Limits,
    peer: Arc<Peer>,
    tags: u32,
    /// Set while a command runs and after a fault: nothing is sent on such a connection again.
    broken: Option<Reason>,
    /// Whether the last command got its tagged answer.
    answered: bool,
    /// How many messages the selected mailbox holds, as the server last said.
    exists: u32,
}

/// The clock and the byte count of one command.
struct Meter {
    phase: Phase,
    started: Instant,
    allowed: Duration,
    received: u64,
}

impl Wire {
    pub fn new(stream: Box<dyn Stream>, limits: &Limits, peer: Arc<Peer>) -> Self {
        let guard = Guard::new(limits);
        Wire {
            stream,
            guard,
            limits: limits.clone(),
            peer,
            tags: 0,
            broken: None,
            answered: false,
            exists: 0,
        }
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The stream itself, for TLS to be put on it. Refused while anything the server sent lies unread: it came in
    /// clear and must not be taken for what comes under TLS (CVE-2011-0411 and its kin).
    pub fn into_stream(self) -> Fallible<Box<dyn Stream>> {
        if self.guard.is_empty() {
            Ok(self.stream)
        } else {
            Err(Reason::Tls(crate::TlsFault::Injected))
        }
    }

    pub fn error(&self, reason: Reason) -> WireError {
        WireError {
            reason,
            peer: Arc::clone(&self.peer),
            unconfirmed: false,
        }
    }

    /// How many messages the selected mailbox holds, as the server last said, during whichever command.
    pub fn exists(&self) -> u32 {
        self.exists
    }

    /// Nothing is sent on this connection again.
    pub fn break_off(&mut self, reason: Reason) {
        self.broken = Some(reason);
    }

    /// The greeting, within its own time.
    pub async fn greeting(&mut self, wait: Duration) -> Fallible<Outcome> {
        let mut meter = Meter::new(Phase::Greeting, wait);
        let frame = self.frame(&mut meter).await.inspect_err(|r| {
            // Silence may be waited out by the caller; anything else ends it.
            if *r != Reason::Timeout(Phase::Greeting) {
                self.broken = Some(*r);
            }
        });
        if frame.is_err() && matches!(self.guard.first_byte(), Some(0x15 | 0x16)) {
            return Err(Reason::Tls(crate::TlsFault::TlsServer));
        }
        match Response::read(&frame?) {
            Ok(Response::Status(outcome)) => match outcome.word {
                Word::Ok | Word::Preauth => Ok(outcome),
                _ => Err(outcome.reason(Phase::Greeting)),
            },
            _ => Err(Reason::Protocol(Protocol::Greeting)),
        }
    }

    /// Runs a command. `on` sees every untagged response but BYE; its error ends the connection.
    pub async fn exec(
        &mut self,
        command: Command,
        mut on: impl FnMut(Response<'_>) -> Fallible<()> + Send,
    ) -> Result<Option<Hint>, WireError> {
        if let Some(reason) = self.broken {
            return Err(self.error(reason));
        }
        // Should this future be dropped midway, the mark stays, and nobody reads another command's answer.
        self.broken = Some(Reason::Protocol(Protocol::GivenUp));
        self.answered = false;
        let changes = command.changes;
        match self.run(command, &mut on).await {
            Ok(hint) => {
                self.broken = None;
                Ok(hint)
            }
            Err(reason) => {
                self.broken = (!reason.leaves_connection()).then_some(reason);
                Err(WireError {
                    unconfirmed: changes && !self.answered,
                    ..self.error(reason)
                })
            }
        }
    }

    async fn run(
        &mut self,
        command: Command,
        on: &mut (impl FnMut(Response<'_>) -> Fallible<()> + Send),
    ) -> Fallible<Option<Hint>> {
        self.tags += 1;
        let tag = format!("o{}", self.tags);
        let mut meter = Meter::new(command.phase, self.limits.command);
        let mut parts = command.parts.iter();
        if let Some(first) = parts.next() {
            self.write(&meter, &[tag.as_bytes(), b" ", first, b"\r\n"])
                .await?;
        }
        loop {
            let frame = self.frame(&mut meter).await?;
            match Response::read(&frame)? {
                Response::Continue => match parts.next() {
                    Some(part) => self.write(&meter, &[part, b"\r\n"]).await?,
                    None => return Err(Reason::Protocol(Protocol::Response)),
                },
                Response::Tagged(t, outcome) if t == tag.as_bytes() => {
                    self.answered = true;
                    return if outcome.word == Word::Ok {
                        Ok(outcome.hint)
                    } else {
                        Err(outcome.reason(command.phase))
                    };
                }
                Response::Tagged(..) => return Err(Reason::Protocol(Protocol::Response)),
                // LOGOUT is answered with BYE before its completion; anywhere else it is the end.
                Response::Status(o) if o.word == Word::Bye && command.phase != Phase::Logout => {
                    return Err(o.reason(command.phase));
                }
                other => {
                    match other {
                        Response::Exists(n) => self.exists = n,
                        Response::Expunge => self.exists = self.exists.saturating_sub(1),
                        _ => {}
                    }
                    on(other)?;
                }
            }
        }
    }

    async fn write(&mut self, meter: &Meter, pieces: &[&[u8]]) -> Fallible<()> {
        let mut line = zeroize::Zeroizing::new(Vec::with_capacity(pieces.iter().map(|p| p.len()).sum()));
        for piece in pieces {
            line.extend_from_slice(piece);
        }
        let deadline = meter.deadline(&self.limits);
        let sent = timeout_at(deadline, async {
            self.stream.write_all(&line).await?;
            self.stream.flush().await
        });
        match sent.await {
            Err(_) => Err(Reason::Timeout(meter.phase)),
            Ok(Err(_)) => Err(Reason::Eof),
            Ok(Ok(())) => Ok(()),
        }
    }

    /// The next response, however long it is, within the command's time and size. Blank lines are passed over.
    async fn frame(&mut self, meter: &mut Meter) -> Fallible<Frame> {
        let mut chunk = [0u8; 16 * 1024];
        loop {
            match self.guard.next_frame()? {
                Some(frame) if frame.bytes.is_empty() => continue,
                Some(frame) => return Ok(frame),
                None => {}
            }
            let deadline = meter.deadline(&self.limits);
            let n = match timeout_at(deadline, self.stream.read(&mut chunk)).await {
                Err(_) => return Err(Reason::Timeout(meter.phase)),
                Ok(Err(e)) => return Err(crate::tls::read_fault(&e)),
                Ok(Ok(0)) => return Err(Reason::Eof),
                Ok(Ok(n)) => n,
            };
            meter.received += n as u64;
            if meter.received > self.limits.answer {
                return Err(Reason::TooLarge(TooLarge::Answer));
            }
            self.guard.push(&chunk[..n]);
        }
    }
}

impl Meter {
    fn new(phase: Phase, allowed: Duration) -> Self {
        Meter {
            phase,
            started: Instant::now(),
            allowed,
            received: 0,
        }
    }

    /// The nearer of two ends: so much silence from now, or the command's time, which data that flows prolongs.
    fn deadline(&self, limits: &Limits) -> Instant {
        let earned = Duration::from_secs(self.received / limits.slowest.max(1));
        (Instant::now() + limits.inactivity).min(self.started + self.allowed + earned)
    }
}
