//! The HTTP door: operations as POST, problem documents (RFC 9457), health, the OpenAPI document, and MCP's mount.
//!
//! Absent on purpose: sessions, cookies and pages. GET changes nothing, ever.

mod bearer;
mod body;
mod connections;
mod operations;
mod origin;
mod problem;
mod server;

pub use bearer::caller as bearer_caller;
pub use body::read as read_body;
pub use operations::{is_json, json, no_json};
pub use origin::Served;
pub use problem::Problem;
pub use server::{Listening, serve, wrong_method};

/// The OpenAPI 3.1 document, as generated from the spec.
pub const OPENAPI: &str = include_str!("../../../../docs/reference/openapi.json");
