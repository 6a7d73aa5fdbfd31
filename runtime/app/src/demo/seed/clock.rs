//! Day offsets to moments, and the date words of a text (`{weekday +3}`) to what they mean on that day.
//!
//! Absent: the time zone database. A message carries a fixed offset, as real `Date` headers do.

use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, ToSpan, Zoned, civil};

/// When a message was written, relative to the present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Whole days ago (one at least), at a time of day in the writer's zone.
    DaysAgo(u16, i8, i8),
    /// Minutes ago.
    MinutesAgo(u16),
}

/// The present, from which all offsets count.
pub struct Clock {
    now: Timestamp,
}

impl Clock {
    /// A clock at `now` (Unix seconds), held between 1972 and 9900, where every offset below has a date.
    pub fn new(now: i64) -> Clock {
        let now = now.clamp(63_072_000, 250_000_000_000);
        Clock {
            now: Timestamp::from_second(now).unwrap_or(Timestamp::UNIX_EPOCH),
        }
    }

    /// The moment `when` names in a zone of `zone` minutes east; `second` makes it look less like a table.
    /// Never later than the present.
    pub fn at(&self, when: When, zone: i16, second: i8) -> Zoned {
        let offset = Offset::from_seconds(i32::from(zone) * 60).unwrap_or(Offset::UTC);
        let moment = match when {
            When::MinutesAgo(minutes) => self.now.saturating_sub(i64::from(minutes).minutes()).ok(),
            When::DaysAgo(days, hour, minute) => {
                let today = self.now.to_zoned(TimeZone::UTC).date();
                let day = today.saturating_sub(i64::from(days).days());
                civil::Time::new(hour, minute, second % 60, 0)
                    .ok()
                    .and_then(|time| offset.to_timestamp(day.to_datetime(time)).ok())
            }
        };
        moment
            .unwrap_or(self.now)
            .min(self.now)
            .to_zoned(TimeZone::fixed(offset))
    }

    /// When a message of that date reached the mailbox: some seconds later, yet never after the present.
    pub fn delivered(&self, date: &Zoned, delay: i64) -> i64 {
        (date.timestamp().as_second() + delay).min(self.now.as_second())
    }
}

/// The date as RFC 5322 wants it.
pub fn rfc5322(date: &Zoned) -> String {
    jiff::fmt::rfc2822::to_string(date).unwrap_or_default()
}

/// The text with its date words replaced: `{day}` (3 March), `{weekday}`, `{month}`, `{year}`, `{iso}`
/// (a calendar date), and for German `{tag}` (3. März), `{wochentag}`, `{monat}`; each with an optional distance
/// in days as in `{weekday +3}`. Other braces stay as they are, since style sheets use them too.
pub fn date_words(text: &str, date: &Zoned) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        out.push_str(&rest[..start]);
        let tail = &rest[start + 1..];
        let word = tail
            .find('}')
            .and_then(|end| date_word(&tail[..end], date).map(|word| (word, &tail[end + 1..])));
        match word {
            Some((word, after)) => {
                out.push_str(&word);
                rest = after;
            }
            None => {
                out.push('{');
                rest = tail;
            }
        }
    }
    out.push_str(rest);
    out
}

fn date_word(word: &str, date: &Zoned) -> Option<String> {
    let (name, distance) = word.split_once(' ').unwrap_or((word, "0"));
    let days: i64 = distance.parse().ok().filter(|days: &i64| days.abs() < 1_000)?;
    let day = date.date().saturating_add(days.days());
    let month = MONATE.get(usize::try_from(day.month()).ok()?.checked_sub(1)?)?;
    Some(match name {
        "day" => day.strftime("%-d %B").to_string(),
        "weekday" => day.strftime("%A").to_string(),
        "month" => day.strftime("%B").to_string(),
        "year" => day.strftime("%Y").to_string(),
        "iso" => day.strftime("%Y-%m-%d").to_string(),
        "tag" => format!("{}. {month}", day.day()),
        "monat" => (*month).to_owned(),
        "wochentag" => {
            (*WOCHENTAGE.get(usize::try_from(day.weekday().to_monday_zero_offset()).ok()?)?).to_owned()
        }
        _ => return None,
    })
}

const MONATE: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];
const WOCHENTAGE: [&str; 7] = [
    "Montag",
    "Dienstag",
    "Mittwoch",
    "Donnerstag",
    "Freitag",
    "Samstag",
    "Sonntag",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Friday, 27 February 1998, noon.
    const NOW: i64 = 888_580_800;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let date = Clock::new(NOW).at(When::MinutesAgo(0), 0, 0);
        assert_eq!(date_words(text, &date), expected);
    }

    #[test]
    fn date_words_count_from_the_message() {
        check("by {weekday +3}, {day +3}", "by Monday, 2 March");
        check(
            "am {wochentag +3}, {tag +3}, im {monat -30}",
            "am Montag, 2. März, im Januar",
        );
        check("{month} {year} {iso -1}", "February 1998 1998-02-26");
    }

    #[test]
    fn other_braces_stay() {
        check(".n{color:#fff} {", ".n{color:#fff} {");
        check("{weekday soon} {day}", "{weekday soon} 27 February");
    }

    #[track_caller]
    fn check_date(when: When, zone: i16, expected: &str) {
        assert_eq!(rfc5322(&Clock::new(NOW).at(when, zone, 5)), expected);
    }

    #[test]
    fn offsets_become_dates() {
        check_date(When::DaysAgo(1, 9, 40), 60, "Thu, 26 Feb 1998 09:40:05 +0100");
        check_date(When::DaysAgo(27, 9, 40), 540, "Sat, 31 Jan 1998 09:40:05 +0900");
        check_date(When::MinutesAgo(90), 60, "Fri, 27 Feb 1998 11:30:00 +0100");
    }

    #[test]
    fn nothing_is_later_than_the_present() {
        check_date(When::DaysAgo(1, 23, 59), -840, "Thu, 26 Feb 1998 22:00:00 -1400");
        let clock = Clock::new(NOW);
        assert_eq!(clock.delivered(&clock.at(When::MinutesAgo(1), 0, 0), 600), NOW);
    }
}
