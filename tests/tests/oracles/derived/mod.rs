//! The generated types with schemars' derive, and serde's reading of the product's own; see `oaken_codegen::emit::oracle`.

pub mod vocabulary;

include!(concat!(env!("OUT_DIR"), "/oracle.rs"));
