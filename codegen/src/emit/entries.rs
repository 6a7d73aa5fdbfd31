//! The operations of a crate: each one's types, marker and descriptor, and one line an operation for the gate.

use proc_macro2::TokenStream;
use quote::quote;

use super::types::{self, Home};
use super::{descriptor, names, print};
use crate::ir::{Class, Declared, Operation, Spec};

/// The generated file of a crate whose operations are declared in YAML.
#[must_use]
pub fn emit(spec: &Spec) -> String {
    let operations: Vec<&Operation> = spec.yaml_operations().collect();
    let items = operations.iter().map(|op| operation(op, spec));
    let descriptors = operations.iter().map(|op| {
        let name = names::ident(&names::screaming(&op.name));
        quote!(&#name)
    });
    let markers = operations.iter().map(|op| {
        let name = names::ident(&names::camel(&op.name));
        quote!(#name)
    });
    let list = list(&operations, descriptors, markers);
    print(quote! { #(#items)* #list })
}

/// The generated file of a crate whose operations are declared by `#[operation]`: the macro prints the items where
/// they stand, so only the list is left.
#[must_use]
pub fn emit_attributes(spec: &Spec) -> String {
    let operations: Vec<&Operation> = spec
        .operations
        .iter()
        .filter(|o| o.declared == Declared::Attribute)
        .collect();
    let descriptors = operations.iter().map(|op| {
        let module = module(op);
        quote!(&#module::DESCRIPTOR)
    });
    let markers = operations.iter().map(|op| {
        let (module, name) = (module(op), names::ident(&names::camel(&op.name)));
        quote!(#module::#name)
    });
    print(list(&operations, descriptors, markers))
}

/// The path of the module that declares an operation, from the file it lies in: `src/marks.rs` is `crate::marks`.
fn module(op: &Operation) -> TokenStream {
    let file = op.origins.name.file.trim_end_matches(".rs");
    let within = file.rsplit_once("/src/").map_or(file, |(_, within)| within);
    let mut path: Vec<&str> = within.split('/').collect();
    if matches!(path.last(), Some(&("lib" | "mod"))) {
        path.pop();
    }
    path.push(&op.name);
    let path = path.iter().map(|m| names::field(m));
    quote!(crate #(::#path)*)
}

/// The items of one operation.
fn operation(op: &Operation, spec: &Spec) -> TokenStream {
    let home = Home::elsewhere();
    let camel = names::camel(&op.name);
    let (input, output) = (format!("{camel}Input"), format!("{camel}Output"));
    let types = types::operation(op, &input, &output, spec, &home);
    let items = marker(op, &names::screaming(&op.name), &input, &output, spec);
    quote! { #types #items }
}

/// The marker type of an operation, its descriptor under a name, and what ties them to its types.
#[must_use]
pub fn marker(op: &Operation, descriptor_name: &str, input: &str, output: &str, spec: &Spec) -> TokenStream {
    let home = Home::elsewhere();
    let marker = names::ident(&names::camel(&op.name));
    let (input, output) = (names::ident(input), names::ident(output));
    let constant = names::ident(descriptor_name);
    let summary = types::prose(&op.summary);
    let descriptor_doc = format!(" What the doors and the gate know of `{}`.", op.name);
    let value = descriptor::value(op, spec, &home);
    quote! {
        #summary
        #[derive(Debug)]
        pub struct #marker;

        #[doc = #descriptor_doc]
        pub static #constant: ::oaken_core::Descriptor = #value;

        impl ::oaken_mail::handler::Operation for #marker {
            type Input = #input;
            type Output = #output;
            const DESCRIPTOR: &'static ::oaken_core::Descriptor = &#constant;
        }
    }
}

fn list(
    operations: &[&Operation],
    descriptors: impl Iterator<Item = TokenStream>,
    markers: impl Iterator<Item = TokenStream>,
) -> TokenStream {
    let lines = operations.iter().zip(markers).map(|(op, marker)| {
        let kind = names::ident(kind(op));
        quote!(::oaken_mail::handler::#kind::<#marker>(services))
    });
    quote! {
        /// The descriptors of this crate's operations, by name.
        pub static DESCRIPTORS: &[&::oaken_core::Descriptor] = &[#(#descriptors),*];

        /// This crate's operations for the gate, one line each.
        #[must_use]
        pub fn entries(services: &::std::sync::Arc<::oaken_mail::Services>) -> Vec<::oaken_gate::Entry> {
            Vec::from([#(#lines),*])
        }
    }
}

/// The constructor that fits what the operation declares; the trait it asks for is what the handler must be.
fn kind(op: &Operation) -> &'static str {
    match op.class {
        Class::Read => "read",
        Class::Send => "send",
        Class::Mutate if op.marks_read => "marks_read",
        Class::Mutate if op.nested => "nested",
        Class::Mutate if !op.preview => "unseen",
        Class::Mutate => "mutate",
    }
}
