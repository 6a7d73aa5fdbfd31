//! Text to terms, the same way for the index and for a query.
//!
//! FTS5's unicode61 makes one token of a whole run of Chinese or Japanese, so that no word in it could be found. Such
//! runs are cut into overlapping pairs here, before they reach it: 東京都 is 東京, 京都, 都. The last character stands
//! alone too, so that a single one is found by prefix. Deliberately absent: stemming and dictionaries.

use std::borrow::Cow;

/// Whether a character belongs to a script written without spaces, or (Hangul) with endings grown onto the word.
fn is_run_on(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}' | '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3134f}')
}

/// Text as the index takes it.
#[must_use]
pub fn for_index(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_run_on) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() * 2);
    for (run_on, piece) in pieces(text) {
        if run_on {
            out.push(' ');
            let chars: Vec<char> = piece.chars().collect();
            for (n, c) in chars.iter().enumerate() {
                out.push(*c);
                out.extend(chars.get(n + 1));
                out.push(' ');
            }
        } else {
            out.push_str(piece);
        }
    }
    Cow::Owned(out)
}

/// The FTS5 expression of one word or phrase as somebody typed it: every word is quoted, so that none is syntax. A
/// phrase that mixes scripts asks for each of its parts. `None` where nothing in it is a term.
#[must_use]
pub fn for_query(phrase: &str) -> Option<String> {
    let mut parts = Vec::new();
    for (run_on, piece) in pieces(phrase) {
        if !piece.chars().any(char::is_alphanumeric) {
            continue;
        }
        let chars: Vec<char> = piece.chars().collect();
        if !run_on {
            parts.push(quoted(piece));
        } else if let [only] = chars.as_slice() {
            parts.push(format!("\"{only}\" *"));
        } else {
            let pairs: Vec<String> = chars.windows(2).map(|p| p.iter().collect()).collect();
            parts.push(quoted(&pairs.join(" ")));
        }
    }
    (!parts.is_empty()).then(|| parts.join(" AND "))
}

fn quoted(words: &str) -> String {
    format!("\"{}\"", words.replace(['"', '\0'], " "))
}

/// The text cut where a run begins or ends.
fn pieces(text: &str) -> Vec<(bool, &str)> {
    let mut pieces = Vec::new();
    let mut from = 0;
    let mut kind = None;
    for (at, c) in text.char_indices() {
        let run_on = is_run_on(c);
        if let Some(k) = kind
            && k != run_on
        {
            pieces.push((k, &text[from..at]));
            from = at;
        }
        kind = Some(run_on);
    }
    if let Some(k) = kind {
        pieces.push((k, &text[from..]));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use oaken_store::rusqlite::Connection;

    #[track_caller]
    fn check(text: &str, query: &str, found: bool) {
        let c = Connection::open_in_memory().expect("a database");
        c.execute_batch(
            "CREATE VIRTUAL TABLE t USING fts5(body, content='', contentless_delete=1,
             tokenize=\"unicode61 remove_diacritics 2\")",
        )
        .expect("a table");
        c.execute("INSERT INTO t (rowid, body) VALUES (1, ?1)", [for_index(text)])
            .expect("indexed");
        let hits: i64 = match for_query(query) {
            Some(e) => c
                .query_row("SELECT count(*) FROM t WHERE t MATCH ?1", [e], |r| r.get(0))
                .expect("an expression that FTS5 takes"),
            None => 0,
        };
        assert_eq!(hits == 1, found, "{query:?} in {text:?}");
    }

    #[test]
    fn words_and_phrases() {
        check("The quick brown fox", "quick brown", true);
        check("The quick brown fox", "brown quick", false);
        check("Grüße aus Köln", "grusse", false);
        check("Grüße aus Köln", "koln", true);
        check("Éric", "eric", true);
        check("ada@example.org wrote", "ada@example.org", true);
        check("C'est l'été", "l'été", true);
    }

    #[test]
    fn what_somebody_types_is_never_syntax() {
        for query in [
            "\"",
            "a\"b",
            "NEAR(a, b)",
            "body:x",
            "-x",
            "a*",
            "(",
            "^a",
            "AND",
            "a OR b",
            "\0",
            "{a b}: c",
        ] {
            check("something else entirely", query, false);
        }
        check("NEAR a b", "NEAR(a, b)", true);
        check("x", "...", false);
        check("x", "", false);
    }

    #[test]
    fn chinese_japanese_and_korean_words_are_found_inside_a_run() {
        check("明日の会議は東京駅で行います", "会議", true);
        check("明日の会議は東京駅で行います", "東京駅", true);
        check("明日の会議は東京駅で行います", "京都", false);
        check("発票已经寄出", "发票", false);
        check("发票已经寄出，请查收", "发票", true);
        check("坐电车", "车", true);
        check("电车来了", "车", true);
        check("회의록을 보냅니다", "회의록", true);
        check("Meeting 東京 station", "東京 station", true);
        check("カメラのレンズ", "レンズ", true);
    }
}
