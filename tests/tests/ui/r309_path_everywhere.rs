//! A path that every door would take.

use oaken_macros::operation;

#[operation(
    class = read,
    ceiling = never,
    area = messages,
    summary = "Save a message to a file.",
    cli = "messages save <message_id> <file>"
)]
pub mod save_message {
    pub struct Input {
        /// The message.
        pub message_id: MessageId,
        /// The file.
        #[field(type = "path")]
        pub file: String,
    }
    pub struct Output {}
}

fn main() {}
