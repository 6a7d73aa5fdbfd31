//! An id and a folder that are plain strings.

use oaken_macros::operation;

#[operation(
    class = read,
    ceiling = on,
    area = messages,
    summary = "Look at a message.",
    cli = "messages look"
)]
pub mod look_at_message {
    pub struct Input {
        /// The message.
        #[field(min_chars = 1, max_chars = 20)]
        pub message_id: String,
        /// The folder.
        #[field(min_chars = 1, max_chars = 200)]
        pub folder: Option<String>,
    }
    pub struct Output {
        /// The subject.
        #[field(max_chars = 200)]
        pub subject: Text,
    }
}

fn main() {}
