//! The walk over an output's declared shapes: what is not as declared, the texts with their lengths, the ids.

use oaken_core::{Bound, Field, IdKind, Shape, Timestamp};
use serde_json::Value;

use crate::Grant;
use crate::gate::SELECTION;
use crate::input::Named;

/// What a walk found in an output that is as declared.
pub(crate) struct Walked {
    pub(crate) texts: Vec<Text>,
    pub(crate) ids: Vec<Named>,
}

/// A text in an output.
pub(crate) struct Text {
    /// Where, as a JSON pointer.
    pub(crate) field: String,
    /// Its characters.
    pub(crate) chars: usize,
    /// The most its declaration allows; 0: the budget alone.
    pub(crate) most: usize,
}

/// Where an output is not as declared, and how.
pub(crate) struct Wrong {
    pub(crate) field: String,
    pub(crate) what: &'static str,
}

type Walks = Result<(), &'static str>;

/// Walks an output.
pub(crate) fn walk(grant: &Grant, fields: &'static [Field], output: &Value) -> Result<Walked, Wrong> {
    let mut w = Walk {
        grant,
        path: String::new(),
        found: Walked {
            texts: Vec::new(),
            ids: Vec::new(),
        },
    };
    match w.object(fields, output) {
        Ok(()) => Ok(w.found),
        Err(what) => Err(Wrong { field: w.path, what }),
    }
}

struct Walk<'a> {
    grant: &'a Grant,
    /// Where the walk is; after a fault, where it was.
    path: String,
    found: Walked,
}

impl Walk<'_> {
    fn object(&mut self, fields: &'static [Field], value: &Value) -> Walks {
        let given = value.as_object().ok_or("no object")?;
        let mut known = 0;
        for field in fields {
            match given.get(field.name) {
                Some(value) => {
                    known += 1;
                    self.within(field.name, |w| w.value(&field.shape, value))?;
                }
                None if field.required => return self.within(field.name, |_| Err("missing")),
                None => {}
            }
        }
        if known == given.len() {
            Ok(())
        } else {
            Err("an undeclared field")
        }
    }

    fn value(&mut self, shape: &'static Shape, value: &Value) -> Walks {
        let holds = |yes: bool, what| if yes { Ok(()) } else { Err(what) };
        match shape {
            Shape::Boolean => holds(value.is_boolean(), "no boolean"),
            Shape::Integer { min, max } => holds(
                value.as_i64().is_some_and(|n| (*min..=*max).contains(&n)),
                "no whole number within bounds",
            ),
            Shape::List { item, bound } => self.list(item, bound, value),
            Shape::Model(model) => self.object(model.fields, value),
            Shape::Selection => {
                let ids = value.get("ids").ok_or("no selection")?;
                self.within("ids", |w| w.list(&Shape::Id(IdKind::Message), &SELECTION, ids))
            }
            _ => self.string(shape, value.as_str().ok_or("no string")?),
        }
    }

    fn string(&mut self, shape: &'static Shape, s: &str) -> Walks {
        let holds = |yes: bool, what| if yes { Ok(()) } else { Err(what) };
        match shape {
            Shape::String { min_chars, max_chars } => {
                let (min, max) = (*min_chars as usize, *max_chars as usize);
                // Bytes are at least as many as characters, so most strings need no count.
                let long = max > 0 && s.len() > max && s.chars().count() > max;
                holds(
                    !long && s.chars().take(min).count() == min,
                    "a string out of bounds",
                )
            }
            Shape::Text { max_chars } => {
                self.found.texts.push(Text {
                    field: self.path.clone(),
                    chars: s.chars().count(),
                    most: *max_chars as usize,
                });
                Ok(())
            }
            Shape::Id(kind) => {
                if self.grant.is_agent() {
                    self.found.ids.push(Named {
                        field: String::new(),
                        kind: *kind,
                        id: s.to_owned(),
                    });
                }
                holds(kind.is_well_formed(s), "no id of its kind")
            }
            Shape::Timestamp => holds(Timestamp::parse(s).is_some(), "no timestamp"),
            Shape::Enum(words) => holds(words.contains(&s), "none of its words"),
            Shape::IssuedSecret => holds(!self.grant.is_agent(), "a secret, to an agent"),
            Shape::Secret => Err("a secret"),
            Shape::Address | Shape::Path | Shape::Command => Ok(()),
            Shape::Boolean
            | Shape::Integer { .. }
            | Shape::List { .. }
            | Shape::Model(_)
            | Shape::Selection => Err("a string"),
        }
    }

    fn list(&mut self, item: &'static Shape, bound: &Bound, value: &Value) -> Walks {
        let items = value.as_array().ok_or("no list")?;
        let (_, most) = self.grant.settings().bound(bound, self.grant.is_agent());
        if i64::try_from(items.len()).is_ok_and(|len| len > most) {
            return Err("more items than its setting allows");
        }
        for (n, value) in items.iter().enumerate() {
            self.within(&n.to_string(), |w| w.value(item, value))?;
        }
        Ok(())
    }

    fn within(&mut self, step: &str, walk: impl FnOnce(&mut Self) -> Walks) -> Walks {
        let before = self.path.len();
        self.path.push('/');
        self.path.push_str(step);
        walk(self)?;
        self.path.truncate(before);
        Ok(())
    }
}
