//! A leave to change from the function that only the gate may call.

use oaken_gate::{Confirmed, MarksRead};

fn main() {
    let _ = Confirmed::<MarksRead>::after;
}
