//! The shared shapes, for `oaken-core`: a struct and a description each.

use quote::quote;

use super::types::{self, Home, Use};
use super::{descriptor, names, print};
use crate::ir::Spec;

/// The generated file of `oaken_core::model`.
#[must_use]
pub fn emit(spec: &Spec) -> String {
    let home = Home::core();
    let models = spec.models.iter().map(|model| {
        let structure = types::structure(
            &model.name,
            &model.summary,
            &model.fields,
            Use::Model,
            spec,
            &home,
        );
        let constant = names::ident(&names::screaming(&model.name));
        let doc = format!(" What the doors know of [`{}`].", model.name);
        let (name, fields) = (&model.name, descriptor::fields(&model.fields, &home));
        quote! {
            #structure
            #[doc = #doc]
            pub static #constant: crate::Model = crate::Model { name: #name, fields: #fields };
        }
    });
    let all = spec
        .models
        .iter()
        .map(|m| names::ident(&names::screaming(&m.name)));
    print(quote! {
        #(#models)*
        /// Every shared shape, by name.
        pub static MODELS: &[&crate::Model] = &[#(&#all),*];
    })
}
