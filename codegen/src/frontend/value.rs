//! A value of a spec file with the place of every part: what `default` and `examples` hold, and what the syntax
//! pass of YAML gives. No floating point: the spec language has none.

use super::Spanned;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null` or nothing.
    Null,
    /// `true` or `false`, and no other word.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A string.
    String(String),
    /// A list.
    List(Vec<Spanned<Value>>),
    /// A mapping, in the order it was written.
    Map(Vec<(Spanned<String>, Spanned<Value>)>),
}

impl Value {
    /// What it is, for a message.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Value::Null => "nothing",
            Value::Boolean(_) => "a boolean",
            Value::Integer(_) => "a number",
            Value::String(_) => "a string",
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
        }
    }

    /// The same as JSON.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Value::Null => serde_json::Value::Null,
            Value::Boolean(b) => (*b).into(),
            Value::Integer(i) => (*i).into(),
            Value::String(s) => s.as_str().into(),
            Value::List(items) => items.iter().map(|i| i.value.to_json()).collect(),
            Value::Map(entries) => entries
                .iter()
                .map(|(k, v)| (k.value.clone(), v.value.to_json()))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }

    /// A JSON value, every part at one place: an attribute's string holds no finer one.
    ///
    /// # Errors
    /// A sentence, when it holds a number that is not whole or does not fit.
    pub fn from_json(json: &serde_json::Value, origin: &crate::ir::Origin) -> Result<Self, &'static str> {
        let spanned = |v: &serde_json::Value| {
            Ok::<_, &'static str>(Spanned::new(Self::from_json(v, origin)?, origin.clone()))
        };
        Ok(match json {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(b) => Value::Boolean(*b),
            serde_json::Value::Number(n) => {
                Value::Integer(n.as_i64().ok_or("a number that is not whole, or too large")?)
            }
            serde_json::Value::String(s) => Value::String(s.clone()),
            serde_json::Value::Array(items) => {
                Value::List(items.iter().map(spanned).collect::<Result<_, _>>()?)
            }
            serde_json::Value::Object(map) => Value::Map(
                map.iter()
                    .map(|(k, v)| {
                        Ok::<_, &'static str>((Spanned::new(k.clone(), origin.clone()), spanned(v)?))
                    })
                    .collect::<Result<_, _>>()?,
            ),
        })
    }
}
