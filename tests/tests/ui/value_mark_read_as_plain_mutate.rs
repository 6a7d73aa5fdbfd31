//! `mark_read`, registered as if it were any change.

use std::sync::Arc;

use oaken_mail::{Services, handler};
use oaken_read_state::MarkRead;

fn register(services: &Arc<Services>) -> oaken_gate::Entry {
    handler::mutate::<MarkRead>(services)
}

fn main() {
    let _ = register;
}
