//! A change other than `mark_read` that marks mail read.

use oaken_macros::operation;

#[operation(
    class = mutate,
    ceiling = off,
    marks_read,
    area = messages,
    summary = "Be done with messages.",
    cli = "messages finish <target>..."
)]
pub mod finish_messages {
    pub struct Input {
        /// The messages.
        pub target: Selection,
    }
    pub struct Output {}
}

fn main() {}
