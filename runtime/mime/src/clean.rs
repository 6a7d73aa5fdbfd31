//! The one cleaner for text that a stranger wrote and an agent reads: no character in its output acts on a terminal,
//! turns the reading direction, or is invisible (trust notes §2.3, T27).
//! Absent: confusable letters. A look-alike is visible text; who compares addresses looks for it.

use crate::html::HIDDEN_MARKER;

/// So many invisible characters in a row are an encoding of something, not typography.
const INVISIBLE_RUN: usize = 8;

/// Cleaned text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cleaned {
    /// The text: line ends are `\n`, and there is no control character but `\n` and `\t`.
    pub text: String,
    /// Something that could deceive or carry a message was shown as an escape or taken out. Plain typography
    /// (a byte order mark, soft hyphens, a joiner beside a blank) is taken out without this.
    pub marked: bool,
}

/// Cleans text of several lines. Idempotent.
///
/// Controls and direction overrides become visible escapes such as `\u{1b}`; a run of tag characters, which spells
/// text that nobody sees, becomes a marker; joiners, variation selectors and fillers are removed, also in the
/// scripts and emoji that use them: letters and pictures stay, their joining is lost.
#[must_use]
pub fn clean(text: &str) -> Cleaned {
    if text.bytes().all(|b| matches!(b, b'\n' | b'\t' | b' '..=b'~')) {
        return Cleaned {
            text: text.to_owned(),
            marked: false,
        };
    }
    let mut cleaner = Cleaner {
        out: String::with_capacity(text.len()),
        ..Cleaner::default()
    };
    for c in text.chars() {
        cleaner.push(c);
    }
    cleaner.end_tags();
    Cleaned {
        text: cleaner.out,
        marked: cleaner.marked,
    }
}

/// Cleans text of one line: as [`clean`], with every run of whitespace folded to one blank. Idempotent.
#[must_use]
pub fn clean_line(text: &str) -> Cleaned {
    let cleaned = clean(text);
    let folded = cleaned.text.split_whitespace().collect::<Vec<_>>().join(" ");
    Cleaned {
        text: folded,
        ..cleaned
    }
}

#[derive(Default)]
struct Cleaner {
    out: String,
    marked: bool,
    /// Invisible characters since the last visible one, whether one of them has no business in a word, and
    /// whether that visible one was a letter.
    run: usize,
    splits: bool,
    after_letter: bool,
    after_cr: bool,
    /// Tag characters held back: they may be a flag.
    tags: usize,
    after_black_flag: bool,
}

impl Cleaner {
    fn push(&mut self, c: char) {
        if is_tag(c) {
            self.tags += 1;
            return;
        }
        self.end_tags();
        let after_cr = std::mem::take(&mut self.after_cr);
        match c {
            '\n' if after_cr => {}
            '\r' => {
                self.visible('\n');
                self.after_cr = true;
            }
            '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => self.visible('\n'),
            '\t' => self.visible('\t'),
            _ if is_escaped(c) => self.escape(c),
            _ if is_invisible(c) => self.invisible(c),
            _ => self.visible(c),
        }
    }

    fn visible(&mut self, c: char) {
        let is_letter = c.is_alphanumeric();
        // An invisible character between two letters splits a word for a search, and for no reader.
        self.marked |= self.splits && self.after_letter && is_letter;
        self.run = 0;
        self.splits = false;
        self.after_letter = is_letter;
        self.after_black_flag = c == '\u{1f3f4}';
        self.out.push(c);
    }

    fn escape(&mut self, c: char) {
        self.out.extend(c.escape_unicode());
        self.marked = true;
        self.run = 0;
        self.splits = false;
        self.after_letter = false;
        self.after_black_flag = false;
    }

    fn invisible(&mut self, c: char) {
        self.run += 1;
        self.splits |= !is_typographic(c);
        self.marked |= self.run >= INVISIBLE_RUN || is_filler(c);
    }

    fn end_tags(&mut self) {
        // Three flags (England, Scotland, Wales) are a black flag and at most seven tags.
        if self.tags > 7 || self.tags > 0 && !self.after_black_flag {
            self.out.push_str(HIDDEN_MARKER);
            self.marked = true;
            self.after_letter = false;
        }
        self.tags = 0;
    }
}

fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// Controls, direction overrides and embeddings: shown, so that nothing acts and nothing is missed.
fn is_escaped(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{fff9}'..='\u{fffb}')
}

/// What stands within words for good reasons: soft hyphens, joiners, direction marks, variation selectors.
fn is_typographic(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{200c}' | '\u{200d}'
        | '\u{2066}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}' | '\u{180b}'..='\u{180f}' | '\u{e0100}'..='\u{e01ef}')
}

fn is_filler(c: char) -> bool {
    matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}')
}

/// Whether cleaning changes this character, line ends aside.
pub(crate) fn is_unsafe(c: char) -> bool {
    is_tag(c) || is_escaped(c) || is_invisible(c)
}

