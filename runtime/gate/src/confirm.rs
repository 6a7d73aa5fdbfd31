//! Check 4: who says yes. A person does, by `confirm`; an agent brings the token of its own proposal.

use oaken_core::{Approval, Code, Confirmation, Error, Proposal, Result};

use crate::call::Call;
use crate::change::{self, Change};
use crate::{Gate, proposal};

/// What check 4 leaves to do.
pub(crate) enum Leave {
    /// Nothing to confirm.
    Read,
    /// Nothing yet: an agent's proposal.
    Proposed(Proposal),
    /// A change, with who lets it.
    Given(Given),
}

/// A change that may be made.
pub(crate) struct Given {
    pub(crate) change: Change,
    /// The proposal it redeems, when an agent's token lets it.
    pub(crate) redeemed: Option<proposal::Redeemed>,
}

/// Shows, proposes, or lets.
pub(crate) async fn settle(gate: &Gate, call: &Call, confirmation: Confirmation) -> Result<Leave> {
    let agent = call.grant.is_agent();
    match &confirmation {
        Confirmation::Both(_) => {
            return Err(Error::invalid_field(
                "/proposal_token",
                "cannot stand beside confirm: a person confirms, an agent brings its token",
            ));
        }
        Confirmation::Yes if agent => {
            return Err(Error::invalid_field(
                "/confirm",
                "is a person's yes; an agent calls without it and then with proposal_token",
            ));
        }
        Confirmation::Token(_) if !agent => {
            return Err(Error::invalid_field(
                "/proposal_token",
                "is for the agent that made the proposal; a person passes confirm",
            ));
        }
        Confirmation::Yes if call.is_read() => {
            return Err(Error::invalid_field(
                "/confirm",
                "is not taken: this operation changes nothing",
            ));
        }
        Confirmation::Token(_) if call.is_read() => {
            return Err(Error::invalid_field(
                "/proposal_token",
                "is not taken: this operation changes nothing",
            ));
        }
        _ if call.is_read() => return Ok(Leave::Read),
        _ => {}
    }
    if let Confirmation::Token(token) = &confirmation {
        let (change, redeemed) = proposal::redeem(gate, call, token).await?;
        return Ok(Leave::Given(Given {
            change,
            redeemed: Some(redeemed),
        }));
    }
    let change = change::prepare(gate, call.descriptor, &call.grant, &call.checked.input).await?;
    if agent && change.approval == Approval::Person {
        return Err(Error::new(
            Code::Refused,
            "This needs a person's approval, which this version does not take yet; ask the person to do it.",
        ));
    }
    match confirmation {
        Confirmation::Yes => Ok(Leave::Given(Given {
            change,
            redeemed: None,
        })),
        _ if agent => proposal::propose(gate, call, change).await.map(Leave::Proposed),
        _ => Err(Error::new(
            Code::ConfirmRequired,
            "This changes something and nothing has changed yet; confirm it to go on.",
        )
        .preview(change.preview)),
    }
}
