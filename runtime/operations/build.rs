//! Compiles the spec: prints the types, descriptors and entries of the operations declared in YAML.
//!
//! What is wrong with the spec stops the build, each fault on its own line; what is wrong with one operation that
//! `#[operation]` declares is left to the macro, which says it on its token.

use std::path::{Path, PathBuf};
use std::{env, fs};

use oaken_codegen::diagnostic::Scope;
use oaken_codegen::ir::Declared;
use oaken_codegen::{compile, emit};

fn main() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package
        .ancestors()
        .nth(2)
        .expect("the package lies two folders down");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    println!("cargo::rerun-if-changed={}", root.join("spec").display());
    println!("cargo::rerun-if-changed=src/handlers");
    let attributes = [root.join("runtime/read_state/src"), root.join("runtime/send/src")];
    let (spec, found) = compile(&root.join("spec"), &attributes);
    let ours = found
        .iter()
        .filter(|d| !(d.declared == Declared::Attribute && d.scope == Scope::Operation));
    for diagnostic in ours {
        println!("cargo::error={}", found.line(diagnostic));
    }
    fs::write(out.join("operations.rs"), emit::entries::emit(&spec)).expect("OUT_DIR is writable");
}
