//! The login: SASL PLAIN (RFC 4616) or LOGIN, under TLS; then the capabilities anew, and ID where it is offered.

use std::time::Duration;

use oaken_core::Secret;

use crate::command::Command;
use crate::connect::Connected;
use crate::error::Fallible;
use crate::exec::Wire;
use crate::response::{Hint, Response};
use crate::{Capabilities, Phase, Reason, WireError};

/// Who we say we are; some providers refuse to open a mailbox before they hear it (case C03). Spaces as RFC 2971
/// has them.
const ID: &str = concat!(
    "ID (\"name\" \"oaken\" \"version\" \"",
    env!("CARGO_PKG_VERSION"),
    "\")"
);

/// A logged-in session. What it can do is what [`crate::Reader`] and [`crate::Writer`] let it.
pub struct Session {
    pub(crate) wire: Wire,
    pub(crate) capabilities: Capabilities,
}

/// Logs in with a password.
///
/// # Errors
/// [`Reason::AuthenticationFailed`] and its kin when the server refuses; [`Reason::NoPasswordLogin`] when it offers
/// no way; [`Reason::Argument`] when login or password hold NUL or, where only LOGIN is offered, a line break.
pub async fn login(connected: Connected, user: &str, password: &Secret) -> Result<Session, WireError> {
    let Connected { mut wire, greeted } = connected;
    let before = match greeted {
        Some(capabilities) => capabilities,
        None => capabilities(&mut wire).await?,
    };
    let command = credential(&before, user, password).map_err(|r| wire.error(r))?;
    let mut named = None;
    let hint = wire
        .exec(command, |r| {
            if let Response::Capability(c) = r {
                named = Some(c);
            }
            Ok(())
        })
        .await?;
    let after = match (hint, named) {
        (Some(Hint::Capability(c)), _) | (_, Some(c)) => c,
        _ => capabilities(&mut wire).await?,
    };
    if after.has("ID") {
        // A server that refuses ID has not refused us.
        match wire.exec(Command::new(Phase::Identify, ID), |_| Ok(())).await {
            Err(e) if !e.reason.leaves_connection() => return Err(e),
            _ => {}
        }
    }
    Ok(Session {
        wire,
        capabilities: after,
    })
}

fn credential(offered: &Capabilities, user: &str, password: &Secret) -> Fallible<Command> {
    if user.is_empty() {
        return Err(Reason::Argument("login"));
    }
    if offered.has("AUTH=PLAIN") {
        Command::new(Phase::Login, "AUTHENTICATE PLAIN").sasl_plain(
            user,
            password.reveal(),
            offered.has("SASL-IR"),
        )
    } else if offered.has("LOGINDISABLED") {
        Err(Reason::NoPasswordLogin)
    } else {
        Command::new(Phase::Login, "LOGIN")
            .astring("login", user)?
            .astring("password", password.reveal())
    }
}

async fn capabilities(wire: &mut Wire) -> Result<Capabilities, WireError> {
    let mut found = None;
    wire.exec(Command::new(Phase::Capability, "CAPABILITY"), |r| {
        if let Response::Capability(c) = r {
            found = Some(c);
        }
        Ok(())
    })
    .await?;
    found.ok_or_else(|| wire.error(Reason::Protocol(crate::Protocol::NoData)))
}

impl Session {
    /// What the server can do, as it said after the login.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Asks whether the connection still lives (case C07).
    ///
    /// # Errors
    /// Whatever ended it.
    pub async fn noop(&mut self) -> Result<(), WireError> {
        self.wire
            .exec(Command::new(Phase::Status, "NOOP"), |_| Ok(()))
            .await
            .map(|_| ())
    }

    /// Ends the session in words, waiting three seconds at most. Dropping it ends it too.
    pub async fn logout(mut self) {
        let goodbye = self.wire.exec(Command::new(Phase::Logout, "LOGOUT"), |_| Ok(()));
        let _ = tokio::time::timeout(Duration::from_secs(3), goodbye).await;
    }
}
