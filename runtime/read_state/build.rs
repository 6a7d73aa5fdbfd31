//! Prints the list of the operations that this crate declares with `#[operation]`; the macro prints their items.

fn main() {
    oaken_codegen::build::attributes();
}
