//! The table of settings, for `oaken-core`.

use quote::quote;

use super::{names, print};
use crate::ir::{SettingKind, Spec};

/// The generated file of `oaken_core::settings`.
#[must_use]
pub fn emit(spec: &Spec) -> String {
    let rows = spec.sections.iter().flat_map(|section| {
        section.settings.iter().map(|s| {
            let (section, name, doc) = (&section.name, &s.name, &s.doc);
            let key = format!("{section}.{name}");
            let kind = match &s.kind {
                SettingKind::Integer { min, max } => quote!(SettingKind::Integer { min: #min, max: #max }),
                SettingKind::Enum(words) => quote!(SettingKind::Enum(&[#(#words),*])),
                plain => {
                    let name = names::ident(match plain {
                        SettingKind::Boolean => "Boolean",
                        SettingKind::List => "List",
                        _ => "String",
                    });
                    quote!(SettingKind::#name)
                }
            };
            let default = s.default.to_string();
            let agent = s
                .agent
                .as_ref()
                .map_or_else(|| quote!(None), |a| quote!(Some(#a)));
            quote! {
                SettingSpec {
                    section: #section, name: #name, key: #key, doc: #doc,
                    kind: #kind, default: #default, agent: #agent,
                }
            }
        })
    });
    print(quote! {
        /// Every setting, by section and name.
        pub static SETTINGS: &[SettingSpec] = &[#(#rows),*];
    })
}
