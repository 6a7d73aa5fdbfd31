//! What the build step makes of `spec/operations`: types, descriptors and one entry line an operation.

include!(concat!(env!("OUT_DIR"), "/operations.rs"));
