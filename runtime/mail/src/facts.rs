//! What a message's headers say beyond its row: stored as one JSON object beside its text, read only when it is opened.
//!
//! All strings are a stranger's text. Deliberately absent: anything a listing needs; that is in `message_row`.

use serde::{Deserialize, Serialize};

/// A name and an address, as the message gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mailbox {
    /// The display name; empty where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The address.
    pub address: String,
}

/// How to leave a list, as the message says (RFC 2369, RFC 8058).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Unsubscribe {
    /// The addresses and links of List-Unsubscribe.
    pub ways: Vec<String>,
    /// Whether it offers one click.
    pub one_click: bool,
}

/// The facts. Every field may be missing in a row that an older version wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HeaderFacts {
    /// From, all of it.
    pub from: Vec<Mailbox>,
    /// Sender, where it is another.
    pub sender: Vec<Mailbox>,
    /// Reply-To.
    pub reply_to: Vec<Mailbox>,
    /// To.
    pub to: Vec<Mailbox>,
    /// Cc.
    pub cc: Vec<Mailbox>,
    /// Bcc, as far as one's own copy has it.
    pub bcc: Vec<Mailbox>,
    /// The topmost Authentication-Results: what the receiving server said.
    pub authentication: Option<String>,
    /// How to leave the list.
    pub unsubscribe: Option<Unsubscribe>,
    /// Text that a person would not have seen was taken out.
    pub hidden: bool,
    /// Characters that deceive or cannot be seen were taken out, or are shown as escapes.
    pub invisible: bool,
    /// The text was made of HTML.
    pub from_html: bool,
    /// The sender asks to be told when it is read.
    pub receipt_requested: bool,
    /// Other software may read something else in the same bytes.
    pub ambiguous: bool,
    /// Why the text may not be the whole message: a word of `oaken_mime::Doubt`.
    pub doubt: Option<String>,
}

impl HeaderFacts {
    /// From the stored JSON; a row that cannot be read has no facts.
    #[must_use]
    pub fn read(json: &str) -> Self {
        serde_json::from_str(json).unwrap_or_default()
    }

    /// As it is stored.
    #[must_use]
    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "{}".to_owned())
    }

    /// Names and addresses of all recipients in one line, for the full text.
    #[must_use]
    pub fn recipients_line(&self) -> String {
        let mut line = String::new();
        for m in self.to.iter().chain(&self.cc).chain(&self.bcc) {
            for word in [&m.name, &m.address] {
                if !word.is_empty() {
                    line.push_str(word);
                    line.push(' ');
                }
            }
        }
        line
    }
}
