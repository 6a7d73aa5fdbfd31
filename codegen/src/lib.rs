//! The compiler of the spec: load, lower, check, emit.
//!
//! Text in, text out: it knows no mail, no database and no protocol, and depends on no crate of ours. Three doors use
//! it: build scripts (`build`), `cargo codegen` (`main.rs`) and the macros.

pub mod build;
pub mod diagnostic;
pub mod emit;
pub mod frontend;
pub mod ir;
pub mod naming;
pub mod rules;

use std::path::{Path, PathBuf};

pub use diagnostic::{Diagnostic, Diagnostics, Scope};
pub use ir::Spec;

/// Compiles a spec folder and the Rust files (or folders of them) that hold `#[operation]` modules.
///
/// Never fails: what could not be read or lowered is left out of the spec and said in the findings. Files are shown
/// relative to the parent of `dir`.
#[must_use]
pub fn compile(dir: &Path, attribute_sources: &[PathBuf]) -> (Spec, Diagnostics) {
    let mut found = Diagnostics::default();
    let raw = frontend::load(dir, attribute_sources, &mut found);
    let spec = ir::lower::spec(raw, &mut found);
    rules::check(&spec, &mut found);
    found.sort();
    (spec, found)
}
