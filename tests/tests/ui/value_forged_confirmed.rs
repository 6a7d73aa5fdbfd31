//! A leave to change that somebody makes for themselves.

use oaken_gate::{Confirmed, MarksRead};

fn forge() -> Confirmed<MarksRead> {
    Confirmed { intent: 1 }
}

fn main() {
    let _ = forge();
}
