//! Prints the list of the operations that this crate declares with `#[operation]`; the macro prints their items.

use std::path::{Path, PathBuf};
use std::{env, fs};

use oaken_codegen::{compile, emit};

fn main() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package
        .ancestors()
        .nth(2)
        .expect("the package lies two folders down");
    let spec_dir = root.join("spec");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for folder in ["models", "settings"] {
        println!("cargo::rerun-if-changed={}", spec_dir.join(folder).display());
    }
    println!("cargo::rerun-if-changed=src");
    // What is wrong is said by the macro, and over the whole spec by the build of `oaken-operations`.
    let (spec, _) = compile(&spec_dir, &[package.join("src")]);
    fs::write(out.join("operations.rs"), emit::entries::emit_attributes(&spec)).expect("OUT_DIR is writable");
}
