//! Namespaces (RFC 2342): whose a folder is, by how its name begins.

use crate::cursor::Cursor;

/// Prefixes of one kind that are kept; a server with more of them is not believed about the rest.
const MOST: usize = 1_000;

/// The prefixes of a person's own folders, and those of folders that others have or share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Namespaces {
    personal: Vec<Prefix>,
    others: Vec<Prefix>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Prefix {
    text: Vec<u8>,
    delimiter: Option<u8>,
}

impl Namespaces {
    /// Reads what follows the word: the personal ones, those of other users, those that are shared.
    pub fn read(c: &mut Cursor<'_>) -> Option<Self> {
        let personal = prefixes(c)?;
        let mut others = prefixes(c)?;
        others.extend(prefixes(c)?);
        Some(Namespaces { personal, others })
    }

    /// Whether a folder, by its raw name, is the person's own. The longest prefix tells; INBOX is nobody else's, and
    /// what begins like nothing that was named is not taken for the person's.
    pub fn is_personal(&self, raw: &str) -> bool {
        let longest = |of: &[Prefix]| {
            of.iter()
                .filter(|p| p.begins(raw.as_bytes()))
                .map(|p| p.text.len())
                .max()
        };
        raw.eq_ignore_ascii_case("INBOX") || longest(&self.personal) > longest(&self.others)
    }
}

impl Prefix {
    /// Whether a name lies below it, or is the folder that the prefix itself names: `user/` names `user`.
    fn begins(&self, name: &[u8]) -> bool {
        let root = match (self.text.split_last(), self.delimiter) {
            (Some((last, root)), Some(delimiter)) if *last == delimiter => root,
            _ => &self.text,
        };
        name.eq_ignore_ascii_case(root)
            || name
                .get(..self.text.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(&self.text))
    }
}

/// `NIL`, or `((prefix delimiter …) …)`. What a server adds to one is stepped over.
fn prefixes(c: &mut Cursor<'_>) -> Option<Vec<Prefix>> {
    c.spaces();
    if c.eat_word("NIL") {
        return Some(vec![]);
    }
    if !c.eat(b'(') {
        return None;
    }
    let mut found = vec![];
    loop {
        c.spaces();
        if c.eat(b')') {
            return Some(found);
        }
        if !c.eat(b'(') || found.len() >= MOST {
            return None;
        }
        let text = c.string()?.into_owned();
        c.spaces();
        let delimiter = c.nstring()?.and_then(|d| d.first().copied());
        found.push(Prefix { text, delimiter });
        loop {
            c.spaces();
            if c.eat(b')') {
                break;
            }
            if !c.skip_value() {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::Frame;

    fn read(line: &str) -> Option<Namespaces> {
        let frame = Frame {
            bytes: line.as_bytes().to_vec(),
            ..Frame::default()
        };
        Namespaces::read(&mut Cursor::new(&frame))
    }

    #[track_caller]
    fn check(line: &str, own: &[&str], foreign: &[&str]) {
        let namespaces = read(line).expect(line);
        for name in own {
            assert!(namespaces.is_personal(name), "{name}");
        }
        for name in foreign {
            assert!(!namespaces.is_personal(name), "{name}");
        }
    }

    #[test]
    fn the_longest_prefix_tells_whose_a_folder_is() {
        // Dovecot, Cyrus, Courier, Exchange.
        check(
            r#" (("" "/")) (("user/" "/")) (("Shared/" "/")("Public/" "/"))"#,
            &["INBOX", "inbox", "Archive", "Users/x", "sharedness"],
            &["user", "user/gerda", "Shared/Team", "SHARED/Team", "Public"],
        );
        check(
            r#" (("INBOX." ".")) (("user." ".")) (("shared." "."))"#,
            &["INBOX", "INBOX.Sent"],
            &["user.gerda", "shared.x", "Elsewhere"],
        );
        check(
            r#" (("INBOX." "." "X-PARAM" ("FLAG1" "FLAG2"))) NIL NIL"#,
            &["INBOX.a"],
            &["b"],
        );
        check(r#" (("" "/")) NIL NIL"#, &["anything", "user/x"], &[]);
        check(r#" (("INBOX/" "/")) NIL (("" "/"))"#, &["INBOX/a"], &["a"]);
        check(r#" (("" NIL)) (("~" NIL)) NIL"#, &["a"], &["~gerda"]);
        // Nobody's alone: not the person's.
        check(r#" (("" "/")) NIL (("" "/"))"#, &["INBOX"], &["a"]);
    }

    #[test]
    fn what_is_no_answer_is_none() {
        for line in [
            "",
            " NIL",
            " NIL NIL",
            " ((\"\" \"/\"",
            " ((\"\"))",
            " x y z",
            " ((x \"/\")) NIL NIL",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
