//! Looks at a mailbox from outside, over IMAP in clear on loopback: flags, HIGHESTMODSEQ, and the bytes of a message.
//! It opens with EXAMINE and fetches with PEEK, so that looking changes nothing.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// What a folder is like: its HIGHESTMODSEQ, and the flags of each message by UID, sorted, without `\Recent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// The folder's highest modification sequence.
    pub highest_modseq: u64,
    /// The flags by UID.
    pub flags: BTreeMap<u32, Vec<String>>,
}

/// A connection.
pub struct Probe {
    connection: BufReader<TcpStream>,
    tag: u32,
}

impl Probe {
    /// Connects and logs in.
    ///
    /// # Panics
    /// When the server does not let it in.
    #[must_use]
    pub fn login(port: u16, login: &str, password: &str) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
        let mut probe = Probe {
            connection: BufReader::new(stream),
            tag: 0,
        };
        probe.line();
        probe.command(&format!("LOGIN \"{login}\" \"{password}\""));
        probe
    }

    /// What a folder is like now.
    ///
    /// # Panics
    /// When the server refuses.
    pub fn folder(&mut self, name: &str) -> Folder {
        let opened = self.command(&format!("EXAMINE \"{name}\" (CONDSTORE)"));
        let highest_modseq = opened
            .iter()
            .find_map(|l| l.split_once("[HIGHESTMODSEQ ")?.1.split(']').next()?.parse().ok())
            .expect("a HIGHESTMODSEQ");
        let lines = self.command("UID FETCH 1:* (UID FLAGS)");
        let flags = lines.iter().filter_map(|l| flags_of(l)).collect();
        Folder {
            highest_modseq,
            flags,
        }
    }

    /// The bytes of a message in the folder last looked at.
    ///
    /// # Panics
    /// When the server refuses.
    pub fn bytes(&mut self, uid: u32) -> Vec<u8> {
        self.tag += 1;
        self.write(&format!("p{} UID FETCH {uid} (BODY.PEEK[])\r\n", self.tag));
        let done = format!("p{} ", self.tag);
        let mut bytes = vec![];
        loop {
            let line = self.line();
            if line.starts_with(&done) {
                assert!(line.contains(" OK "), "{line}");
                return bytes;
            }
            if let Some(length) = line
                .strip_suffix('}')
                .and_then(|l| l.rsplit('{').next())
                .and_then(|n| n.parse().ok())
            {
                bytes = vec![0; length];
                self.connection.read_exact(&mut bytes).expect("the whole literal");
            }
        }
    }

    fn command(&mut self, command: &str) -> Vec<String> {
        self.tag += 1;
        self.write(&format!("p{} {command}\r\n", self.tag));
        let done = format!("p{} ", self.tag);
        let mut lines = vec![];
        loop {
            let line = self.line();
            if line.starts_with(&done) {
                assert!(line.starts_with(&format!("{done}OK")), "{line}");
                return lines;
            }
            lines.push(line);
        }
    }

    fn write(&mut self, command: &str) {
        self.connection
            .get_mut()
            .write_all(command.as_bytes())
            .expect("the server takes commands");
    }

    fn line(&mut self) -> String {
        let mut line = vec![];
        let read = self.connection.read_until(b'\n', &mut line).expect("a line");
        assert!(read > 0, "the server hung up");
        String::from_utf8_lossy(&line).trim_end().to_owned()
    }
}

/// UID and flags of a line such as `* 1 FETCH (UID 7 FLAGS (\Seen))`.
fn flags_of(line: &str) -> Option<(u32, Vec<String>)> {
    let uid = line
        .split_once("UID ")?
        .1
        .split([' ', ')'])
        .next()?
        .parse()
        .ok()?;
    let flags = line.split_once("FLAGS (")?.1.split(')').next()?;
    let mut flags: Vec<String> = flags
        .split(' ')
        .filter(|f| !f.is_empty() && *f != "\\Recent")
        .map(str::to_owned)
        .collect();
    flags.sort();
    Some((uid, flags))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<(u32, &[&str])>) {
        let expected = expected.map(|(uid, flags)| (uid, flags.iter().map(|f| (*f).to_owned()).collect()));
        assert_eq!(flags_of(line), expected);
    }

    #[test]
    fn flags_are_read_in_either_order() {
        check(
            "* 1 FETCH (UID 7 FLAGS (\\Seen \\Flagged))",
            Some((7, &["\\Flagged", "\\Seen"])),
        );
        check("* 2 FETCH (FLAGS (\\Recent) UID 12)", Some((12, &[])));
        check("* 3 EXISTS", None);
    }
}