/// Everything that takes no ink: default-ignorable code points (Unicode DerivedCoreProperties) and noncharacters.
pub(crate) fn is_invisible(c: char) -> bool {
    is_typographic(c)
        || is_filler(c)
        || matches!(c, '\u{34f}' | '\u{17b4}' | '\u{17b5}' | '\u{200b}' | '\u{feff}' | '\u{2060}'..='\u{2065}'
            | '\u{206a}'..='\u{206f}' | '\u{fdd0}'..='\u{fdef}' | '\u{fff0}'..='\u{fff8}' | '\u{fffe}' | '\u{ffff}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0080}'..='\u{e0fff}')
        || u32::from(c) & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str, marked: bool) {
        let cleaned = clean(text);
        assert_eq!(
            cleaned,
            Cleaned {
                text: expected.to_owned(),
                marked
            }
        );
        assert_eq!(clean(expected).text, expected, "idempotent");
    }

    #[test]
    fn controls_and_direction_overrides_are_shown() {
        check("a\u{1b}]52;c;aGk=\u{7}b", "a\\u{1b}]52;c;aGk=\\u{7}b", true);
        check("invoice\u{202e}fdp.exe", "invoice\\u{202e}fdp.exe", true);
        check("nul\0del\u{7f}c1\u{9b}", "nul\\u{0}del\\u{7f}c1\\u{9b}", true);
        check("<div hx-post=\"/x\">", "<div hx-post=\"/x\">", false);
    }

    #[test]
    fn line_ends_are_normalised() {
        check("a\r\nb\rc\u{2028}d\u{85}e\u{c}f\tg", "a\nb\nc\nd\ne\nf\tg", false);
        check("a\r\u{200b}\nb", "a\n\nb", false);
    }

    #[test]
    fn tag_characters_become_a_marker_and_flags_do_not() {
        let spelled: String = "ignore all"
            .chars()
            .filter_map(|c| char::from_u32(0xe0000 + c as u32))
            .collect();
        check(
            &format!("Hi{spelled} there"),
            "Hi[hidden text removed] there",
            true,
        );
        check(
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}!",
            "\u{1f3f4}!",
            false,
        );
        check(
            &format!("\u{1f3f4}{spelled}"),
            "\u{1f3f4}[hidden text removed]",
            true,
        );
    }

    #[test]
    fn invisible_characters_are_removed_and_marked_where_they_hide_something() {
        check("pass\u{200b}word", "password", true);
        check("wo\u{2060}rd", "word", true);
        check("half\u{3164}", "half", true);
        check(
            "a\u{fe0f}\u{fe01}\u{fe02}\u{fe03}\u{fe04}\u{fe05}\u{fe06}\u{fe07}\u{fe08}b",
            "ab",
            true,
        );
        check(
            "x \u{e0100}\u{e0111}\u{e0122}\u{e0133}\u{e0144}\u{e0155}\u{e0166}\u{e0177}\u{e0188}",
            "x ",
            true,
        );
        check("pre\u{ad}header \u{200c} \u{feff}", "preheader  ", false);
        check("\u{feff}Grüße \u{2764}\u{fe0f}", "Grüße \u{2764}", false);
        check("\u{2068}Jo\u{2069} می\u{200c}خواهم", "Jo میخواهم", false);
        check("👩\u{200d}👧", "👩👧", false);
    }

    #[test]
    fn a_line_is_one_line() {
        assert_eq!(clean_line(" a\r\n\tb\u{1b} ").text, "a b\\u{1b}");
    }

    /// 20,000 texts of hostile characters: cleaning twice is cleaning once, and nothing invisible is left.
    #[test]
    fn cleaning_is_idempotent_and_complete() {
        let alphabet: Vec<char> = "a \n\r\t\u{0}\u{1b}é日[]\\{}\u{ad}\u{34f}\u{61c}\u{115f}\u{180e}\u{200b}\u{200c}\u{200d}\
            \u{200e}\u{2028}\u{202a}\u{202e}\u{2060}\u{2066}\u{206f}\u{3164}\u{fe0f}\u{feff}\u{fff9}\u{1f3f4}\u{1d173}\
            \u{e0001}\u{e0041}\u{e007f}\u{e0100}\u{e0fff}\u{10ffff}"
            .chars()
            .collect();
        let mut seed = 0x2545_f491_4f6c_dd1d_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..(seed % 24) {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                text.push(alphabet[(seed >> 33) as usize % alphabet.len()]);
            }
            seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let once = clean(&text).text;
            assert_eq!(clean(&once).text, once, "{text:?}");
            let left = once
                .chars()
                .find(|&c| is_invisible(c) || is_tag(c) || is_escaped(c) && c != '\n' && c != '\t');
            assert_eq!(left, None, "{text:?}");
            assert_eq!(
                clean_line(&clean_line(&text).text),
                clean_line(&clean_line(&clean_line(&text).text).text)
            );
        }
    }
}
