//! `send_message`: composes a message from one of the person's accounts.

use oaken_core::{Error, Fault, Letter, MessageId, Result, clock};
use oaken_macros::operation;
use oaken_mail::handler::{ReadCx, Send};
use oaken_mime::{Address, AddressFault, Compose, build, strict_address};

/// A message to send.
#[operation(
    class = send,
    ceiling = never,
    area = messages,
    presence = os,
    title = "Send a message",
    summary = "Send a message; reserved, and refused in this version.",
    cli = "messages send"
)]
pub mod send_message {
    pub struct Input {
        /// The account it goes out from; it may be left out where there is one.
        pub account_id: Option<AccountId>,
        /// To.
        #[field(bound = max_batch_ids)]
        pub to: Vec<Address>,
        /// Cc.
        #[field(bound = max_batch_ids)]
        pub cc: Option<Vec<Address>>,
        /// The subject.
        #[field(max_chars = 1000)]
        pub subject: String,
        /// The text.
        #[field(max_chars = 1000000)]
        pub text: String,
    }
    pub struct Output {
        /// Its Message-ID.
        #[field(max_chars = 250)]
        pub message_id_header: String,
    }
}

impl Send for SendMessage {
    async fn compose(cx: &ReadCx, input: &SendMessageInput) -> Result<Letter> {
        let account = from(cx, input)?;
        let from = strict("/account_id", account.address.as_str())?;
        let to = addresses("/to", &input.to)?;
        let cc = addresses("/cc", input.cc.as_deref().unwrap_or_default())?;
        let envelope = to.iter().chain(&cc).map(|a| a.addr.clone()).collect();
        let domain = from.addr.rsplit('@').next().unwrap_or_default().to_owned();
        let message_id = format!("{}@{domain}", MessageId::random().as_str().replace('_', "."));
        let sender = from.addr.clone();
        let bytes = build(&Compose {
            from,
            to,
            cc,
            subject: input.subject.clone(),
            text: input.text.clone(),
            in_reply_to: None,
            references: vec![],
            date: clock::wall(),
            message_id: message_id.clone(),
        })
        .map_err(|fault| Error::invalid(vec![Fault::new(format!("/{}", fault.field), fault.accepted)]))?;
        Ok(Letter {
            account: account.account_id,
            from: sender,
            to: envelope,
            bytes,
            message_id,
        })
    }
}

/// The account it goes out from: the one named, or the only one.
fn from(cx: &ReadCx, input: &SendMessageInput) -> Result<oaken_core::model::Account> {
    let mut accounts = cx.mail.accounts()?;
    if let Some(id) = &input.account_id {
        accounts.retain(|a| a.account_id == *id);
    }
    match (accounts.pop(), accounts.is_empty()) {
        (Some(account), true) => Ok(account),
        (None, _) => Err(Error::not_found("/account_id")),
        (Some(_), false) => Err(Error::invalid_field(
            "/account_id",
            "is required where there are several accounts",
        )),
    }
}

fn addresses(field: &str, given: &[oaken_core::Address]) -> Result<Vec<Address>> {
    let each = given.iter().enumerate();
    each.map(|(n, a)| strict(&format!("{field}/{n}"), a.as_str()))
        .collect()
}

fn strict(field: &str, address: &str) -> Result<Address> {
    strict_address(address)
        .map_err(|fault: AddressFault| Error::invalid(vec![Fault::new(field, fault.accepted())]))
}
