//! What `#[operation]` prints where it stands: the module with its types, marker and descriptor.
//!
//! The same items as for YAML, named `Input`, `Output` and `DESCRIPTOR` within the module, and under the names that
//! YAML would give beside it. Where the declaration was refused the module still has everything that other code
//! names, so that an author sees the one error and not forty that follow from it.

use std::path::{Path, PathBuf};

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ItemMod;
use syn::ext::IdentExt as _;

use super::types::{self, Home};
use super::{entries, names};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::frontend::attribute::{self, Places};
use crate::ir::{self, Operation, Spec};
use crate::{frontend, rules};

/// The expansion of `#[operation(args)]` on an item, in a package at `manifest`.
#[must_use]
pub fn expand(args: TokenStream, item: TokenStream, manifest: &Path) -> TokenStream {
    let module = match syn::parse2::<ItemMod>(item) {
        Ok(module) if module.content.is_some() => module,
        Ok(module) => {
            return refuse(
                module.ident.span(),
                "an operation is declared on a module with a body: `mod name { … }`",
            );
        }
        Err(e) => return refuse(e.span(), "an operation is declared on a module: `mod name { … }`"),
    };
    let Some(dir) = spec_folder(manifest) else {
        return refuse(
            module.ident.span(),
            "there is no `spec` folder above this package",
        );
    };
    let places = Places::in_macro();
    let mut found = Diagnostics::default();
    // What is wrong with the spec itself is said by the build of the crate that compiles it.
    let shapes = frontend::load_shapes(&dir, &mut Diagnostics::default());
    let shapes = ir::lower::shapes(
        &shapes.models,
        &shapes.sections,
        &shapes.broken_shapes,
        &mut Diagnostics::default(),
    );
    let raw = attribute::operation(args, &module, &places, &mut found);
    let lowered = ir::lower::operation(&raw, &ir::lower::Shapes::of(&shapes), &mut found)
        .filter(|_| raw.spoiled.is_empty());
    if let Some(op) = &lowered {
        rules::check_operation(op, &shapes, &mut found);
    }
    found.sort();
    let errors: Vec<TokenStream> = found
        .iter()
        .filter_map(|d| places.span(&d.origin).map(|span| error(d, span)))
        .collect();
    match lowered {
        Some(op) if errors.is_empty() => in_module(&module, &items(&op, &shapes)),
        _ => {
            let fallback = in_module(&module, &fallback(&module));
            quote! { #(#errors)* #fallback }
        }
    }
}

/// The nearest `spec` folder at or above a package; else the one beside this crate, for packages that are built
/// elsewhere (the tests of what must not compile).
fn spec_folder(manifest: &Path) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1);
    manifest
        .ancestors()
        .chain(beside)
        .map(|dir| dir.join("spec"))
        .find(|spec| spec.join("settings").is_dir())
}

fn error(d: &Diagnostic, span: Span) -> TokenStream {
    let mut message = format!("{}: {}", d.code, d.message);
    if !d.help.is_empty() {
        message.push_str(&format!("\nhelp: {}", d.help));
    }
    refuse(span, &message)
}

fn refuse(span: Span, message: &str) -> TokenStream {
    quote_spanned! { span => ::core::compile_error! { #message } }
}

fn items(op: &Operation, spec: &Spec) -> TokenStream {
    let types = types::operation(op, "Input", "Output", spec, &Home::elsewhere());
    let marker = entries::marker(op, "DESCRIPTOR", "Input", "Output", spec);
    quote! { #types #marker }
}

/// The author's module with the declaration's structs replaced by the generated items, and their names beside it.
fn in_module(module: &ItemMod, items: &TokenStream) -> TokenStream {
    let kept = module
        .content
        .iter()
        .flat_map(|(_, items)| items)
        .filter(|item| !is_declaration(item));
    let attributes = module
        .attrs
        .iter()
        .filter(|a| a.path().segments.last().is_none_or(|s| s.ident != "operation"));
    let (visibility, ident) = (&module.vis, &module.ident);
    let name = ident.unraw().to_string();
    let camel = names::camel(&name);
    // The author's own comment comes first.
    let commented = module.attrs.iter().any(|a| a.path().is_ident("doc"));
    let doc = (!commented).then(|| {
        let doc = format!(" The operation `{name}`.");
        quote!(#[doc = #doc])
    });
    let marker = names::ident(&camel);
    let (input, output) = (
        names::ident(&format!("{camel}Input")),
        names::ident(&format!("{camel}Output")),
    );
    let descriptor = names::ident(&names::screaming(&name));
    quote! {
        #doc
        #(#attributes)*
        #visibility mod #ident {
            #(#kept)*
            #items
        }
        #[allow(unused_imports)]
        #visibility use #ident::{DESCRIPTOR as #descriptor, Input as #input, #marker, Output as #output};
    }
}

fn is_declaration(item: &syn::Item) -> bool {
    matches!(item, syn::Item::Struct(s) if s.ident == "Input" || s.ident == "Output")
}

/// Enough for everything that names the operation to compile: the author's own fields, and a descriptor that nobody
/// will ever run.
fn fallback(module: &ItemMod) -> TokenStream {
    let name = module.ident.unraw().to_string();
    let marker = names::ident(&names::camel(&name));
    let input = author_struct(module, "Input");
    let output = author_struct(module, "Output");
    quote! {
        #[allow(unused_imports)]
        use ::oaken_core::{*, model::*};
        #input
        #output
        /// Refused.
        #[derive(Debug)]
        pub struct #marker;
        /// Refused.
        pub static DESCRIPTOR: ::oaken_core::Descriptor = ::oaken_core::Descriptor {
            name: #name, area: "", title: "", summary: "", description: "",
            class: ::oaken_core::Class::Read, ceiling: ::oaken_core::Ceiling::Never,
            marks_read: false, preview: true, destroys: false,
            approval: ::oaken_core::Approval::Person, presence: None, schedulable: false, undo: None,
            mcp: ::oaken_core::Mcp { tool: #name, action: None, result: ::oaken_core::McpResult::Structured },
            cli: ::oaken_core::Cli { path: &[], positional: &[], only: true },
            input: &[], output: &[], examples: &[], digest: "",
        };
        impl ::oaken_mail::handler::Operation for #marker {
            type Input = Input;
            type Output = Output;
            const DESCRIPTOR: &'static ::oaken_core::Descriptor = &DESCRIPTOR;
        }
    }
}

fn author_struct(module: &ItemMod, name: &str) -> TokenStream {
    let declared = module
        .content
        .iter()
        .flat_map(|(_, items)| items)
        .find_map(|item| match item {
            syn::Item::Struct(s) if s.ident == name => Some(s),
            _ => None,
        });
    let ident = format_ident!("{name}");
    let fields = declared.into_iter().flat_map(|s| &s.fields).filter_map(|f| {
        let (name, ty) = (f.ident.as_ref()?, &f.ty);
        Some(quote! { #[allow(missing_docs)] pub #name: #ty, })
    });
    // Not derived: what is wrong may be that a field cannot be read or written.
    quote! {
        #[allow(missing_docs)]
        pub struct #ident { #(#fields)* }
        impl<'de> ::serde::Deserialize<'de> for #ident {
            fn deserialize<D: ::serde::Deserializer<'de>>(_: D) -> ::core::result::Result<Self, D::Error> {
                ::core::result::Result::Err(::serde::de::Error::custom("refused"))
            }
        }
        impl ::serde::Serialize for #ident {
            fn serialize<S: ::serde::Serializer>(&self, s: S) -> ::core::result::Result<S::Ok, S::Error> {
                s.serialize_unit()
            }
        }
    }
}
