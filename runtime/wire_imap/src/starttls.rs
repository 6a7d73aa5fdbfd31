//! STARTTLS (RFC 3501 §6.2.1): required, and nothing that was said in clear is believed afterwards.
//!
//! CAPABILITY is not asked for: its answer in clear would be worth nothing, and a server without STARTTLS says NO.

use crate::command::Command;
use crate::error::Fallible;
use crate::exec::{Stream, Wire};
use crate::response::{Outcome, Word};
use crate::{Phase, Reason, Refusal, TlsFault};

/// A greeting in clear: PREAUTH would forbid STARTTLS, which is how it was used against clients (CVE-2020-14093).
pub(crate) fn accept(greeting: &Outcome) -> Fallible<()> {
    if greeting.word == Word::Preauth {
        Err(Reason::Tls(TlsFault::Preauth))
    } else {
        Ok(())
    }
}

/// Sends STARTTLS and gives the bare stream for the handshake. What came before TLS is dropped unread.
pub(crate) async fn upgrade(mut plain: Wire) -> Fallible<Box<dyn Stream>> {
    let command = Command::new(Phase::StartTls, "STARTTLS");
    plain
        .exec(command, |_| Ok(()))
        .await
        .map_err(|e| match e.reason {
            Reason::No(_, Refusal::Unsaid | Refusal::Bad | Refusal::Cannot | Refusal::NoPermission) => {
                Reason::Tls(TlsFault::StartTlsRefused)
            }
            other => other,
        })?;
    plain.into_stream()
}
