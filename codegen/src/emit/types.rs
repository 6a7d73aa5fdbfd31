//! Rust types: the structs and enums of inputs, outputs and models.
//!
//! Plain items. Inputs are read and outputs written, never the other way; models both. A type that holds a secret
//! is neither printed nor compared. Defaults are the gate's: a field with one is simply there.

use proc_macro2::TokenStream;
use quote::quote;

use super::names;
use crate::ir::{Field, Operation, Spec, Type};

/// What the generated code calls the crate of the vocabulary: `crate` inside of it, `::oaken_core` elsewhere.
#[derive(Clone, Debug)]
pub struct Home(pub TokenStream);

impl Home {
    /// Within `oaken-core`.
    #[must_use]
    pub fn core() -> Self {
        Self(quote!(crate))
    }

    /// In a crate that depends on `oaken-core`.
    #[must_use]
    pub fn elsewhere() -> Self {
        Self(quote!(::oaken_core))
    }
}

/// What a struct is for, and so what is derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Read from a caller.
    Input,
    /// Written to a caller.
    Output,
    /// Shared.
    Model,
}

/// The input and output types of an operation, named as given: `ListMessagesInput`, `ListMessagesOutput`.
#[must_use]
pub fn operation(op: &Operation, input: &str, output: &str, spec: &Spec, home: &Home) -> TokenStream {
    let input_doc = format!("What `{}` takes.", op.name);
    let output_doc = format!("What `{}` answers.", op.name);
    let input = structure(input, &input_doc, &op.input, Use::Input, spec, home);
    let output = structure(output, &output_doc, &op.output, Use::Output, spec, home);
    quote! { #input #output }
}

/// A struct with its enums.
#[must_use]
pub fn structure(
    name: &str,
    doc: &str,
    fields: &[Field],
    purpose: Use,
    spec: &Spec,
    home: &Home,
) -> TokenStream {
    let ident = names::ident(name);
    let doc = prose(doc);
    let enums = fields.iter().filter_map(|f| match f.ty.item() {
        Type::Enum(words) => Some(enumeration(&enum_name(name, f), f, words)),
        _ => None,
    });
    let held = Held::of(fields, spec, 0);
    let derives = derives(purpose, held);
    let strict = (purpose == Use::Input).then(|| quote!(#[serde(deny_unknown_fields)]));
    let fields = fields.iter().map(|f| member(name, f, purpose, held, home));
    quote! {
        #doc
        #derives
        #strict
        pub struct #ident { #(#fields)* }
        #(#enums)*
    }
}

/// The doc comment of a sentence of the spec; what Markdown and rustdoc would take for markup is escaped.
#[must_use]
pub fn prose(text: &str) -> TokenStream {
    let escaped = text
        .replace('[', "\\[")
        .replace(']', "\\]")
        .replace('<', "\\<")
        .replace('>', "\\>");
    let lines = escaped.lines().map(|l| format!(" {}", l.trim()));
    quote! { #(#[doc = #lines])* }
}

fn member(owner: &str, field: &Field, purpose: Use, held: Held, home: &Home) -> TokenStream {
    let ident = names::field(&field.name);
    let doc = if field.doc.is_empty() {
        format!("The `{}`.", field.name)
    } else {
        field.doc.clone()
    };
    let doc = prose(&doc);
    let ty = rust_type(owner, field, &field.ty, home);
    let ty = if field.is_option() {
        quote!(Option<#ty>)
    } else {
        ty
    };
    // An attribute of serde without its derive does not compile, so it goes where `Serialize` goes.
    let skip = (field.is_option() && purpose != Use::Input && !held.secret)
        .then(|| quote!(#[serde(skip_serializing_if = "Option::is_none")]));
    let name = field.name.as_str();
    let rename =
        (ident.to_string().trim_start_matches("r#") != name).then(|| quote!(#[serde(rename = #name)]));
    quote! { #doc #skip #rename pub #ident: #ty, }
}

fn rust_type(owner: &str, field: &Field, ty: &Type, home: &Home) -> TokenStream {
    let core = &home.0;
    match ty {
        Type::Boolean => quote!(bool),
        Type::Integer { .. } => quote!(i64),
        Type::String { .. } | Type::Path | Type::Command => quote!(String),
        Type::Text { .. } => quote!(#core::Text),
        Type::Address => quote!(#core::Address),
        Type::Secret => quote!(#core::Secret),
        Type::IssuedSecret => quote!(#core::IssuedSecret),
        Type::Id(kind) => {
            let name = names::ident(kind.type_name());
            quote!(#core::#name)
        }
        Type::Timestamp => quote!(#core::Timestamp),
        Type::Enum(_) => {
            let name = names::ident(&enum_name(owner, field));
            quote!(#name)
        }
        Type::List { item, .. } => {
            let item = rust_type(owner, field, item, home);
            quote!(Vec<#item>)
        }
        Type::Model(name) => {
            let name = names::ident(name);
            quote!(#core::model::#name)
        }
        Type::Selection => quote!(#core::Selection),
    }
}

fn enum_name(owner: &str, field: &Field) -> String {
    format!("{owner}{}", names::camel(&field.name))
}

fn enumeration(name: &str, field: &Field, words: &[String]) -> TokenStream {
    let ident = names::ident(name);
    let doc = prose(&if field.doc.is_empty() {
        format!("The words of `{}`.", field.name)
    } else {
        field.doc.clone()
    });
    let variants: Vec<_> = words.iter().map(|w| names::ident(&names::camel(w))).collect();
    let docs = words.iter().map(|w| format!(" `{w}`."));
    quote! {
        #doc
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ::serde::Serialize, ::serde::Deserialize)]
        pub enum #ident { #(#[doc = #docs] #[serde(rename = #words)] #variants,)* }
        impl #ident {
            /// Every value, in the order of the spec.
            pub const ALL: &'static [Self] = &[#(Self::#variants),*];
            /// The word of the spec and of every door.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { #(Self::#variants => #words),* }
            }
            /// The value of a word, if it is one.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { #(#words => Some(Self::#variants),)* _ => None }
            }
        }
    }
}

/// Which secrets a struct holds, through its models too.
#[derive(Clone, Copy, Default)]
struct Held {
    secret: bool,
    issued: bool,
}

impl Held {
    fn of(fields: &[Field], spec: &Spec, depth: u8) -> Self {
        let mut held = Held::default();
        for field in fields {
            let more = match field.ty.item() {
                Type::Secret => Held {
                    secret: true,
                    issued: false,
                },
                Type::IssuedSecret => Held {
                    secret: false,
                    issued: true,
                },
                // R401 refuses recursion; the cap keeps a refused spec from looping here.
                Type::Model(name) if depth < 8 => spec
                    .model(name)
                    .map(|m| Held::of(&m.fields, spec, depth + 1))
                    .unwrap_or_default(),
                _ => Held::default(),
            };
            held.secret |= more.secret;
            held.issued |= more.issued;
        }
        held
    }
}

fn derives(purpose: Use, held: Held) -> TokenStream {
    let clone = (!held.issued).then(|| quote!(Clone,));
    let open = (!held.issued && !held.secret).then(|| quote!(Debug, PartialEq,));
    let write = (purpose != Use::Input && !held.secret).then(|| quote!(::serde::Serialize,));
    let read = (purpose != Use::Output && !held.issued).then(|| quote!(::serde::Deserialize,));
    quote!(#[derive(#clone #open #write #read)])
}
