//! oaken-codegen
