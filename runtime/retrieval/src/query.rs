//! What somebody typed: plain words, and phrases in quotes. No other syntax: `-`, `:`, `*`, `OR` are letters like any.

use oaken_core::{Error, Fault, Result};
use oaken_mail::index::terms;

/// The full-text expression of a query: every word and phrase must occur.
///
/// # Errors
/// `invalid_input` at `/query` where nothing in it can be searched for.
pub(crate) fn expression(query: &str) -> Result<String> {
    let parts: Vec<String> = pieces(query).into_iter().filter_map(terms::for_query).collect();
    if parts.is_empty() {
        return Err(Error::invalid(vec![
            Fault::new("/query", "holds no word").accepts("words, and phrases in double quotes", vec![]),
        ]));
    }
    Ok(parts.join(" AND "))
}

/// The words, and the phrases between quotes; a quote that nobody closed goes to the end.
fn pieces(query: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    for (n, part) in query.split(is_quote).enumerate() {
        if n % 2 == 1 {
            pieces.push(part);
        } else {
            pieces.extend(part.split_whitespace());
        }
    }
    pieces
}

/// Double quotes, also as keyboards and word processors make them.
fn is_quote(c: char) -> bool {
    matches!(
        c,
        '"' | '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{ff02}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use oaken_core::Code;

    #[track_caller]
    fn check(query: &str, expected: &str) {
        assert_eq!(expression(query).expect(query), expected);
    }

    #[test]
    fn words_must_all_occur_and_quotes_make_phrases() {
        check("invoice", r#""invoice""#);
        check("  invoice \t march ", r#""invoice" AND "march""#);
        check(r#""by Friday""#, r#""by Friday""#);
        check(
            r#"report "by Friday" soon"#,
            r#""report" AND "by Friday" AND "soon""#,
        );
        check("„bis Freitag“ Bericht", r#""bis Freitag" AND "Bericht""#);
        check(r#"open "to the end"#, r#""open" AND "to the end""#);
        check("会議 東京駅", r#""会議" AND "東京 京駅""#);
    }

    #[test]
    fn nothing_typed_is_syntax() {
        check("-draft", r#""-draft""#);
        check("subject:x", r#""subject:x""#);
        check("in*", r#""in*""#);
        check("a OR b", r#""a" AND "OR" AND "b""#);
        check("NEAR(a, b)", r#""NEAR(a," AND "b)""#);
        check("^a + {b}", r#""^a" AND "{b}""#);
    }

    #[test]
    fn a_query_without_a_word_is_said_at_its_field() {
        for query in ["", "   ", "\"\"", "\"", "... - *", "“ ”", "\0"] {
            let refused = expression(query).expect_err("nothing to search for");
            assert_eq!(refused.code(), Code::InvalidInput);
            assert_eq!(refused.faults()[0].field, "/query");
        }
    }
}
