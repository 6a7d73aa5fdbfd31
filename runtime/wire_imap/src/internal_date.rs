//! INTERNALDATE (RFC 3501 §9, date-time) to seconds since 1970.

const MONTHS: [&[u8]; 12] = [
    b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec",
];

/// ` 1-Jan-2026 10:00:00 +0100` in seconds since 1970, or `None` where the server wrote no date.
pub(crate) fn parse(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?;
    let mut words = text.split_ascii_whitespace();
    let (date, time, zone) = (words.next()?, words.next()?, words.next()?);
    let mut date = date.split('-');
    let day: i64 = number(date.next()?, 1, 31)?;
    let month = date.next()?.to_ascii_lowercase();
    let month = MONTHS.iter().position(|m| *m == month.as_bytes())?;
    let year: i64 = number(date.next()?, 1, 9999)?;
    let mut time = time.split(':');
    let (hour, minute, second) = (
        number(time.next()?, 0, 23)?,
        number(time.next()?, 0, 59)?,
        number(time.next()?, 0, 60)?,
    );
    let (sign, zone) = match zone.split_at_checked(1)? {
        ("+", z) => (1, z),
        ("-", z) => (-1, z),
        _ => return None,
    };
    let zone: i64 = number(zone, 0, 9959)?;
    let offset = sign * (zone / 100 * 3600 + zone % 100 * 60);
    Some(days(year, month as i64 + 1, day) * 86_400 + hour * 3600 + minute * 60 + second - offset)
}

fn number(text: &str, least: i64, most: i64) -> Option<i64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let n: i64 = digits.then(|| text.parse().ok())??;
    (least..=most).contains(&n).then_some(n)
}

/// Days since 1970-01-01 in the Gregorian calendar (Howard Hinnant's days_from_civil).
fn days(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let of_era = y.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<i64>) {
        assert_eq!(parse(text.as_bytes()), expected, "{text}");
    }

    #[test]
    fn dates_are_read() {
        check(" 1-Jan-1970 00:00:00 +0000", Some(0));
        check("01-Jan-1970 01:00:00 +0100", Some(0));
        check("17-Jul-1996 02:44:25 -0700", Some(837_596_665));
        check("29-Feb-2024 23:59:59 +0000", Some(1_709_251_199));
        check("30-Nov-2026 12:00:00 +0530", Some(1_796_020_200));
        check("", None);
        check("1-Foo-2026 00:00:00 +0000", None);
        check("1-Jan-2026 25:00:00 +0000", None);
        check("1-Jan-2026 00:00:00", None);
        check("1-Jan-99999999999999999999 00:00:00 +0000", None);
        check("1-Jan-2026 00:00:00 é0000", None);
    }
}
