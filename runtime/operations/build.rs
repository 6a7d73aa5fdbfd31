//! Compiles the spec: prints the types, descriptors and entries of the operations declared in YAML, and says what is
//! wrong with it.

fn main() {
    oaken_codegen::build::operations();
}
