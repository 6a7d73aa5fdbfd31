//! The handlers over what mail and the gate offer: one file an operation, mirroring `spec/operations`.
//!
//! Nothing here names SQL, a wire protocol, what sends, or the service that marks mail read.

mod generated;
mod handlers;

pub use generated::*;
