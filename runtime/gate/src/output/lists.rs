//! Lists within their bounds: what has more items than its live setting allows shows the first, and says of how many.
//! How long a list is often lies with whoever wrote a mail or runs a mail server, so it is no fault of a handler.
//!
//! Absent on purpose: lists that go on by a cursor. A cut would lose what stands between it and the cursor, so their
//! handlers keep to the bound themselves and the walk holds them to it.

use oaken_core::{Bound, Cut, Field, Shape};
use serde_json::Value;

use crate::Grant;

/// The output that says how a listing goes on.
const CURSOR: &str = "next_cursor";

/// Cuts the lists of an output and tells each cut.
pub(crate) fn cut(grant: &Grant, fields: &'static [Field], output: &mut Value) -> Vec<Cut> {
    let most = |bound: &Bound| grant.settings().bound(bound, grant.is_agent());
    let mut cuts = Vec::new();
    object(&most, fields, output, "", &mut cuts);
    cuts
}

type Most<'a> = &'a dyn Fn(&Bound) -> (&'static str, i64);

fn object(most: Most<'_>, fields: &'static [Field], value: &mut Value, path: &str, cuts: &mut Vec<Cut>) {
    let goes_on = fields.iter().any(|f| f.name == CURSOR);
    for field in fields {
        let path = format!("{path}/{}", field.name);
        match (&field.shape, value.get_mut(field.name)) {
            (Shape::List { item, bound }, Some(Value::Array(items))) => {
                if !goes_on {
                    cuts.extend(shorten(most(bound), items, &path));
                }
                if let Shape::Model(model) = item {
                    for (n, item) in items.iter_mut().enumerate() {
                        object(most, model.fields, item, &format!("{path}/{n}"), cuts);
                    }
                }
            }
            (Shape::Model(model), Some(value)) => object(most, model.fields, value, &path, cuts),
            _ => {}
        }
    }
}

fn shorten((setting, most): (&'static str, i64), items: &mut Vec<Value>, path: &str) -> Option<Cut> {
    let (most, of) = (usize::try_from(most).unwrap_or(0), items.len());
    if of <= most {
        return None;
    }
    items.truncate(most);
    Some(Cut {
        field: path.to_owned(),
        shown: most,
        of,
        next: format!("no call reads on; the setting {setting} bounds this list"),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use oaken_core::Model;

    const fn field(name: &'static str, shape: Shape) -> Field {
        Field {
            name,
            doc: "",
            shape,
            required: false,
            default: None,
        }
    }
    const fn list(item: &'static Shape) -> Shape {
        Shape::List {
            item,
            bound: Bound {
                setting: "max_governed",
                ceiling: 1000,
            },
        }
    }
    static WORD: Shape = Shape::Boolean;
    static MAIL: Shape = Shape::Model(&Model {
        name: "Mail",
        fields: &[field("to", list(&WORD))],
    });
    static LISTING: &[Field] = &[
        field("mails", list(&MAIL)),
        field("facts", list(&WORD)),
        field("next_cursor", Shape::Boolean),
    ];
    static WHOLE: &[Field] = &[field("mails", list(&MAIL))];

    #[track_caller]
    fn check(fields: &'static [Field], mut output: Value, expected: &Value, told: &[(&str, usize, usize)]) {
        let mut cuts = Vec::new();
        object(&|b| (b.setting, 2), fields, &mut output, "", &mut cuts);
        assert_eq!(&output, expected);
        let said: Vec<_> = cuts.iter().map(|c| (c.field.as_str(), c.shown, c.of)).collect();
        assert_eq!(said, told);
        assert!(cuts.iter().all(|c| c.next.contains("max_governed")), "{cuts:?}");
    }

    #[test]
    fn a_list_over_its_bound_shows_the_first_and_says_of_how_many() {
        let few = json!({ "mails": [{ "to": [true, true] }, {}] });
        check(WHOLE, few.clone(), &few, &[]);
        check(
            WHOLE,
            json!({ "mails": [{ "to": [true, false, true] }, {}, { "to": [true, true, true] }] }),
            &json!({ "mails": [{ "to": [true, false] }, {}] }),
            &[("/mails", 2, 3), ("/mails/0/to", 2, 3)],
        );
    }

    #[test]
    fn a_listing_that_goes_on_by_a_cursor_is_left_to_its_handler() {
        check(
            LISTING,
            json!({ "mails": [{}, {}, { "to": [true, false, true] }], "facts": [true, true, true] }),
            &json!({ "mails": [{}, {}, { "to": [true, false] }], "facts": [true, true, true] }),
            &[("/mails/2/to", 2, 3)],
        );
    }
}
