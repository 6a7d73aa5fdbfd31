//! Mail: accounts and their secrets, what is synced, where it lies, which messages belong together, what was changed.
//!
//! Every table of mail and its SQL is here (`migrations/0002_mail.sql`), and nothing of who may use it: a reader
//! exists only for a grant of the gate, a writer only for its leave. Deliberately absent: sending, marking mail read
//! on anyone's behalf but `oaken-read-state`'s (`changes::seen` asks for its leave), searching, and every operation.

pub mod accounts;
pub mod changes;
pub mod directory;
pub mod facts;
pub mod flag;
pub mod handler;
pub mod index;
pub mod journal;
pub mod reader;
pub mod services;
pub mod sync;
pub mod vault;

mod identity;
mod ingest;
mod labels;
mod threads;

pub use directory::MailDirectory;
pub use flag::Flags;
pub use handler::{Cx, ReadCx};
pub use reader::Reader;
pub use services::Services;
