//! A secret in an output, and one that an agent could be issued.

use oaken_macros::operation;

#[operation(
    class = read,
    ceiling = off,
    area = accounts,
    summary = "Show a password.",
    cli = "accounts password <account_id>"
)]
pub mod show_password {
    pub struct Input {
        /// The account.
        pub account_id: AccountId,
    }
    pub struct Output {
        /// The password.
        pub password: Secret,
        /// A token.
        pub token: IssuedSecret,
    }
}

fn main() {}
