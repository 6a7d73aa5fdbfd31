//! The two macros of Oaken: `#[operation]` declares an operation where it stands, `handlers!()` finds the handlers.
//!
//! A door: what they do is in `oaken-codegen`, an ordinary crate with ordinary tests.

use std::path::PathBuf;

use proc_macro::TokenStream;

/// Declares an operation on an inline module that holds `Input` and `Output`.
///
/// Keys and words are those of a spec file; see `docs/adding-an-operation.md`. The module gets `Input`, `Output`, the
/// marker type and `DESCRIPTOR`; beside it stand the same under the names that YAML would give them. A rule that the
/// operation breaks is reported on the token that breaks it.
#[proc_macro_attribute]
pub fn operation(args: TokenStream, item: TokenStream) -> TokenStream {
    oaken_codegen::emit::in_place::expand(args.into(), item.into(), &manifest()).into()
}

/// Declares the modules of `src/handlers`: `pub mod area { pub mod operation; }` for each folder and file.
///
/// Stands in `src/handlers/mod.rs`. A new file needs no entry anywhere; the build script watches the folder.
#[proc_macro]
pub fn handlers(_: TokenStream) -> TokenStream {
    oaken_codegen::emit::handlers::expand(&manifest().join("src/handlers")).into()
}

/// The package being compiled. Its folder, not the working directory: editors expand macros from elsewhere.
fn manifest() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .unwrap_or_default()
}
