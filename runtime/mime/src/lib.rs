//! Mail bytes to what can be read, and back: MIME, addresses, charsets, HTML to text, quotes, composing.
//!
//! Deliberately absent: I/O, databases, IMAP, SMTP, decryption, unpacking of archives. Everything here takes bytes
//! or text that a stranger wrote, never fails on it and never panics: what cannot be read is said in [`View::doubt`].

mod address;
mod charset;
mod clean;
mod compose;
mod fields;
mod html;
mod list;
mod parse;
mod parts;
mod quote;
mod readable;
mod subject;
mod transfer;
mod view;

pub use address::{Address, AddressFault, strict_address, unicode_domain};
pub use clean::{Cleaned, clean, clean_line};
pub use compose::{Compose, ComposeFault, build};
pub use html::{HIDDEN_MARKER, HtmlText, html_to_text};
pub use list::ListInfo;
pub use parse::{MAX_ADDRESSES, MAX_DEPTH, MAX_HEADER_BYTES, MAX_MESSAGE_BYTES, MAX_PARTS};
pub use parse::{attachment, parse, parse_headers};
pub use quote::{snippet, strip_quotes};
pub use subject::base_subject;
pub use view::{Disposition, Doubt, Part, TextSource, View};
