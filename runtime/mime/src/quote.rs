//! What a message adds to the conversation: its text without quoted lines, attribution lines and signature.
//! By lines, without regular expressions, linear in the text. Absent: language detection.

/// Words that end an attribution line ("On Monday, Anna wrote:"), in lower case.
const WROTE: &[&str] = &[
    "wrote",
    "writes",
    "schrieb",
    "schreibt",
    "a écrit",
    "ha scritto",
    "escribió",
    "escreveu",
    "schreef",
    "skrev",
    "kirjoitti",
    "napisał",
    "napisał(a)",
    "napsal",
    "пишет",
    "написал",
    "написала",
    "写道",
    "さんは書きました",
];

/// Lines after which everything is an older message.
const ORIGINAL: &[&str] = &[
    "original message",
    "ursprüngliche nachricht",
    "originalnachricht",
    "message d'origine",
    "mensaje original",
    "messaggio originale",
    "mensagem original",
    "oorspronkelijk bericht",
    "ursprungligt meddelande",
    "исходное сообщение",
    "oprindelig meddelelse",
    "pôvodná správa",
];

/// The text without quoted lines and what introduces them. Text that is nothing but a quote comes back whole, so
/// that a message never looks empty which is not. Forwarded messages are kept: they are what the mail is about.
#[must_use]
pub fn strip_quotes(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut kept: Vec<&str> = Vec::new();
    let mut at = 0;
    while let Some(&line) = lines.get(at) {
        let has_own_text = kept.iter().any(|l| !l.trim().is_empty());
        if is_quoted(line) {
            at += 1;
        } else if let Some(len) = attribution(lines.get(at..).unwrap_or_default()) {
            at += len;
        } else if has_own_text && is_original_marker(lines.get(at..).unwrap_or_default()) {
            break;
        } else {
            kept.push(line);
            at += 1;
        }
    }
    let stripped = squeeze(&kept);
    if stripped.is_empty() {
        text.trim().to_owned()
    } else {
        stripped
    }
}

/// The first `max_chars` characters of what a message adds, in one line: no quotes, no signature, no bare link
/// targets, whitespace folded; cut at a word with `…`, which counts.
#[must_use]
pub fn snippet(text: &str, max_chars: usize) -> String {
    let own = strip_quotes(text);
    let own = before_signature(&own);
    let mut out = String::new();
    let mut chars = 0;
    for word in own
        .split_whitespace()
        .filter(|w| !is_rule(w) && !w.starts_with("<http"))
    {
        let blank = usize::from(!out.is_empty());
        let len = word.chars().count();
        if chars + blank + len > max_chars {
            // A word longer than the whole room is cut, or a text without blanks would give nothing.
            let room = max_chars.saturating_sub(chars + blank + 1);
            if out.is_empty() || room > 20 {
                out.extend(std::iter::repeat_n(' ', blank));
                out.extend(word.chars().take(room));
            }
            while out.chars().count() + 1 > max_chars && out.pop().is_some() {}
            if max_chars > 0 {
                out.push('…');
            }
            return out;
        }
        out.extend(std::iter::repeat_n(' ', blank));
        out.push_str(word);
        chars += blank + len;
    }
    out
}

fn is_quoted(line: &str) -> bool {
    line.trim_start().starts_with('>')
}

/// A word that is only a drawn line.
fn is_rule(word: &str) -> bool {
    word.len() > 3
        && word
            .chars()
            .all(|c| matches!(c, '-' | '_' | '=' | '*' | '—' | '─' | '~'))
}

/// The text before a signature (`-- ` on a line of its own), unless nothing stands before it.
fn before_signature(text: &str) -> &str {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let before = text.get(..offset).unwrap_or_default();
        if (bare == "-- " || bare == "--") && !before.trim().is_empty() {
            return before;
        }
        offset += line.len();
    }
    text
}

/// How many lines from here are "On …, Anna wrote:", given that a quote follows.
fn attribution(lines: &[&str]) -> Option<usize> {
    let mut joined = String::new();
    for (i, line) in lines.iter().take(3).enumerate() {
        let line = line.trim();
        if line.is_empty() || is_quoted(line) || joined.len() + line.len() > 300 {
            return None;
        }
        joined.push(' ');
        joined.push_str(line);
        let Some(head) = line.strip_suffix(':').or_else(|| line.strip_suffix('：')) else {
            continue;
        };
        let head = head.trim_end().trim_end_matches('>').to_lowercase();
        let wrote = WROTE.iter().any(|w| ends_with_word(&head, w)) || german(&joined);
        let next = lines.iter().skip(i + 1).find(|l| !l.trim().is_empty());
        return (wrote && next.is_some_and(|l| is_quoted(l))).then_some(i + 1);
    }
    None
}

