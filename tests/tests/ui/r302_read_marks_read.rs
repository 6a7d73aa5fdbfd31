//! A read that marks mail read.

use oaken_macros::operation;

#[operation(
    class = read,
    ceiling = on,
    marks_read,
    area = messages,
    summary = "Open a message.",
    cli = "messages open <message_id>"
)]
pub mod open_message {
    pub struct Input {
        /// The message.
        pub message_id: MessageId,
    }
    pub struct Output {
        /// Its text.
        pub text: Text,
    }
}

fn main() {}
