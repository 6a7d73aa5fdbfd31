//! The walk over an input's declared shapes: all faults at once, each with the path of declared names that leads to
//! it. It fills in defaults, reads `1.0` as 1, and collects ids and relative times on its way.

use std::collections::HashSet;

use oaken_core::{Bound, Fault, Field, IdKind, Param, Shape};
use serde_json::{Map, Value};

use super::form::{Time, is_address, time};
use super::names::names;
use super::resolve::Named;
use crate::gate::SELECTION;

const ADDRESS_CHARS: usize = 320;
const SECRET_CHARS: usize = 4096;
const PATH_CHARS: usize = 4096;
/// The largest whole number that every JSON reader keeps exactly (RFC 8259 §6).
const MAX_INTEGER: i64 = 9_007_199_254_740_991;

/// What a walk found.
pub(crate) struct Walked {
    /// The input with defaults filled in and numbers whole.
    pub(crate) value: Value,
    /// What is wrong with it.
    pub(crate) faults: Vec<Fault>,
    /// The ids in it.
    pub(crate) ids: Vec<Named>,
    /// Relative times: a JSON pointer, and what the time is now.
    pub(crate) times: Vec<(String, String)>,
}

/// The setting that bounds a list, and its live value for the caller.
pub(crate) type Live<'a> = &'a dyn Fn(&Bound) -> (&'static str, i64);

/// Walks an input.
pub(crate) fn walk(live: Live<'_>, fields: &'static [Field], input: Value, now: i64) -> Walked {
    let mut w = Walk {
        live,
        now,
        faults: Vec::new(),
        ids: Vec::new(),
        times: Vec::new(),
    };
    let value = w.object("", fields, input);
    Walked {
        value,
        faults: w.faults,
        ids: w.ids,
        times: w.times,
    }
}

struct Walk<'a> {
    live: Live<'a>,
    now: i64,
    faults: Vec<Fault>,
    ids: Vec<Named>,
    times: Vec<(String, String)>,
}