/// German puts the verb before the name: "Am 3.11.2026 um 10:00 schrieb Anna Lind <anna@…>:".
fn german(line: &str) -> bool {
    let line = line.to_lowercase();
    line.trim_start().starts_with("am ") && line.contains(" schrieb ")
}

fn ends_with_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word)
        .is_some_and(|before| before.chars().next_back().is_none_or(|c| !c.is_alphanumeric()))
}

/// `-----Original Message-----`, or the header block that Outlook puts over the older mail.
fn is_original_marker(lines: &[&str]) -> bool {
    let Some(first) = lines.first() else { return false };
    if first.trim_start().starts_with('-') {
        let bare = first.trim().trim_matches(['-', ' ']).to_lowercase();
        if ORIGINAL.contains(&bare.as_str()) {
            return true;
        }
    }
    let skip = usize::from(is_rule(first.trim()));
    let starts = |at: usize, words: &[&str]| {
        let line = lines
            .get(skip + at)
            .map_or("", |l| l.trim_start_matches(['*', ' ']));
        let head: String = line.chars().take(10).collect::<String>().to_lowercase();
        words.iter().any(|w| head.starts_with(w))
    };
    let sent = [
        "sent:",
        "date:",
        "gesendet:",
        "envoyé",
        "enviado:",
        "inviato:",
        "verzonden:",
        "datum:",
    ];
    let from = ["from:", "von:", "de :", "de:", "da:", "van:", "från:"];
    starts(0, &from) && (1..3).any(|at| starts(at, &sent))
}

/// Joins lines with at most one empty one between, and none at the ends.
fn squeeze(lines: &[&str]) -> String {
    let mut out = String::new();
    let mut gap = false;
    for line in lines {
        // The blank of "-- " is what makes it a signature.
        let line = if *line == "-- " { line } else { line.trim_end() };
        if line.is_empty() {
            gap = true;
            continue;
        }
        if !out.is_empty() {
            out.push_str(if gap { "\n\n" } else { "\n" });
        }
        gap = false;
        out.push_str(line);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, stripped: &str, line: &str) {
        assert_eq!(strip_quotes(text), stripped);
        assert_eq!(snippet(text, 100), line);
    }

    #[test]
    fn quotes_attributions_and_signatures_go() {
        check(
            "Yes, Friday.\n\nOn Mon, 2 Nov 2026 at 10:00, Anna Lind\n<anna@example.org> wrote:\n> When?\n>> Soon\n\n-- \nBo\nBremen\n",
            "Yes, Friday.\n\n-- \nBo\nBremen",
            "Yes, Friday.",
        );
        check(
            "Ja.\n\nAm 2.11.2026 um 10:00 schrieb Anna <a@example.org>:\n\n> Wann?\n",
            "Ja.",
            "Ja.",
        );
        check(
            "Le lun. 2 nov., Anna a écrit :\n> Quand ?\n\nVendredi.",
            "Vendredi.",
            "Vendredi.",
        );
        check(
            "Fine.\n-----Original Message-----\nFrom: Anna\nold",
            "Fine.",
            "Fine.",
        );
        check(
            "Fine.\n\n________________________________\nFrom: Anna\nSent: Monday\nTo: Bo\n\nold",
            "Fine.",
            "Fine.",
        );
    }

    #[test]
    fn answers_between_quotes_stay() {
        check(
            "> When?\nFriday.\n> Where?\nHere.",
            "Friday.\nHere.",
            "Friday. Here.",
        );
    }

    #[test]
    fn nothing_but_a_quote_and_forwards_stay() {
        check("> only this", "> only this", "> only this");
        let forward = "See below.\n\n---------- Forwarded message ---------\nFrom: Anna\nHello";
        check(forward, forward, "See below. Forwarded message From: Anna Hello");
        check(
            "He wrote:\nno quote follows",
            "He wrote:\nno quote follows",
            "He wrote: no quote follows",
        );
        check("", "", "");
    }

    #[test]
    fn a_snippet_is_cut_at_a_word_and_never_longer_than_asked() {
        assert_eq!(snippet("one two three four", 12), "one two…");
        assert_eq!(snippet("one two", 7), "one two");
        assert_eq!(
            snippet("Read on <https://a.example/x> ----- now", 90),
            "Read on now"
        );
        assert_eq!(snippet("日本語のとても長い文章", 5), "日本語の…");
        assert_eq!(snippet("ab", 0), "");
        let text = "word ".repeat(50) + &"x".repeat(300);
        for max in 0..320 {
            assert!(snippet(&text, max).chars().count() <= max, "{max}");
        }
    }

    #[test]
    fn a_hundred_thousand_lines_are_no_trouble() {
        let started = std::time::Instant::now();
        assert_eq!(strip_quotes(&"On a b\n".repeat(100_000)).len(), 7 * 100_000 - 1);
        assert!(started.elapsed() < std::time::Duration::from_secs(30));
    }
}
