//! The modules of a crate's handlers, found by reading the directory.
//!
//! One folder an area, one file an operation. No registration, so a newcomer edits no list; whether each file has a
//! declaration and the reverse is rule R501. Module paths are left to rustc's own resolution, so editors follow them.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;

use super::names;

/// The expansion of `handlers!()`. A folder that cannot be read is a compile error that says so.
#[must_use]
pub fn expand(handlers: &Path) -> TokenStream {
    match find(handlers) {
        Ok(found) => modules(&found),
        Err(e) => {
            let message = format!("the handlers cannot be read: {}", e.kind());
            quote! { ::core::compile_error! { #message } }
        }
    }
}

/// The handler files of `src/handlers`, by area, sorted.
///
/// # Errors
/// When the directory cannot be read.
pub fn find(handlers: &Path) -> io::Result<BTreeMap<String, Vec<String>>> {
    let mut found = BTreeMap::new();
    for area in std::fs::read_dir(handlers)? {
        let area = area?;
        let Some(name) = area.file_name().to_str().map(str::to_owned) else {
            continue;
        };
        if !area.file_type()?.is_dir() || !is_module_name(&name) {
            continue;
        }
        let mut files = Vec::new();
        for file in std::fs::read_dir(area.path())? {
            let file = file?.file_name();
            if let Some(stem) = file.to_str().and_then(|f| f.strip_suffix(".rs"))
                && is_module_name(stem)
            {
                files.push(stem.to_owned());
            }
        }
        files.sort();
        found.insert(name, files);
    }
    Ok(found)
}

/// `pub mod area { pub mod operation; }` for each of them. A module's own `//!` documents it.
#[must_use]
pub fn modules(found: &BTreeMap<String, Vec<String>>) -> TokenStream {
    let areas = found.iter().map(|(area, files)| {
        let doc = format!(" The `{area}` operations.");
        let area = names::field(area);
        let files = files.iter().map(|f| names::field(f));
        quote! {
            #[doc = #doc]
            pub mod #area { #(pub mod #files;)* }
        }
    });
    quote! { #(#areas)* }
}

fn is_module_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_and_files_come_sorted_and_nothing_else_is_a_module() {
        let dir = std::env::temp_dir().join(format!("oaken-handlers-{}", std::process::id()));
        for path in [
            "b/two.rs",
            "b/one.rs",
            "a/x.rs",
            "a/.x.rs.swp",
            "a/notes.md",
            "mod.rs",
        ] {
            let path = dir.join(path);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            std::fs::write(path, "").expect("written");
        }
        let found = find(&dir).expect("read");
        std::fs::remove_dir_all(&dir).expect("removed");
        assert_eq!(
            modules(&found).to_string(),
            quote! {
                #[doc = " The `a` operations."] pub mod a { pub mod x; }
                #[doc = " The `b` operations."] pub mod b { pub mod one; pub mod two; }
            }
            .to_string()
        );
    }
}
