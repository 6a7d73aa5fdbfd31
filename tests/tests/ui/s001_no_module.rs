//! An operation on what is no module.

use oaken_macros::operation;

#[operation(class = read)]
pub fn look() {}

fn main() {}
