//! The five system flags of a location as one number, and their letters in a Maildir file name.
//!
//! Only what is stored; whether a flag may be set is asked elsewhere (`changes`).

/// System flags (RFC 3501 §2.3.2), `\Recent` excepted: it belongs to a session, not to a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(i64);

impl Flags {
    /// None.
    pub const NONE: Flags = Flags(0);
    /// `\Seen`
    pub const SEEN: Flags = Flags(1);
    /// `\Answered`
    pub const ANSWERED: Flags = Flags(2);
    /// `\Flagged`
    pub const FLAGGED: Flags = Flags(4);
    /// `\Deleted`
    pub const DELETED: Flags = Flags(8);
    /// `\Draft`
    pub const DRAFT: Flags = Flags(16);

    /// From the stored number; unknown bits are dropped.
    #[must_use]
    pub const fn from_bits(bits: i64) -> Self {
        Flags(bits & 31)
    }

    /// The stored number.
    #[must_use]
    pub const fn bits(self) -> i64 {
        self.0
    }

    /// Whether all of these are set.
    #[must_use]
    pub const fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// With these set.
    #[must_use]
    pub const fn with(self, other: Flags) -> Self {
        Flags(self.0 | other.0)
    }

    /// With these cleared.
    #[must_use]
    pub const fn without(self, other: Flags) -> Self {
        Flags(self.0 & !other.0)
    }

    /// From the letters of a Maildir info suffix `2,`; other letters (`P`, Dovecot's keywords) are not ours.
    #[must_use]
    pub fn from_info(letters: &str) -> Self {
        letters.chars().fold(Flags::NONE, |f, c| match c {
            'S' => f.with(Flags::SEEN),
            'R' => f.with(Flags::ANSWERED),
            'F' => f.with(Flags::FLAGGED),
            'T' => f.with(Flags::DELETED),
            'D' => f.with(Flags::DRAFT),
            _ => f,
        })
    }

    /// From the names that a server lists, in any case.
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        names
            .into_iter()
            .fold(Flags::NONE, |f, name| f.with(Self::named(name)))
    }

    /// The flag of a name, or none.
    #[must_use]
    pub fn named(name: &str) -> Self {
        const NAMES: [(&str, Flags); 5] = [
            ("\\Seen", Flags::SEEN),
            ("\\Answered", Flags::ANSWERED),
            ("\\Flagged", Flags::FLAGGED),
            ("\\Deleted", Flags::DELETED),
            ("\\Draft", Flags::DRAFT),
        ];
        NAMES
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map_or(Flags::NONE, |(_, f)| *f)
    }

    /// An info suffix's letters with this flag state: letters that are not ours stay, the order is ASCII as the
    /// Maildir rules ask.
    #[must_use]
    pub fn into_info(self, letters_before: &str) -> String {
        let mut letters: Vec<char> = letters_before.chars().filter(|c| !"DFRST".contains(*c)).collect();
        for (flag, letter) in [
            (Flags::DRAFT, 'D'),
            (Flags::FLAGGED, 'F'),
            (Flags::ANSWERED, 'R'),
            (Flags::SEEN, 'S'),
            (Flags::DELETED, 'T'),
        ] {
            if self.has(flag) {
                letters.push(letter);
            }
        }
        letters.sort_unstable();
        letters.dedup();
        letters.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Flags;

    #[track_caller]
    fn check(letters: &str, add: Flags, remove: Flags, expected: &str) {
        let flags = Flags::from_info(letters).with(add).without(remove);
        assert_eq!(flags.into_info(letters), expected, "{letters}");
    }

    #[test]
    fn letters_that_are_not_ours_survive_a_change() {
        check("", Flags::SEEN, Flags::NONE, "S");
        check("S", Flags::FLAGGED, Flags::NONE, "FS");
        check("FPSab", Flags::NONE, Flags::SEEN, "FPab");
        check("RS", Flags::SEEN, Flags::NONE, "RS");
        check("TDFRS", Flags::NONE, Flags::NONE, "DFRST");
    }

    #[test]
    fn names_are_read_in_any_case() {
        assert_eq!(Flags::from_names(["\\seen", "$Forwarded", "\\FLAGGED"]).bits(), 5);
        assert_eq!(Flags::from_bits(64 + 2), Flags::ANSWERED);
    }
}
