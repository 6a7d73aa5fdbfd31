//! A key that does not exist, a word that does not either, and a type the spec has no word for.

use oaken_macros::operation;

#[operation(
    clas = read,
    ceiling = sometimes,
    area = messages,
    summary = "Look.",
    cli = "messages look"
)]
pub mod look {
    pub struct Input {
        /// How often.
        pub times: f64,
    }
    pub struct Output {}
}

fn main() {}
