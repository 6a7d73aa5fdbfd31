//! The fields of `Input` and `Output`, and the spec's word for a Rust type.

use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{GenericArgument, PathArguments, Type};

use super::super::RawField;
use super::args::Reader;

/// The keys of `#[field(…)]`.
const KEYS: &[&str] = &["bound", "default", "max", "max_chars", "min", "min_chars", "type"];

/// A field as it was written.
pub fn field(field: &syn::Field, reader: &mut Reader<'_>) -> RawField {
    let (name, span) = match &field.ident {
        Some(ident) => (ident.unraw().to_string(), ident.span()),
        None => {
            reader.wrong(field.span(), "a field has a name", "write `name: type`");
            (String::new(), field.span())
        }
    };
    let mut raw = RawField::named(reader.places.spanned(name, span));
    raw.doc = doc(field, reader);
    let mut bound = None;
    let mut ty = None;
    let tokens = field.attrs.iter().filter(|a| a.path().is_ident("field"));
    for attribute in tokens {
        let syn::Meta::List(list) = &attribute.meta else {
            reader.wrong(
                attribute.span(),
                "`field` takes parentheses",
                "write `#[field(max_chars = 64)]`",
            );
            continue;
        };
        for arg in reader.parse(list.tokens.clone()) {
            match arg.name().as_str() {
                "bound" => bound = reader.text(arg),
                "default" => raw.default = reader.value(arg),
                "max" => raw.max = reader.integer(arg),
                "max_chars" => raw.max_chars = reader.integer(arg),
                "min" => raw.min = reader.integer(arg),
                "min_chars" => raw.min_chars = reader.integer(arg),
                "type" => ty = reader.text(arg),
                _ => reader.unknown(&arg, KEYS),
            }
        }
    }
    let inner = inside(&field.ty, "Option");
    if inner.is_some() {
        raw.required = Some(reader.places.spanned(false, field.ty.span()));
    }
    raw.ty = ty.or_else(|| {
        let bound = bound.map(|b| b.value);
        let words = words(inner.unwrap_or(&field.ty), bound.as_deref())
            .unwrap_or_else(|| "a type of Rust that the spec has no word for".to_owned());
        Some(reader.places.spanned(words, field.ty.span()))
    });
    raw
}

/// The doc comment, its lines joined.
fn doc(field: &syn::Field, reader: &Reader<'_>) -> Option<super::Spanned<String>> {
    let mut lines = Vec::new();
    let mut span = None;
    for attribute in &field.attrs {
        if let syn::Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
            && let syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(text),
                ..
            }) = &pair.value
        {
            lines.push(text.value().trim().to_owned());
            span.get_or_insert(attribute.span());
        }
    }
    span.map(|span| reader.places.spanned(lines.join(" ").trim().to_owned(), span))
}

/// The spec's word for a Rust type. A name that is no word of the spec is taken for a model's.
fn words(ty: &Type, bound: Option<&str>) -> Option<String> {
    if let Some(item) = inside(ty, "Vec") {
        let item = words(item, None)?;
        return Some(match bound {
            Some(bound) => format!("list<{item}, {bound}>"),
            None => format!("list<{item}>"),
        });
    }
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    if !last.arguments.is_empty() {
        return None;
    }
    let name = last.ident.unraw().to_string();
    Some(match name.as_str() {
        "bool" => "boolean".into(),
        "i64" => "integer".into(),
        "String" => "string".into(),
        "Text" => "text".into(),
        "Address" => "address".into(),
        "Secret" => "secret".into(),
        "IssuedSecret" => "issued_secret".into(),
        "Timestamp" => "timestamp".into(),
        _ => name,
    })
}

/// `T` of `Wrapper<T>`.
fn inside<'a>(ty: &'a Type, wrapper: &str) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|s| s.ident == wrapper)?;
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            GenericArgument::Type(inner) => Some(inner),
            _ => None,
        },
        _ => None,
    }
}
