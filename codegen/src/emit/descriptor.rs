//! Descriptors: what doors and gate know of an operation, as plain `const` data.

use proc_macro2::TokenStream;
use quote::quote;

use super::names;
use super::types::Home;
use crate::ir::{Bound, Field, Operation, Spec, Type, digest};

/// The value of an operation's descriptor, checked once more at compile time.
#[must_use]
pub fn value(op: &Operation, spec: &Spec, home: &Home) -> TokenStream {
    let core = &home.0;
    let (name, area, title) = (&op.name, &op.area, &op.title);
    let (summary, description) = (&op.summary, &op.description);
    let class = names::ident(op.class.variant());
    let ceiling = names::ident(op.ceiling.variant());
    let approval = names::ident(op.approval.variant());
    let presence = option(op.presence.map(|p| {
        let p = names::ident(p.variant());
        quote!(#core::Presence::#p)
    }));
    let (marks_read, preview, destroys, schedulable) =
        (op.marks_read, op.preview, op.destroys, op.schedulable);
    let undo = option(op.undo.as_ref().map(|u| quote!(#u)));
    let tool = &op.mcp.tool;
    let action = option(op.mcp.action.as_ref().map(|a| quote!(#a)));
    let result = names::ident(op.mcp.result.variant());
    let (path, only) = (&op.cli.path, op.cli.only);
    let positional = op.cli.positional.iter().map(|p| &p.field);
    let input = fields(&op.input, home);
    let output = fields(&op.output, home);
    let examples = op.examples.iter().map(|e| e.input.to_string());
    let digest = digest::of(op, spec);
    quote! {
        #core::Descriptor {
            name: #name,
            area: #area,
            title: #title,
            summary: #summary,
            description: #description,
            class: #core::Class::#class,
            ceiling: #core::Ceiling::#ceiling,
            marks_read: #marks_read,
            preview: #preview,
            destroys: #destroys,
            approval: #core::Approval::#approval,
            presence: #presence,
            schedulable: #schedulable,
            undo: #undo,
            mcp: #core::Mcp { tool: #tool, action: #action, result: #core::McpResult::#result },
            cli: #core::Cli { path: &[#(#path),*], positional: &[#(#positional),*], only: #only },
            input: #input,
            output: #output,
            examples: &[#(#examples),*],
            digest: #digest,
        }.checked()
    }
}

/// A slice of fields.
#[must_use]
pub fn fields(fields: &[Field], home: &Home) -> TokenStream {
    let core = &home.0;
    let fields = fields.iter().map(|f| {
        let (name, doc, required) = (&f.name, &f.doc, f.required);
        let shape = shape(&f.ty, home);
        let default = option(f.default.as_ref().map(|d| {
            let d = d.to_string();
            quote!(#d)
        }));
        quote! {
            #core::Field { name: #name, doc: #doc, shape: #shape, required: #required, default: #default }
        }
    });
    quote!(&[#(#fields),*])
}

fn shape(ty: &Type, home: &Home) -> TokenStream {
    let core = &home.0;
    match ty {
        Type::Boolean => quote!(#core::Shape::Boolean),
        Type::Integer { min, max } => quote!(#core::Shape::Integer { min: #min, max: #max }),
        Type::String { min_chars, max_chars } => {
            quote!(#core::Shape::String { min_chars: #min_chars, max_chars: #max_chars })
        }
        Type::Text { max_chars } => quote!(#core::Shape::Text { max_chars: #max_chars }),
        Type::Address => quote!(#core::Shape::Address),
        Type::Secret => quote!(#core::Shape::Secret),
        Type::IssuedSecret => quote!(#core::Shape::IssuedSecret),
        Type::Id(kind) => {
            let kind = names::ident(kind.variant());
            quote!(#core::Shape::Id(#core::IdKind::#kind))
        }
        Type::Timestamp => quote!(#core::Shape::Timestamp),
        Type::Path => quote!(#core::Shape::Path),
        Type::Command => quote!(#core::Shape::Command),
        Type::Enum(words) => quote!(#core::Shape::Enum(&[#(#words),*])),
        Type::List { item, bound } => {
            let item = shape(item, home);
            let (setting, ceiling) = (setting(bound), bound.ceiling);
            quote! {
                #core::Shape::List {
                    item: &#item,
                    bound: #core::Bound { setting: #setting, ceiling: #ceiling },
                }
            }
        }
        Type::Model(name) => {
            let name = names::ident(&names::screaming(name));
            quote!(#core::Shape::Model(&#core::model::#name))
        }
        Type::Selection => quote!(#core::Shape::Selection),
    }
}

/// A bound as the spec writes it: the section only where it is not `operations`.
fn setting(bound: &Bound) -> String {
    if bound.section == "operations" {
        bound.setting.clone()
    } else {
        format!("{}.{}", bound.section, bound.setting)
    }
}

fn option(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(|| quote!(None), |v| quote!(Some(#v)))
}
