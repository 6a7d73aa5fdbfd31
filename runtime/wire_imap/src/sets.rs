//! Sequence sets: typed ranges to text and back, split so that no command line is too long (RFC 3501 §9, RFC 2683).

use std::ops::RangeInclusive;

/// A range of UIDs to ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UidRange {
    first: u32,
    last: Option<u32>,
}

impl UidRange {
    /// From `first` to `last`, both included; `None` when there is no such range (0 is no UID).
    #[must_use]
    pub fn new(first: u32, last: u32) -> Option<Self> {
        (first > 0 && first <= last).then_some(UidRange {
            first,
            last: Some(last),
        })
    }

    /// From `first` on. A server answers `500:*` with the last message even where its UID is lower
    /// (RFC 3501 §6.4.8); the reader leaves such answers out.
    #[must_use]
    pub fn from(first: u32) -> Self {
        UidRange {
            first: first.max(1),
            last: None,
        }
    }

    /// All there are.
    #[must_use]
    pub fn all() -> Self {
        Self::from(1)
    }

    /// Whether a UID lies within.
    #[must_use]
    pub fn contains(self, uid: u32) -> bool {
        uid >= self.first && self.last.is_none_or(|l| uid <= l)
    }
}

impl std::fmt::Display for UidRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.last {
            None => write!(f, "{}:*", self.first),
            Some(l) if l == self.first => write!(f, "{l}"),
            Some(l) => write!(f, "{}:{l}", self.first),
        }
    }
}

/// UIDs for one command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Batch {
    /// As the command carries them.
    pub text: String,
    /// The same, in order.
    pub uids: Vec<u32>,
}

/// Sorts, drops doubles and zeros, folds neighbours into ranges, and begins a new batch when the text would pass
/// `bytes` or the UIDs `count`.
pub(crate) fn batches(uids: &[u32], bytes: usize, count: usize) -> Vec<Batch> {
    let mut sorted: Vec<u32> = uids.iter().copied().filter(|u| *u > 0).collect();
    sorted.sort_unstable();
    sorted.dedup();
    let mut batches: Vec<Batch> = vec![];
    for chunk in sorted.chunks(count.max(1)) {
        let mut batch = Batch {
            text: String::new(),
            uids: vec![],
        };
        for run in chunk.chunk_by(|a, b| a + 1 == *b) {
            let (first, last) = (run[0], run[run.len() - 1]);
            let piece = if first == last {
                first.to_string()
            } else {
                format!("{first}:{last}")
            };
            if !batch.text.is_empty() && batch.text.len() + 1 + piece.len() > bytes {
                batches.push(std::mem::replace(
                    &mut batch,
                    Batch {
                        text: String::new(),
                        uids: vec![],
                    },
                ));
            }
            if !batch.text.is_empty() {
                batch.text.push(',');
            }
            batch.text.push_str(&piece);
            batch.uids.extend_from_slice(run);
        }
        batches.push(batch);
    }
    batches
}

/// Reads a set that a server sent: `3,7:9`. Order within a range does not matter; `*` and 0 are not accepted.
pub(crate) fn parse(text: &[u8]) -> Option<Vec<RangeInclusive<u32>>> {
    let text = std::str::from_utf8(text).ok()?;
    text.split(',')
        .map(|piece| {
            let (a, b) = piece.split_once(':').unwrap_or((piece, piece));
            let (a, b): (u32, u32) = (a.parse().ok()?, b.parse().ok()?);
            (a > 0 && b > 0).then(|| a.min(b)..=a.max(b))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(uids: &[u32], bytes: usize, count: usize, expected: &[&str]) {
        let texts: Vec<String> = batches(uids, bytes, count).into_iter().map(|b| b.text).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn uids_become_few_and_short_sets() {
        check(&[], 100, 10, &[]);
        check(&[5], 100, 10, &["5"]);
        check(&[3, 1, 2, 2, 0, 9], 100, 10, &["1:3,9"]);
        check(&[1, 2, 3, 4, 5], 100, 2, &["1:2", "3:4", "5"]);
        check(&[10, 20, 30, 40], 5, 10, &["10,20", "30,40"]);
        check(&[u32::MAX, u32::MAX - 1], 100, 10, &["4294967294:4294967295"]);
    }

    #[test]
    fn ten_thousand_scattered_uids_are_all_asked_for_once() {
        let uids: Vec<u32> = (1..=10_000).map(|n| n * 7).collect();
        let all = batches(&uids, 1_000, 5_000);
        assert!(all.iter().all(|b| b.text.len() <= 1_000));
        assert_eq!(all.iter().flat_map(|b| b.uids.clone()).collect::<Vec<_>>(), uids);
        for b in &all {
            let read: Vec<u32> = parse(b.text.as_bytes())
                .expect("a set")
                .into_iter()
                .flatten()
                .collect();
            assert_eq!(read, b.uids);
        }
    }

    #[test]
    fn a_servers_sets_are_read() {
        assert_eq!(parse(b"3,9:7"), Some(vec![3..=3, 7..=9]));
        for bad in ["", "0", "1:*", "1,", "a", "1:2:3", "-1", "4294967296"] {
            assert_eq!(parse(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn ranges_print() {
        assert_eq!(UidRange::from(0).to_string(), "1:*");
        assert_eq!(UidRange::new(4, 4).map(|r| r.to_string()).as_deref(), Some("4"));
        assert_eq!(UidRange::new(4, 9).map(|r| r.to_string()).as_deref(), Some("4:9"));
        assert_eq!((UidRange::new(0, 9), UidRange::new(5, 4)), (None, None));
        assert!(UidRange::from(500).contains(500) && !UidRange::from(500).contains(499));
    }
}
