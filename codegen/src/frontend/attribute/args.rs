//! What stands within the parentheses of `#[operation(…)]` and `#[field(…)]`: keys, `key = value`, `key(…)`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Lit, LitStr, Token};

use super::super::Spanned;
use super::Places;
use crate::diagnostic::{Diagnostics, nearest_help};
use crate::ir::Declared;

/// One key and what it says.
pub struct Arg {
    /// The key.
    pub key: Ident,
    /// What it says.
    pub says: Says,
}

/// What a key says.
pub enum Says {
    /// Nothing more: `marks_read`.
    Flag,
    /// `class = mutate`.
    Word(Ident),
    /// `summary = "…"`, `max = 5`.
    Literal(Lit),
    /// `min = -5`.
    Negative(Span, Lit),
    /// `mcp(…)`.
    Group(TokenStream),
}

impl Arg {
    /// The key as it is written.
    #[must_use]
    pub fn name(&self) -> String {
        self.key.unraw().to_string()
    }

    fn span(&self) -> Span {
        match &self.says {
            Says::Flag | Says::Group(_) => self.key.span(),
            Says::Word(word) => word.span(),
            Says::Literal(literal) => literal.span(),
            Says::Negative(span, _) => *span,
        }
    }
}

impl Parse for Arg {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = input.call(Ident::parse_any)?;
        let says = if input.peek(syn::token::Paren) {
            let content;
            syn::parenthesized!(content in input);
            Says::Group(content.parse()?)
        } else if input.parse::<Option<Token![=]>>()?.is_none() {
            Says::Flag
        } else if let Some(minus) = input.parse::<Option<Token![-]>>()? {
            Says::Negative(minus.span, input.parse()?)
        } else if input.peek(Lit) {
            Says::Literal(input.parse()?)
        } else {
            Says::Word(input.call(Ident::parse_any)?)
        };
        Ok(Arg { key, says })
    }
}

/// Reads arguments and collects what is wrong with them.
pub struct Reader<'a> {
    /// Where spans become origins.
    pub places: &'a Places,
    /// What was found.
    pub found: &'a mut Diagnostics,
}

impl Reader<'_> {
    /// The arguments of an attribute. S001 where they cannot be read, S004 for a key that stands twice.
    pub fn parse(&mut self, tokens: TokenStream) -> Vec<Arg> {
        match Punctuated::<Arg, Token![,]>::parse_terminated.parse2(tokens) {
            Ok(args) => {
                let mut kept: Vec<Arg> = Vec::new();
                for arg in args {
                    if kept.iter().any(|k| k.name() == arg.name()) {
                        let message = format!("`{}` stands twice", arg.name());
                        self.report("S004", arg.key.span(), message, "leave one of them out");
                    } else {
                        kept.push(arg);
                    }
                }
                kept
            }
            Err(e) => {
                let help = "write `key`, `key = value` or `key(…)`, parted by commas";
                self.report(
                    "S001",
                    e.span(),
                    "the attribute cannot be read from here on".to_owned(),
                    help,
                );
                Vec::new()
            }
        }
    }

    /// A word or a string.
    pub fn text(&mut self, arg: Arg) -> Option<Spanned<String>> {
        let span = arg.span();
        let text = match arg.says {
            Says::Word(word) => word.unraw().to_string(),
            Says::Literal(Lit::Str(s)) => s.value(),
            _ => {
                self.wrong(
                    span,
                    &format!("`{}` is a word or a string", arg.key),
                    "write `key = word` or `key = \"…\"`",
                );
                return None;
            }
        };
        Some(self.places.spanned(text, span))
    }

    /// `true` or `false`; a key alone is `true`.
    pub fn boolean(&mut self, arg: Arg) -> Option<Spanned<bool>> {
        let span = arg.span();
        match arg.says {
            Says::Flag => Some(self.places.spanned(true, span)),
            Says::Literal(Lit::Bool(b)) => Some(self.places.spanned(b.value, span)),
            _ => {
                self.wrong(
                    span,
                    &format!("`{}` is true or false", arg.key),
                    "write the key alone for true",
                );
                None
            }
        }
    }

    /// A whole number.
    pub fn integer(&mut self, arg: Arg) -> Option<Spanned<i64>> {
        let span = arg.span();
        let number = match &arg.says {
            Says::Literal(Lit::Int(n)) => n.base10_parse::<i64>().ok(),
            Says::Negative(_, Lit::Int(n)) => format!("-{}", n.base10_digits()).parse().ok(),
            _ => None,
        };
        if number.is_none() {
            self.wrong(span, &format!("`{}` is a whole number", arg.key), "write digits");
        }
        number.map(|n| self.places.spanned(n, span))
    }

    /// A default: a word, a string, a number, `true` or `false`.
    pub fn value(&mut self, arg: Arg) -> Option<Spanned<super::Value>> {
        use super::Value;
        let span = arg.span();
        let value = match &arg.says {
            Says::Word(word) => Value::String(word.unraw().to_string()),
            Says::Literal(Lit::Str(s)) => Value::String(s.value()),
            Says::Literal(Lit::Bool(b)) => Value::Boolean(b.value),
            _ => {
                return self
                    .integer(arg)
                    .map(|n| Spanned::new(Value::Integer(n.value), n.origin));
            }
        };
        Some(self.places.spanned(value, span))
    }

    /// The arguments within `key(…)`.
    pub fn group(&mut self, arg: Arg) -> Option<Vec<Arg>> {
        match arg.says {
            Says::Group(tokens) => Some(self.parse(tokens)),
            _ => {
                self.wrong(
                    arg.key.span(),
                    &format!("`{}` takes parentheses", arg.key),
                    "write `key(…)`",
                );
                None
            }
        }
    }

    /// The strings within `key("…", "…")`.
    pub fn strings(&mut self, arg: Arg) -> Option<Vec<LitStr>> {
        let span = arg.key.span();
        let parsed = match arg.says {
            Says::Group(tokens) => Punctuated::<LitStr, Token![,]>::parse_terminated
                .parse2(tokens)
                .ok(),
            _ => None,
        };
        if parsed.is_none() {
            self.wrong(
                span,
                &format!("`{}` takes strings in parentheses", arg.key),
                "write `key(\"…\", \"…\")`",
            );
        }
        parsed.map(|strings| strings.into_iter().collect())
    }

    /// S002.
    pub fn unknown(&mut self, arg: &Arg, known: &[&str]) {
        let help = nearest_help(&arg.name(), known.iter().copied());
        self.report(
            "S002",
            arg.key.span(),
            format!("unknown key `{}`", arg.name()),
            &help,
        );
    }

    /// S003.
    pub fn wrong(&mut self, span: Span, message: &str, help: &str) {
        self.report("S003", span, message.to_owned(), help);
    }

    fn report(&mut self, code: &'static str, span: Span, message: String, help: &str) {
        let origin = self.places.origin(span);
        self.found
            .operation(code, Declared::Attribute, &origin, message, help);
    }
}
