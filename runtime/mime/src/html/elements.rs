//! What kinds of elements there are, in the words of the HTML standard's tree builder.
//! Absent: forms and frames, which change nothing about what is seen.

/// What the tree builder calls formatting: closed only by their own end tags.
pub(super) const FORMATTING: &[&str] = &[
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];
/// Block elements: they end a paragraph, and stand in lines of their own.
pub(super) const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dd",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "li",
    "listing",
    "main",
    "menu",
    "nav",
    "ol",
    "p",
    "plaintext",
    "pre",
    "search",
    "section",
    "summary",
    "table",
    "ul",
    "xmp",
];
/// Elements that stop the search for the element that an end tag closes.
pub(super) const SCOPES: &[&str] = &[
    "applet", "caption", "html", "table", "td", "th", "marquee", "object", "template", "body",
];
pub(super) const TABLE_PARTS: &[&str] = &["td", "th", "tr", "tbody", "thead", "tfoot", "caption", "colgroup"];
pub(super) const VOID: &[&str] = &[
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen",
    "link", "meta", "param", "source", "track", "wbr", "image",
];

/// Elements whose content is no text of the message: it is dropped without a word.
pub(super) const SILENT: &[&str] = &["script", "style", "title", "iframe", "noembed", "noframes"];

/// Whether a name is in a list.
pub(super) fn is_any(name: &str, list: &[&str]) -> bool {
    list.contains(&name)
}

/// How many line ends stand before and after an element.
pub(super) fn line_ends(tag: &str) -> usize {
    match tag {
        "p" | "blockquote" | "pre" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "dl" | "ul" | "ol"
        | "listing" => 2,
        "tr" | "caption" | "body" | "option" | "legend" | "thead" | "tbody" | "tfoot" => 1,
        _ if is_any(tag, BLOCKS) => 1,
        _ => 0,
    }
}
