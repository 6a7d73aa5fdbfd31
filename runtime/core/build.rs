//! Prints the shared shapes and the settings of the spec as Rust.

fn main() {
    oaken_codegen::build::core();
}
