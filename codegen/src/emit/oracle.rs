//! The same types once more, for the tests: with a derive that makes a schema of them, and who reads each input.
//!
//! A second derivation must not come into the product's build, not even behind a feature that a test turns on, so the
//! tests compile the text of the types by themselves. The types lean on a module `vocabulary` beside the `include!`.

use proc_macro2::TokenStream;
use quote::quote;

use super::types::{self, Home, Use};
use super::{names, print};
use crate::ir::{Declared, Operation, Spec};

/// Every model, input and output with `schemars::JsonSchema`, `derived(operation)` with both schemas, and
/// `accepts(operation, input)`, which reads an input into the type of the product.
#[must_use]
pub fn emit(spec: &Spec) -> String {
    let home = Home(quote!(super::vocabulary));
    let models = spec.models.iter().map(|m| {
        derived(types::structure(
            &m.name,
            &m.summary,
            &m.fields,
            Use::Model,
            spec,
            &home,
        ))
    });
    let operations = spec.operations.iter().map(|op| {
        let (input, output) = type_names(op);
        derived(types::operation(op, &input, &output, spec, &home))
    });
    let schemas = spec.operations.iter().map(|op| {
        let (input, output) = type_names(op);
        let (name, input, output) = (&op.name, names::ident(&input), names::ident(&output));
        quote!(#name => Some((
            inputs.into_root_schema_for::<types::#input>(),
            outputs.into_root_schema_for::<types::#output>(),
        )))
    });
    let readers = spec.operations.iter().map(|op| {
        let (name, home) = (&op.name, product(op));
        let input = names::ident(&type_names(op).0);
        quote!(#name => ::serde_json::from_value::<::#home::#input>(input).map(drop))
    });
    print(quote! {
        /// The types as they are generated, with another derive.
        #[allow(dead_code, missing_docs)]
        pub mod types { #(#operations)* }
        /// The shared shapes as they are generated, with another derive.
        #[allow(dead_code, missing_docs)]
        pub mod models { #(#models)* }
        /// The schemas that schemars derives of an operation's input and output.
        pub fn derived(
            operation: &str,
            inputs: ::schemars::SchemaGenerator,
            outputs: ::schemars::SchemaGenerator,
        ) -> Option<(::schemars::Schema, ::schemars::Schema)> {
            match operation { #(#schemas,)* _ => None }
        }
        /// Reads an input into the type that the handler takes.
        pub fn accepts(operation: &str, input: ::serde_json::Value) -> ::serde_json::Result<()> {
            match operation {
                #(#readers,)*
                _ => Err(<::serde_json::Error as ::serde::de::Error>::custom("no such operation")),
            }
        }
    })
}

fn type_names(op: &Operation) -> (String, String) {
    let camel = names::camel(&op.name);
    (format!("{camel}Input"), format!("{camel}Output"))
}

/// The crate of the product that holds an operation's types.
fn product(op: &Operation) -> proc_macro2::Ident {
    let folder = op.origins.name.file.split('/').nth(1).unwrap_or_default();
    match op.declared {
        Declared::Attribute => names::ident(&format!("oaken_{folder}")),
        _ => names::ident("oaken_operations"),
    }
}

fn derived(items: TokenStream) -> TokenStream {
    let Ok(mut file) = syn::parse2::<syn::File>(items.clone()) else {
        return items;
    };
    for item in &mut file.items {
        match item {
            syn::Item::Struct(s) => s.attrs.push(syn::parse_quote!(#[derive(::schemars::JsonSchema)])),
            syn::Item::Enum(e) => e.attrs.push(syn::parse_quote!(#[derive(::schemars::JsonSchema)])),
            _ => {}
        }
    }
    quote!(#file)
}
