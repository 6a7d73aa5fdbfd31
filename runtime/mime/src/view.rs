//! What a message says, in plain values. All text is decoded and cleaned (see [`crate::clean`]); it is still a
//! stranger's text, and the caller wraps it as such.

use crate::{address::Address, list::ListInfo};

/// A message as it can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The Message-ID without its angle brackets.
    pub message_id: Option<String>,
    /// The ids of In-Reply-To, without angle brackets.
    pub in_reply_to: Vec<String>,
    /// The ids of References, oldest first, without angle brackets.
    pub references: Vec<String>,
    /// The decoded subject, in one line.
    pub subject: String,
    /// The authors.
    pub from: Vec<Address>,
    /// Who sent it for the authors.
    pub sender: Vec<Address>,
    /// Where answers are asked to go.
    pub reply_to: Vec<Address>,
    /// The recipients.
    pub to: Vec<Address>,
    /// The recipients of copies.
    pub cc: Vec<Address>,
    /// The recipients of blind copies, as far as the header still names them.
    pub bcc: Vec<Address>,
    /// The Date field in Unix seconds, UTC; none if missing or no date.
    pub date: Option<i64>,
    /// The readable text of the body.
    pub text: String,
    /// Which kind of part the text was taken from.
    pub text_from: TextSource,
    /// Text that a person would not see was found, and removed or marked.
    pub hidden: bool,
    /// Characters that act on a terminal, turn text round or cannot be seen were taken out or shown as escapes.
    pub invisible: bool,
    /// Attachments and inline parts, in their order.
    pub parts: Vec<Part>,
    /// The mailing list fields, if there are any.
    pub list: Option<ListInfo>,
    /// Written by a machine or sent in bulk (Auto-Submitted of RFC 3834, Precedence).
    pub auto: bool,
    /// The topmost Authentication-Results (RFC 8601), unfolded. Only that of one's own server is worth anything.
    pub authentication: Option<String>,
    /// The sender asks to be told when the message is read.
    pub receipt_requested: bool,
    /// Other software may read something else in the same bytes: doubled fields, doubled part names, no boundary.
    pub is_ambiguous: bool,
    /// Why this view may not be the whole message; the gravest reason.
    pub doubt: Option<Doubt>,
}

/// Where the readable text came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextSource {
    /// From text/plain.
    Plain,
    /// From text/html, at least in part.
    Html,
    /// There is no readable part.
    #[default]
    None,
}

/// An attachment or an inline part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The IMAP part number (RFC 9051 §6.4.5), such as `2.1`.
    pub id: String,
    /// The media type in lower case, such as `application/pdf`.
    pub media_type: String,
    /// The decoded file name, in one line, if one is given. Never a path to write to.
    pub name: Option<String>,
    /// The size after the transfer encoding is undone, in bytes.
    pub size_bytes: u64,
    /// How the sender wants it shown.
    pub disposition: Disposition,
    /// The Content-ID without its angle brackets.
    pub content_id: Option<String>,
}

/// How the sender wants a part shown (RFC 2183).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// To be saved.
    Attachment,
    /// To be shown with the text.
    Inline,
}

/// Why a view may not be the whole message. Later ones are graver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// The plain text and the HTML of the same message say different things.
    AlternativesDiffer,
    /// A charset label is unknown; its text was read as UTF-8 or windows-1252.
    UnknownCharset,
    /// The HTML was larger than is converted; the rest is left out.
    TextCut,
    /// More addresses than are read.
    TooManyAddresses,
    /// The header is larger than is read.
    HeaderTooLarge,
    /// More parts than are read.
    TooManyParts,
    /// Parts nested deeper than are read.
    TooDeep,
    /// The message is larger than is read; only its header was.
    TooLarge,
    /// The message could not be parsed; only its header was, if that.
    Unreadable,
}

impl Doubt {
    /// The stable word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::AlternativesDiffer => "alternatives_differ",
            Self::UnknownCharset => "unknown_charset",
            Self::TextCut => "text_cut",
            Self::TooManyAddresses => "too_many_addresses",
            Self::HeaderTooLarge => "header_too_large",
            Self::TooManyParts => "too_many_parts",
            Self::TooDeep => "too_deep",
            Self::TooLarge => "too_large",
            Self::Unreadable => "unreadable",
        }
    }

    /// What a person is told.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::AlternativesDiffer => "The plain text and the HTML of this message say different things.",
            Self::UnknownCharset => {
                "This message names a charset that is not known; some letters may be wrong."
            }
            Self::TextCut => "The HTML of this message is too large; the rest of its text is left out.",
            Self::TooManyAddresses => "This message has more than 2,000 addresses; the others are left out.",
            Self::HeaderTooLarge => {
                "The header of this message is larger than 1 MB; the rest of it is left out."
            }
            Self::TooManyParts => "This message has more than 1,000 parts; the others are left out.",
            Self::TooDeep => {
                "The parts of this message are nested deeper than 50; the inner ones are left out."
            }
            Self::TooLarge => "This message is larger than 64 MB; only its header was read.",
            Self::Unreadable => "This message could not be parsed; only its header was read.",
        }
    }
}

impl View {
    /// Notes a reason for doubt; the gravest one stays.
    pub(crate) fn doubt(&mut self, doubt: Doubt) {
        self.doubt = self.doubt.max(Some(doubt));
    }
}
