//! A schedule that marks mail read.

use oaken_macros::operation;

#[operation(
    class = mutate,
    ceiling = off,
    marks_read,
    schedulable,
    undo = mark_unread,
    area = messages,
    summary = "Mark messages read.",
    cli = "messages mark-read <target>..."
)]
pub mod mark_read {
    pub struct Input {
        /// The messages.
        pub target: Selection,
    }
    pub struct Output {}
}

fn main() {}
