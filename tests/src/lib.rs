//! Tests of Oaken as a whole: what they share. The tests themselves are one binary a kind, in `tests/`.
//!
//! Deliberately absent: anything of Oaken's own code. The doors are used as clients use them.

pub mod canary;
pub mod corpus;
pub mod daemon;
pub mod dovecot;
pub mod http;
pub mod imap_probe;
pub mod installation;
pub mod lying_imap;
pub mod mcp;
pub mod program;
