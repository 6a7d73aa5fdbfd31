//! Mutated responses, cut anywhere: no panic, no endless loop, and an honest response still comes out whole after an
//! odd one whose framing held (test battery T20, target 5).

use crate::Limits;
use crate::guard::Guard;
use crate::response::Response;

const HONEST: [&str; 14] = [
    "* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN] ready\r\n",
    "* CAPABILITY IMAP4rev1  CONDSTORE\r\n",
    "* LIST (\\HasNoChildren \\Sent) \"/\" \"Entw&APw-rfe\"\r\n",
    "* LIST () NIL {5}\r\na\"b\\c\r\n",
    "* STATUS \"INBOX\" (MESSAGES 3 UIDNEXT 8 HIGHESTMODSEQ 99 X (a {1}\r\n)))\r\n",
    "* SEARCH 4 9 6\r\n",
    "* ESEARCH (TAG \"o2\") UID ALL 4,8:9\r\n",
    "* 1 FETCH (UID 4 FLAGS (\\Seen $a) INTERNALDATE \"17-Jul-1996 02:44:25 -0700\" RFC822.SIZE 9 BODY[HEADER]<0> {6}\r\nA: b\r\n)\r\n",
    "* 2 FETCH (ENVELOPE (\"x\" NIL ((NIL NIL \"a\" \"b\")) NIL) BODY (\"TEXT\" (\"CHARSET\" \"x\") NIL) MODSEQ (12) UID 7)\r\n",
    "* VANISHED (EARLIER) 1:5\r\n",
    "* NAMESPACE ((\"\" \"/\")) NIL NIL\r\n",
    "* 3 EXPUNGE\r\n",
    "* BYE Request is throttled. Suggested Backoff Time: 4000 milliseconds\r\n",
    "o7 NO [MODIFIED 7,9] x\r\n",
];

/// xorshift64*: the same mutations on every run.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % below.max(1)
    }
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.next(4) {
        let at = random.next(bytes.len());
        match random.next(5) {
            0 => bytes[at] = b"()[]{}<>\"\\ *+0129\r\n\0~:,"[random.next(23)],
            1 => bytes[at] = u8::try_from(random.next(256)).unwrap_or(0),
            2 => drop(bytes.remove(at)),
            3 => bytes.insert(at, b"({\"\\ 9"[random.next(6)]),
            _ => {
                let other = HONEST[random.next(HONEST.len())].as_bytes();
                let cut = random.next(other.len());
                bytes.splice(at..at, other[cut..].iter().copied());
            }
        }
        if bytes.is_empty() {
            bytes.push(b'*');
        }
    }
}

#[test]
fn forty_thousand_mutated_responses() {
    let limits = Limits {
        line: 2_000,
        literal: 2_000,
        ..Limits::default()
    };
    let mut random = Random(20_261_130);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..40_000 {
        let mut bytes = HONEST[random.next(HONEST.len())].as_bytes().to_vec();
        mutate(&mut bytes, &mut random);
        let mut guard = Guard::new(&limits);
        while !bytes.is_empty() {
            let n = random.next(bytes.len()) + 1;
            guard.push(&bytes[..n]);
            bytes.drain(..n);
            while let Ok(Some(frame)) = guard.next_frame() {
                match Response::read(&frame) {
                    Ok(response) => {
                        read += usize::from(!format!("{response:?}").is_empty());
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    // Both ways were taken often: the test has teeth.
    assert!(read > 20_000 && refused > 2_000, "{read} {refused}");
}

#[test]
fn honest_responses_are_whole_however_they_are_cut() {
    let all = HONEST.concat();
    for step in [1, 3, 16, 5_000] {
        let mut guard = Guard::new(&Limits::default());
        let mut frames = 0;
        for piece in all.as_bytes().chunks(step) {
            guard.push(piece);
            while let Some(frame) = guard.next_frame().expect("within limits") {
                match Response::read(&frame).expect("a response") {
                    Response::Fetch(f) => assert!(!f.damaged),
                    Response::List(l) => assert!(l.is_some()),
                    Response::FolderStatus(s) => assert!(s.is_some()),
                    _ => {}
                }
                frames += 1;
            }
        }
        assert_eq!((frames, guard.is_empty()), (HONEST.len(), true));
    }
}
