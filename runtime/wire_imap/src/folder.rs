//! Folders as LIST (RFC 3501 §7.2.2, RFC 6154) and STATUS (§7.2.4, RFC 7162) tell them.

use crate::cursor::Cursor;
use crate::utf7;

/// A longer name is none.
const LONGEST_NAME: usize = 4096;

/// A folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// Its name in Unicode; the raw one where that is no modified UTF-7. Text of the server: untrusted.
    pub name: String,
    /// Its name as the server wrote it, and as commands must name it.
    pub raw: String,
    /// What separates levels, if there are levels.
    pub delimiter: Option<char>,
    /// What the server says it is for.
    pub special_use: Option<SpecialUse>,
    /// Whether it can be opened.
    pub selectable: bool,
    /// Whether it is the person's own, as far as the server tells (RFC 2342): not another user's, and not shared.
    pub personal: bool,
    /// Its counts, where the server told them.
    pub status: Option<Status>,
}

/// What a folder is for (RFC 6154).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the RFC's own words
pub enum SpecialUse {
    All,
    Archive,
    Drafts,
    Flagged,
    Junk,
    Sent,
    Trash,
}

/// The counts of a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// MESSAGES.
    pub messages: Option<u32>,
    /// UIDNEXT.
    pub uid_next: Option<u32>,
    /// UIDVALIDITY.
    pub uid_validity: Option<u32>,
    /// UNSEEN.
    pub unseen: Option<u32>,
    /// HIGHESTMODSEQ.
    pub highest_modseq: Option<u64>,
}

/// All folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// In the server's order.
    pub folders: Vec<Folder>,
    /// Answers that could not be read, so that nothing is left out in silence (P10).
    pub unreadable: usize,
}

/// One LIST answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    pub folder: Folder,
    /// The server lists a name that does not exist (`\NonExistent`).
    pub exists: bool,
}

pub(crate) fn read_list(c: &mut Cursor<'_>) -> Option<Listed> {
    c.spaces();
    if !c.eat(b'(') {
        return None;
    }
    let (mut selectable, mut exists, mut special_use) = (true, true, None);
    loop {
        c.spaces();
        if c.eat(b')') {
            break;
        }
        match c.atom()?.to_ascii_lowercase().as_slice() {
            b"\\noselect" => selectable = false,
            b"\\nonexistent" => (selectable, exists) = (false, false),
            b"\\all" => special_use = Some(SpecialUse::All),
            b"\\archive" => special_use = Some(SpecialUse::Archive),
            b"\\drafts" => special_use = Some(SpecialUse::Drafts),
            b"\\flagged" => special_use = Some(SpecialUse::Flagged),
            b"\\junk" => special_use = Some(SpecialUse::Junk),
            b"\\sent" => special_use = Some(SpecialUse::Sent),
            b"\\trash" => special_use = Some(SpecialUse::Trash),
            _ => {}
        }
    }
    c.spaces();
    let delimiter = match c.nstring()? {
        None => None,
        Some(text) => std::str::from_utf8(&text).ok()?.chars().next(),
    };
    c.spaces();
    let raw = mailbox(c)?;
    let name = utf7::decode(&raw).unwrap_or_else(|| raw.clone());
    Some(Listed {
        folder: Folder {
            name,
            raw,
            delimiter,
            special_use,
            selectable,
            personal: true,
            status: None,
        },
        exists,
    })
}

/// A name that a command can carry again. INBOX has one spelling.
fn mailbox(c: &mut Cursor<'_>) -> Option<String> {
    let raw = c.astring()?;
    let raw = std::str::from_utf8(&raw).ok()?;
    if raw.is_empty() || raw.len() > LONGEST_NAME || raw.bytes().any(|b| matches!(b, 0 | b'\r' | b'\n')) {
        return None;
    }
    Some(if raw.eq_ignore_ascii_case("INBOX") {
        "INBOX".into()
    } else {
        raw.into()
    })
}

