//! A send that could be offered to agents.

use oaken_macros::operation;

#[operation(
    class = send,
    ceiling = off,
    area = messages,
    summary = "Send a message.",
    cli = "messages shout"
)]
pub mod shout {
    pub struct Input {
        /// The text.
        #[field(max_chars = 100)]
        pub text: String,
    }
    pub struct Output {}
}

fn main() {}
