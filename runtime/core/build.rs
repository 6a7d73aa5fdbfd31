//! Prints the shared shapes and the settings of the spec as Rust.

use std::path::{Path, PathBuf};
use std::{env, fs};

use oaken_codegen::{Diagnostics, emit, frontend, ir};

fn main() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let spec_dir = package
        .ancestors()
        .nth(2)
        .expect("the package lies two folders down")
        .join("spec");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for folder in ["models", "settings"] {
        println!("cargo::rerun-if-changed={}", spec_dir.join(folder).display());
    }
    let mut found = Diagnostics::default();
    let raw = frontend::load_shapes(&spec_dir, &mut found);
    let spec = ir::lower::spec(raw, &mut found);
    found.sort();
    for diagnostic in found.iter() {
        println!("cargo::error={}", found.line(diagnostic));
    }
    fs::write(out.join("models.rs"), emit::models::emit(&spec)).expect("OUT_DIR is writable");
    fs::write(out.join("settings.rs"), emit::settings::emit(&spec)).expect("OUT_DIR is writable");
}