impl Walk<'_> {
    fn object(&mut self, path: &str, fields: &'static [Field], value: Value) -> Value {
        let Value::Object(mut given) = value else {
            return self.not(path, "is not an object");
        };
        let mut taken = Map::new();
        for field in fields {
            let at = format!("{path}/{}", field.name);
            match (given.shift_remove(field.name), field.default) {
                (Some(value), _) => {
                    let value = self.value(&at, &field.shape, value);
                    taken.insert(field.name.to_owned(), value);
                }
                (None, Some(default)) => {
                    if let Ok(value) = serde_json::from_str(default) {
                        let value = self.value(&at, &field.shape, value);
                        taken.insert(field.name.to_owned(), value);
                    }
                }
                (None, None) if field.required => self.faults.push(Fault::new(at, "is missing")),
                (None, None) => {}
            }
        }
        if !given.is_empty() {
            let count = i64::try_from(given.len()).unwrap_or(i64::MAX);
            let fault = Fault::new(
                format!("{path}/*"),
                "{count} of the fields given are not declared",
            )
            .with("count", Param::Int(count));
            self.faults.push(match fields.is_empty() {
                true => fault.accepts("no fields", vec![]),
                false => fault.accepts("only {names}", vec![("names", Param::Words(names(fields)))]),
            });
        }
        Value::Object(taken)
    }

    fn value(&mut self, path: &str, shape: &'static Shape, value: Value) -> Value {
        match (shape, value) {
            (Shape::Boolean, v @ Value::Bool(_)) => v,
            (Shape::Boolean, _) => self.not(path, "is not true or false"),
            (Shape::Integer { min, max }, v) => self.integer(path, *min, *max, &v),
            (Shape::List { item, bound }, Value::Array(items)) => self.list(path, item, bound, items),
            (Shape::List { .. }, _) => self.not(path, "is not a list"),
            (Shape::Model(model), v) => self.object(path, model.fields, v),
            (Shape::Selection, v) => self.selection(path, v),
            (_, Value::String(s)) => self.string(path, shape, s),
            (_, _) => self.not(path, "is not a string"),
        }
    }

    fn string(&mut self, path: &str, shape: &'static Shape, s: String) -> Value {
        match shape {
            Shape::String { min_chars, max_chars } => {
                self.chars(path, &s, *min_chars as usize, *max_chars as usize)
            }
            Shape::Text { max_chars } => self.chars(path, &s, 0, *max_chars as usize),
            Shape::Secret => self.chars(path, &s, 1, SECRET_CHARS),
            Shape::Path | Shape::Command => self.chars(path, &s, 1, PATH_CHARS),
            Shape::Address => {
                if s.chars().count() > ADDRESS_CHARS || !is_address(&s) {
                    self.fault(Fault::new(path, "is not a mail address").accepts("name@example.org", vec![]));
                }
            }
            Shape::Id(kind) => self.id(path, *kind, &s),
            Shape::Enum(words) => {
                if !words.contains(&s.as_str()) {
                    self.fault(
                        Fault::new(path, "is none of the words it may be")
                            .accepts("one of {words}", vec![("words", Param::Words(words))]),
                    );
                }
            }
            Shape::Timestamp => match time(&s, self.now) {
                Some(Time::At(at)) => return Value::String(at),
                Some(Time::Ago { at }) => self.times.push((path.to_owned(), at)),
                None => self.fault(
                    Fault::new(path, "is not a point in time")
                        .accepts("2026-11-30T12:00:00Z, a date, or -12h, -7d", vec![]),
                ),
            },
            // A secret that goes out cannot come in; everything else is no string and was handled before.
            _ => return self.not(path, "cannot be given"),
        }
        Value::String(s)
    }

    fn id(&mut self, path: &str, kind: IdKind, s: &str) {
        if kind.is_well_formed(s) {
            self.ids.push(Named {
                field: path.to_owned(),
                kind,
                id: s.to_owned(),
            });
        } else {
            self.fault(Fault::new(path, "is not an id of this kind").accepts(
                "an id that begins with {prefix}_, as an earlier answer gave it",
                vec![("prefix", Param::Word(kind.prefix()))],
            ));
        }
    }

    fn integer(&mut self, path: &str, min: i64, max: i64, value: &Value) -> Value {
        let (min, max) = (min.max(-MAX_INTEGER), max.min(MAX_INTEGER));
        let Some(number) = value.as_number() else {
            return self.not(path, "is not a whole number");
        };
        let whole = number.as_i64().or_else(|| {
            let f = number.as_f64()?;
            #[allow(clippy::cast_possible_truncation)] // a whole number within 2^53 is exact both ways
            (f.fract() == 0.0 && f.abs() <= MAX_INTEGER as f64).then_some(f as i64)
        });
        match whole {
            Some(n) if (min..=max).contains(&n) => return Value::from(n),
            None if number.as_f64().is_some_and(|f| f.fract() != 0.0) => {
                return self.not(path, "is not a whole number");
            }
            _ => {}
        }
        self.fault(Fault::new(path, "is out of bounds").accepts(
            "a whole number from {min} to {max}",
            vec![("min", Param::Int(min)), ("max", Param::Int(max))],
        ));
        Value::Null
    }

    fn list(&mut self, path: &str, item: &'static Shape, bound: &Bound, items: Vec<Value>) -> Value {
        if !self.within(path, bound, items.len()) {
            return Value::Null;
        }
        if matches!(item, Shape::Id(_)) {
            self.each_once(path, &items);
        }
        let items = items.into_iter().enumerate();
        Value::Array(
            items
                .map(|(n, v)| self.value(&format!("{path}/{n}"), item, v))
                .collect(),
        )
    }

    /// An id stands in a list once: what is done to it is done, counted and undone once.
    /// And a list of none asks for nothing.
    fn each_once(&mut self, path: &str, items: &[Value]) {
        if items.is_empty() {
            self.fault(Fault::new(path, "is empty").accepts("at least one id", vec![]));
        }
        let mut seen = HashSet::new();
        for (n, id) in items.iter().enumerate() {
            if id.as_str().is_some_and(|id| !seen.insert(id)) {
                self.fault(
                    Fault::new(format!("{path}/{n}"), "is there twice").accepts("each id once", vec![]),
                );
            }
        }
    }

    /// A count over the live setting is refused, not cut; nothing in such a list is looked at.
    fn within(&mut self, path: &str, bound: &Bound, len: usize) -> bool {
        let (setting, most) = (self.live)(bound);
        let most = most.min(i64::from(bound.ceiling));
        let fits = i64::try_from(len).is_ok_and(|len| len <= most);
        if !fits {
            self.fault(
                Fault::new(path, "has more items than the setting {setting} allows")
                    .with("setting", Param::Word(setting))
                    .accepts("at most {most} items", vec![("most", Param::Int(most))]),
            );
        }
        fits
    }

    fn selection(&mut self, path: &str, value: Value) -> Value {
        static MESSAGE: Shape = Shape::Id(IdKind::Message);
        static FIELDS: &[Field] = &[Field {
            name: "ids",
            doc: "",
            shape: Shape::List {
                item: &MESSAGE,
                bound: SELECTION,
            },
            required: true,
            default: None,
        }];
        self.object(path, FIELDS, value)
    }

    fn chars(&mut self, path: &str, s: &str, min: usize, max: usize) {
        let count = s.chars().count();
        let int = |n: usize| Param::Int(i64::try_from(n).unwrap_or(i64::MAX));
        if count < min {
            self.fault(
                Fault::new(path, "is too short")
                    .accepts("at least {min} characters", vec![("min", int(min))]),
            );
        }
        if max > 0 && count > max {
            self.fault(
                Fault::new(path, "is too long").accepts("at most {max} characters", vec![("max", int(max))]),
            );
        }
    }

    fn not(&mut self, path: &str, text: &'static str) -> Value {
        self.fault(Fault::new(path, text));
        Value::Null
    }

    fn fault(&mut self, fault: Fault) {
        self.faults.push(fault);
    }
}
