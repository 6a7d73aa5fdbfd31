//! Second opinions on what the spec became: jsonschema and serde on what is taken in, schemars on what is published.
//!
//! Elsewhere: serde_yaml on the spec files, and that what is generated twice is equal (`codegen/tests`).

mod base;
mod bytes;
mod derived;
mod inputs;
mod mutate;
mod random;
mod schemas;

use oaken_core::Descriptor;

/// Every operation there is.
fn descriptors() -> Vec<&'static Descriptor> {
    [
        oaken_operations::DESCRIPTORS,
        oaken_read_state::DESCRIPTORS,
        oaken_send::DESCRIPTORS,
    ]
    .concat()
}
