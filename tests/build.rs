//! Prints the generated types once more, with the derive of a second opinion on their schemas (`tests/oracles`).

fn main() {
    oaken_codegen::build::oracle();
}
