//! What cannot be taken back, and an agent may confirm it.

use oaken_macros::operation;

#[operation(
    class = mutate,
    ceiling = off,
    destroys,
    area = messages,
    summary = "Delete messages for good.",
    cli = "messages destroy <target>..."
)]
pub mod destroy_messages {
    pub struct Input {
        /// The messages.
        pub target: Selection,
    }
    pub struct Output {}
}

fn main() {}
