//! The base subject (RFC 5256 §2.1), with the reply and forward words of other languages.

/// What stands before a colon in replies and forwards, in lower case.
const PREFIXES: &[&str] = &[
    "re",
    "fw",
    "fwd",
    "aw",
    "antw",
    "wg",
    "sv",
    "vs",
    "vl",
    "tr",
    "rv",
    "rif",
    "r",
    "i",
    "enc",
    "res",
    "odp",
    "pd",
    "ynt",
    "ilt",
    "doorst",
    "vb",
    "bls",
    "fs",
    "továbbítás",
    "vá",
    "απ",
    "σχετ",
    "πρθ",
    "ответ",
    "отв",
    "пересл",
    "回复",
    "转发",
    "答复",
    "回覆",
    "轉寄",
    "返信",
    "転送",
    "답장",
    "전달",
];

/// The subject without `Re:`, `Fwd:`, `AW:`, `[list]` and `(fwd)`, whitespace folded. Empty if nothing is left.
#[must_use]
pub fn base_subject(subject: &str) -> String {
    let folded = subject.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rest = folded.as_str();
    loop {
        let before = rest;
        rest = strip_trailing_fwd(rest.trim());
        rest = strip_prefix(rest);
        rest = strip_blob(rest);
        rest = strip_fwd_frame(rest);
        if rest.len() == before.len() {
            return rest.to_owned();
        }
    }
}

fn strip_trailing_fwd(text: &str) -> &str {
    let cut = text.len().saturating_sub(5);
    match (text.get(..cut), text.get(cut..)) {
        (Some(head), Some(tail)) if tail.eq_ignore_ascii_case("(fwd)") => head.trim_end(),
        _ => text,
    }
}

/// `Re:`, `Re[2]:`, `Re [list] :`, `AW：` (the wide colon).
fn strip_prefix(text: &str) -> &str {
    let Some(colon) = text.find([':', '：']) else {
        return text;
    };
    let Some(head) = text.get(..colon) else {
        return text;
    };
    let word = match head.split_once(['[', '(']) {
        Some((word, rest)) if rest.trim_end().ends_with([']', ')']) => word,
        Some(_) => return text,
        None => head,
    };
    let word = word.trim().to_lowercase();
    let word = word.trim_end_matches(|c: char| c.is_ascii_digit());
    if !PREFIXES.contains(&word) {
        return text;
    }
    text.get(colon..)
        .and_then(|t| t.strip_prefix([':', '：']))
        .map_or(text, str::trim_start)
}

/// `[list] subject`; a subject that is only a blob keeps it.
fn strip_blob(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('[') else {
        return text;
    };
    match inner.split_once(']') {
        Some((blob, rest)) if !blob.contains('[') && !rest.trim().is_empty() => rest.trim_start(),
        _ => text,
    }
}

/// `[Fwd: subject]`.
fn strip_fwd_frame(text: &str) -> &str {
    let frame = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
    match frame.and_then(|inner| inner.split_once(':')) {
        Some((word, rest)) if ["fwd", "fw"].iter().any(|f| word.trim().eq_ignore_ascii_case(f)) => {
            rest.trim()
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(subject: &str, expected: &str) {
        assert_eq!(base_subject(subject), expected);
        assert_eq!(base_subject(expected), expected, "idempotent");
    }

    #[test]
    fn replies_and_forwards_in_several_languages() {
        for subject in [
            "Offer",
            "Re: Offer",
            "RE: AW: Offer",
            "Fwd: Re: Offer",
            "Sv: WG: Offer",
            "Re[2]: Offer",
        ] {
            check(subject, "Offer");
        }
        for subject in [
            "[team] Re: Offer (fwd)",
            "Re: [team] Offer",
            "[Fwd: Offer]",
            "回复：Offer",
            "TR: Offer",
        ] {
            check(subject, "Offer");
        }
    }

    #[test]
    fn what_only_looks_like_a_prefix_stays() {
        check("Report: numbers", "Report: numbers");
        check("[team]", "[team]");
        check("Re:", "");
        check("  two   words ", "two words");
        check("", "");
        check("(fwd", "(fwd");
        check("Tokyo: 12:30", "Tokyo: 12:30");
    }
}
