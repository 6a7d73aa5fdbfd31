//! A change that agents can reach and that cannot say what it would change.

use oaken_macros::operation;

#[operation(
    class = mutate,
    ceiling = off,
    preview = false,
    area = messages,
    summary = "Tidy up.",
    cli = "messages tidy <target>..."
)]
pub mod tidy_messages {
    pub struct Input {
        /// The messages.
        pub target: Selection,
    }
    pub struct Output {}
}

fn main() {}