pub(crate) fn read_status(c: &mut Cursor<'_>) -> Option<(Vec<u8>, Status)> {
    c.spaces();
    let name = mailbox(c)?;
    c.spaces();
    if !c.eat(b'(') {
        return None;
    }
    let mut status = Status::default();
    loop {
        c.spaces();
        if c.eat(b')') {
            return Some((name.into_bytes(), status));
        }
        let item = c.atom()?.to_ascii_uppercase();
        c.spaces();
        match item.as_slice() {
            b"MESSAGES" => status.messages = Some(c.number()?),
            b"UIDNEXT" => status.uid_next = Some(c.number()?),
            b"UIDVALIDITY" => status.uid_validity = Some(c.number()?).filter(|v| *v > 0),
            b"UNSEEN" => status.unseen = Some(c.number()?),
            b"HIGHESTMODSEQ" => status.highest_modseq = Some(c.number()?).filter(|v| *v > 0),
            _ => {
                if !c.skip_value() {
                    return None;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use crate::guard::Guard;
    use crate::response::Response;

    fn listed(line: &str) -> Option<Listed> {
        let mut guard = Guard::new(&Limits::default());
        guard.push(format!("* {line}\r\n").as_bytes());
        let frame = guard.next_frame().expect("within limits").expect("whole");
        match Response::read(&frame) {
            Ok(Response::List(l)) => l,
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn check(line: &str, name: &str, raw: &str, special: Option<SpecialUse>, selectable: bool) {
        let f = listed(line).expect("readable").folder;
        assert_eq!(
            (&*f.name, &*f.raw, f.special_use, f.selectable),
            (name, raw, special, selectable)
        );
    }

    #[test]
    fn folders_are_read() {
        check(r#"LIST (\HasNoChildren) "/" INBOX"#, "INBOX", "INBOX", None, true);
        check(r#"LIST () "/" "inbox""#, "INBOX", "INBOX", None, true);
        check(
            r#"LIST (\Drafts) "/" "Entw&APw-rfe""#,
            "Entwürfe",
            "Entw&APw-rfe",
            Some(SpecialUse::Drafts),
            true,
        );
        check(
            "LIST (\\sent \\X) \".\" {6}\r\nINBOX.",
            "INBOX.",
            "INBOX.",
            Some(SpecialUse::Sent),
            true,
        );
    }

    #[test]
    fn odd_folders_are_read_or_said() {
        check(
            "LIST (\\Noselect) \"/\" {5}\r\na\"b c",
            "a\"b c",
            "a\"b c",
            None,
            false,
        );
        check(r#"LIST () "/" "a\"b\\c""#, "a\"b\\c", "a\"b\\c", None, true);
        check(
            r"LIST () NIL [Gmail]/All",
            "[Gmail]/All",
            "[Gmail]/All",
            None,
            true,
        );
        check(r#"LIST () "/" "bad&utf7""#, "bad&utf7", "bad&utf7", None, true);
        check(r#"LIST () "/" "../../etc""#, "../../etc", "../../etc", None, true);
        assert_eq!(listed("LIST () \"/\" {3}\r\na\0b"), None);
        assert_eq!(listed("LIST () \"/\" {4}\r\na\r\nb"), None);
        assert_eq!(listed(&format!("LIST () \"/\" \"{}\"", "x".repeat(5_000))), None);
        assert_eq!(listed("LIST () \"/\" \"\""), None);
        assert_eq!(listed("LIST nonsense"), None);
    }

    #[test]
    fn a_delimiter_may_be_escaped_or_missing() {
        assert_eq!(
            listed(r#"LIST () "\\" a"#).and_then(|l| l.folder.delimiter),
            Some('\\')
        );
        assert_eq!(listed("LIST () NIL a").and_then(|l| l.folder.delimiter), None);
        assert!(!listed(r#"LIST (\NonExistent) "/" a"#).expect("readable").exists);
    }
}
