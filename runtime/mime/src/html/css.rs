//! CSS declarations, as far as they can hide text.
//! Absent: variables, `calc()`, units of layout. A value that is not understood says nothing.

/// The properties that matter here.
const PROPERTIES: &[&str] = &[
    "display",
    "visibility",
    "opacity",
    "font-size",
    "font",
    "color",
    "background",
    "background-color",
    "background-image",
    "width",
    "height",
    "max-width",
    "max-height",
    "overflow",
    "overflow-x",
    "overflow-y",
    "position",
    "left",
    "right",
    "top",
    "margin-left",
    "margin-top",
    "text-indent",
    "clip",
    "clip-path",
    "transform",
    "white-space",
    "-webkit-text-fill-color",
];

/// One declaration; names and values in lower case.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Declaration {
    pub property: &'static str,
    pub value: String,
    pub important: bool,
}

/// Reads `a: b; c: d !important`, keeping what matters here.
pub(super) fn declarations(style: &str) -> Vec<Declaration> {
    let style = without_comments(style);
    let mut found = Vec::new();
    for piece in style.split(';').take(200) {
        let Some((name, value)) = piece.split_once(':') else {
            continue;
        };
        let name = name.trim().to_ascii_lowercase();
        let Some(property) = PROPERTIES.iter().find(|p| **p == name) else {
            continue;
        };
        let value = value.trim().to_ascii_lowercase();
        let (value, important) = match value.rsplit_once('!') {
            Some((value, word)) if word.trim() == "important" => (value.trim().to_owned(), true),
            _ => (value, false),
        };
        found.push(Declaration {
            property,
            value,
            important,
        });
    }
    found
}

/// CSS without its comments; one that never ends takes all the rest.
pub(super) fn without_comments(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, tail)| tail);
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_keep_importance_and_survive_rubbish() {
        let found = declarations("DISPLAY : None ! Important;;x;:;color:/**/red");
        let list: Vec<_> = found
            .iter()
            .map(|d| (d.property, d.value.as_str(), d.important))
            .collect();
        assert_eq!(list, [("display", "none", true), ("color", "red", false)]);
    }
}
