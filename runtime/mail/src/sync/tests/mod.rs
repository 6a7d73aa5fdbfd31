//! Maildir sync on real files in temporary folders.

mod fixture;
mod folders;
mod identity;
mod index;
mod robust;

pub(crate) use fixture::{Mail, mail};
