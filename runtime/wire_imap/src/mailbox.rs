//! Opening a mailbox, for the reader by EXAMINE and for the writer by SELECT (RFC 3501 §6.3.1, §6.3.2).

use crate::command::Command;
use crate::login::Session;
use crate::response::{Hint, Response};
use crate::{Phase, Protocol, Reason, WireError};

/// A mailbox as it was when it was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoxState {
    /// UIDVALIDITY, never 0: UIDs mean something only together with it.
    pub uid_validity: u32,
    /// UIDNEXT; some servers do not tell it on EXAMINE.
    pub uid_next: Option<u32>,
    /// How many messages.
    pub exists: u32,
    /// HIGHESTMODSEQ, where CONDSTORE was asked for and the mailbox keeps mod-sequences.
    pub highest_modseq: Option<u64>,
    /// PERMANENTFLAGS; `None` where the server does not tell, which means all (RFC 3501 §7.1). `\*` among them
    /// stands for any keyword.
    pub permanent_flags: Option<Vec<String>>,
}

impl BoxState {
    pub(crate) fn keeps_modseq(&self, session: &Session) -> bool {
        session.capabilities.condstore() && self.highest_modseq.is_some()
    }
}

/// Opens. A READ-WRITE answer to EXAMINE ends the connection; silence about the mode is tolerated, since EXAMINE
/// itself is what forbids changes and some servers never name it.
pub(crate) async fn open(
    session: &mut Session,
    phase: Phase,
    folder: &str,
    condstore: bool,
) -> Result<BoxState, WireError> {
    let verb = if phase == Phase::Select {
        "SELECT"
    } else {
        "EXAMINE"
    };
    let mut command = match Command::new(phase, verb).astring("folder", folder) {
        Ok(command) => command,
        Err(reason) => return Err(session.wire.error(reason)),
    };
    if condstore && session.capabilities.condstore() {
        command = command.text(" (CONDSTORE)");
    }
    let mut state = BoxState::default();
    let mode = session
        .wire
        .exec(command, |response| {
            match response {
                Response::Exists(n) => state.exists = n,
                Response::Status(outcome) => match outcome.hint {
                    Some(Hint::UidValidity(v)) => state.uid_validity = v,
                    Some(Hint::UidNext(v)) => state.uid_next = Some(v).filter(|v| *v > 0),
                    Some(Hint::HighestModseq(v)) => state.highest_modseq = Some(v).filter(|v| *v > 0),
                    Some(Hint::PermanentFlags(flags)) => state.permanent_flags = Some(flags),
                    _ => {}
                },
                _ => {}
            }
            Ok(())
        })
        .await?;
    let fault = match (phase, mode) {
        (Phase::Select, Some(Hint::ReadOnly)) => Some(Reason::ReadOnly),
        (Phase::Examine, Some(Hint::ReadWrite)) => Some(Reason::Protocol(Protocol::ReadWrite)),
        _ if state.uid_validity == 0 => Some(Reason::Protocol(Protocol::NoUidValidity)),
        _ => None,
    };
    match fault {
        Some(reason) => Err(session.wire.error(reason)),
        None => Ok(state),
    }
}
