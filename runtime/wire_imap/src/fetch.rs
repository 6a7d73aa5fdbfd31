//! One FETCH answer (RFC 3501 §7.4.2, RFC 7162): the items that are asked for here; all others are stepped over.

use std::borrow::Cow;

use crate::cursor::Cursor;
use crate::{flag, internal_date};

/// What an answer held. After a word that cannot be read the rest is given up and `damaged` says so.
#[derive(Debug, Default)]
pub(crate) struct Fetched<'a> {
    pub uid: Option<u32>,
    pub flags: Option<Vec<String>>,
    pub internal_date: Option<Option<i64>>,
    pub size: Option<u64>,
    pub modseq: Option<u64>,
    pub body: Option<BodyItem<'a>>,
    pub damaged: bool,
}

/// `BODY[section]<origin> data`.
#[derive(Debug)]
pub(crate) struct BodyItem<'a> {
    /// Between the brackets, in upper case.
    pub section: Vec<u8>,
    pub origin: Option<u32>,
    /// Nothing for NIL.
    pub data: Option<Cow<'a, [u8]>>,
}

impl<'a> Fetched<'a> {
    /// Reads from the opening bracket on.
    pub fn read(c: &mut Cursor<'a>) -> Self {
        let mut fetched = Fetched::default();
        fetched.damaged = fetched.items(c).is_none();
        fetched
    }

    fn items(&mut self, c: &mut Cursor<'a>) -> Option<()> {
        c.spaces();
        if !c.eat(b'(') {
            return None;
        }
        loop {
            c.spaces();
            if c.eat(b')') {
                return Some(());
            }
            let name = c.atom()?.to_ascii_uppercase();
            if name == b"BODY" && c.eat(b'[') {
                self.body = Some(section(c)?);
                continue;
            }
            if c.eat(b'[') {
                // BINARY[1.2]<0> and the like.
                c.until(b']')?;
                if c.eat(b'<') {
                    c.until(b'>')?;
                }
            }
            c.spaces();
            match name.as_slice() {
                b"UID" => self.uid = Some(c.number()?),
                b"FLAGS" => self.flags = Some(flag::read_list(c)?),
                b"INTERNALDATE" => {
                    self.internal_date = Some(c.nstring()?.and_then(|d| internal_date::parse(&d)))
                }
                b"RFC822.SIZE" => self.size = Some(c.number()?),
                b"MODSEQ" => {
                    let listed = c.eat(b'(');
                    self.modseq = Some(c.number()?);
                    if listed && !c.eat(b')') {
                        return None;
                    }
                }
                _ => {
                    if !c.skip_value() {
                        return None;
                    }
                }
            }
        }
    }
}

fn section<'a>(c: &mut Cursor<'a>) -> Option<BodyItem<'a>> {
    let section = c.until(b']')?.to_ascii_uppercase();
    let mut origin = None;
    if c.eat(b'<') {
        origin = Some(c.number()?);
        c.until(b'>')?;
    }
    c.spaces();
    Some(BodyItem {
        section,
        origin,
        data: c.nstring()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use crate::guard::Guard;
    use crate::response::Response;

    #[track_caller]
    fn check(items: &str, see: impl Fn(&Fetched<'_>)) {
        let mut guard = Guard::new(&Limits::default());
        guard.push(format!("* 3 FETCH {items}\r\n").as_bytes());
        let frame = guard.next_frame().expect("within limits").expect("whole");
        match Response::read(&frame) {
            Ok(Response::Fetch(f)) => see(&f),
            other => panic!("{other:?}"),
        };
    }

    #[test]
    fn an_answer_is_read() {
        check(
            "(UID 7 FLAGS (\\seen $X) INTERNALDATE \"01-Jan-1970 00:00:09 +0000\" RFC822.SIZE 44 MODSEQ (5) BODY[HEADER]<0> {4}\r\na\r\nb)",
            |f| {
                assert_eq!(
                    (f.uid, f.size, f.modseq, f.damaged),
                    (Some(7), Some(44), Some(5), false)
                );
                assert_eq!(f.flags, Some(vec!["$X".to_owned(), "\\Seen".to_owned()]));
                assert_eq!(f.internal_date, Some(Some(9)));
                let body = f.body.as_ref().expect("a body");
                assert_eq!(
                    (&*body.section, body.origin, body.data.as_deref()),
                    (&b"HEADER"[..], Some(0), Some(&b"a\r\nb"[..]))
                );
            },
        );
    }

    #[test]
    fn unknown_items_are_stepped_over() {
        check(
            "(X-GM-LABELS (\"\\\\Inbox\" a) EMAILID (m1) ENVELOPE (NIL (()) \"x)\") BODY (\"TEXT\" (NIL)) BINARY[1]<0> ~{1}\r\n) UID 9  )",
            |f| {
                assert_eq!((f.uid, f.damaged), (Some(9), false));
            },
        );
    }

    #[test]
    fn nil_is_no_data_and_no_panic() {
        check("(UID 9 INTERNALDATE NIL BODY[] NIL)", |f| {
            assert_eq!((f.internal_date, f.damaged), (Some(None), false));
            assert_eq!(f.body.as_ref().map(|b| b.data.is_none()), Some(true));
        });
    }

    #[test]
    fn what_came_before_the_damage_is_kept() {
        for bad in [
            "(UID 9 FLAGS garbage",
            "(UID 9 RFC822.SIZE -4)",
            "(UID 9 BODY[] {-1}",
            "(UID 9",
            "(UID 9 ENVELOPE (((",
            "(UID 9 BODY[HEADER",
        ] {
            check(bad, |f| assert_eq!((f.uid, f.damaged), (Some(9), true), "{bad}"));
        }
        check("(UID 99999999999)", |f| {
            assert_eq!((f.uid, f.damaged), (None, true))
        });
        check("", |f| assert!(f.damaged));
    }
}
