//! Points in time as every door writes them: RFC 3339 in UTC, whole seconds.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A point in time: whole seconds since 1970 in UTC. Written as RFC 3339: `2026-11-30T12:00:00Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The point so many seconds after 1970. Years outside 0 to 9999 are pulled to their edge.
    #[must_use]
    pub const fn from_unix(seconds: i64) -> Self {
        const MIN: i64 = -62_167_219_200;
        const MAX: i64 = 253_402_300_799;
        Self(if seconds < MIN {
            MIN
        } else if seconds > MAX {
            MAX
        } else {
            seconds
        })
    }

    /// Seconds since 1970.
    #[must_use]
    pub const fn unix(self) -> i64 {
        self.0
    }

    /// Reads RFC 3339 with an offset or `Z`, or a plain date (midnight UTC). Fractions of a second are dropped.
    #[must_use]
    pub fn parse(s: &str) -> Option<Self> {
        let b = s.as_bytes();
        let num = |from: usize, to: usize| -> Option<i64> {
            let part = b.get(from..to)?;
            part.iter()
                .all(u8::is_ascii_digit)
                .then(|| part.iter().fold(0, |n, d| n * 10 + i64::from(d - b'0')))
        };
        let (y, m, d) = (num(0, 4)?, num(5, 7)?, num(8, 10)?);
        if b.get(4) != Some(&b'-')
            || b.get(7) != Some(&b'-')
            || !(1..=12).contains(&m)
            || d < 1
            || d > days_in(y, m)
        {
            return None;
        }
        let day = days_from_civil(y, m, d) * 86_400;
        if b.len() == 10 {
            return Some(Self(day));
        }
        if !matches!(b.get(10), Some(b'T' | b't' | b' '))
            || b.get(13) != Some(&b':')
            || b.get(16) != Some(&b':')
        {
            return None;
        }
        let (h, min, sec) = (num(11, 13)?, num(14, 16)?, num(17, 19)?);
        if h > 23 || min > 59 || sec > 60 {
            return None;
        }
        let mut at = 19;
        if b.get(at) == Some(&b'.') {
            at += 1;
            let from = at;
            while b.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            if at == from || at - from > 9 {
                return None;
            }
        }
        let offset = match b.get(at)? {
            b'Z' | b'z' if b.len() == at + 1 => 0,
            sign @ (b'+' | b'-') if b.len() == at + 6 && b[at + 3] == b':' => {
                let (oh, om) = (num(at + 1, at + 3)?, num(at + 4, at + 6)?);
                if oh > 23 || om > 59 {
                    return None;
                }
                (oh * 3600 + om * 60) * if *sign == b'-' { -1 } else { 1 }
            }
            _ => return None,
        };
        Some(Self::from_unix(day + h * 3600 + min * 60 + sec.min(59) - offset))
    }
}

/// Days since 1970 of a civil date (Hinnant's algorithm, proleptic Gregorian).
const fn days_from_civil(y: i64, m: i64, d: i64) -> i64 {
    let y = if m <= 2 { y - 1 } else { y };
    let era = y.div_euclid(400);
    let yoe = y - era * 400;
    let doy = (153 * ((m + 9) % 12) + 2) / 5 + d - 1;
    era * 146_097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719_468
}

const fn days_in(y: i64, m: i64) -> i64 {
    match m {
        2 if y % 4 == 0 && (y % 100 != 0 || y % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, rest) = (self.0.div_euclid(86_400), self.0.rem_euclid(86_400));
        let z = days + 719_468;
        let era = z.div_euclid(146_097);
        let doe = z - era * 146_097;
        let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
        let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
        let mp = (5 * doy + 2) / 153;
        let (d, m) = (
            doy - (153 * mp + 2) / 5 + 1,
            if mp < 10 { mp + 3 } else { mp - 9 },
        );
        let y = yoe + era * 400 + i64::from(m <= 2);
        write!(
            f,
            "{y:04}-{m:02}-{d:02}T{:02}:{:02}:{:02}Z",
            rest / 3600,
            rest / 60 % 60,
            rest % 60
        )
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let s = String::deserialize(d)?;
        Timestamp::parse(&s).ok_or_else(|| serde::de::Error::custom("not a timestamp"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(s: &str, expected: Option<&str>) {
        assert_eq!(
            Timestamp::parse(s).map(|t| t.to_string()).as_deref(),
            expected,
            "{s}"
        );
    }

    #[test]
    fn reads_and_writes_rfc_3339() {
        check("2026-11-30T12:00:00Z", Some("2026-11-30T12:00:00Z"));
        check("2026-11-30T12:00:00.25+02:00", Some("2026-11-30T10:00:00Z"));
        check("2024-02-29", Some("2024-02-29T00:00:00Z"));
        check("1969-12-31T23:59:59-00:00", Some("1969-12-31T23:59:59Z"));
        check("2023-02-29", None);
        check("2026-11-30T12:00:00", None);
        check("2026-11-30T24:00:00Z", None);
        check("2026-11-30T12:00:00+2:00", None);
        check("yesterday", None);
        check("", None);
    }
}
