//! The forms of strings that come in: addresses and times. They accept what the published schemas accept.

use oaken_core::Timestamp;

/// A mail address: one `@` with 1 to 64 characters before it and 1 to 255 after it, no blanks.
pub(crate) fn is_address(s: &str) -> bool {
    let blank = |c| matches!(c, ' ' | '\t' | '\r' | '\n');
    let Some((local, domain)) = s.split_once('@') else {
        return false;
    };
    let within = |part: &str, most| (1..=most).contains(&part.chars().count());
    within(local, 64) && within(domain, 255) && !domain.contains('@') && !s.contains(blank)
}

/// A point in time as a caller writes it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Time {
    /// RFC 3339 or a date, in its one normal form.
    At(String),
    /// So many hours or days before now.
    Ago {
        /// What that is now, in RFC 3339.
        at: String,
    },
}

/// Reads RFC 3339 in whole seconds, a date, `-12h` or `-7d`.
pub(crate) fn time(s: &str, now: i64) -> Option<Time> {
    if let Some(rest) = s.strip_prefix('-') {
        let unit = match rest.chars().last()? {
            'h' => 3600,
            'd' => 86_400,
            _ => return None,
        };
        let digits = &rest[..rest.len() - 1];
        if !(1..=4).contains(&digits.len()) || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let at = now.saturating_sub(digits.parse::<i64>().ok()? * unit);
        return Some(Time::Ago {
            at: Timestamp::from_unix(at).to_string(),
        });
    }
    // Narrower than `Timestamp::parse`: no blank for the T, no fractions, no leap second.
    let bytes = s.as_bytes();
    let plain = match s.len() {
        10 => true,
        20 | 25 => {
            bytes.get(10) == Some(&b'T') && bytes.get(17..19) != Some(b"60") && !s.contains(['z', '.'])
        }
        _ => false,
    };
    if !plain {
        return None;
    }
    Timestamp::parse(s).map(|t| Time::At(t.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_796_040_000; // 2026-11-30T12:00:00Z

    #[track_caller]
    fn check(s: &str, expected: Option<&str>) {
        let read = time(s, NOW).map(|t| match t {
            Time::At(at) | Time::Ago { at } => at,
        });
        assert_eq!(read.as_deref(), expected, "{s}");
    }

    #[test]
    fn times() {
        check("2026-11-30", Some("2026-11-30T00:00:00Z"));
        check("2026-11-30T10:00:00+02:00", Some("2026-11-30T08:00:00Z"));
        check("-12h", Some("2026-11-30T00:00:00Z"));
        check("-7d", Some("2026-11-23T12:00:00Z"));
        check("-12345h", None);
        check("-h", None);
        check("-1w", None);
        check("-", None);
        check("-1é", None);
        check("2026-02-30", None);
        check("2026-11-30 10:00:00Z", None);
        check("2026-11-30T10:00:60Z", None);
        check("2026-11-30T10:00:00.5Z", None);
        check("é26-11-30", None);
        // A character that lies across where the seconds would begin, or end.
        check("2026-11-30T10:00é0Z", None);
        check("2026-11-30T10:00é00Z", None);
        check("2026-11-30T10:00:0éZ", None);
        check("2026-11-30T10:00:é0+02:00", None);
        check("last_call", None);
        check("", None);
    }

    #[test]
    fn addresses() {
        for (s, expected) in [
            ("dana@example.org", true),
            ("grüße@example.org", true),
            ("a@b@c", false),
            ("@b", false),
            ("a@", false),
            ("a b@c", false),
            ("a@b\n", false),
            ("a", false),
        ] {
            assert_eq!(is_address(s), expected, "{s}");
        }
        assert!(!is_address(&format!("{}@b", "x".repeat(65))));
    }
}
