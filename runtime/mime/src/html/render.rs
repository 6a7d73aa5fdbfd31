//! Writes visible text: whitespace folded, blocks as lines, cells of a row with bars between them, quotes with `> `.
//! Append only: what is written is never taken back, so that a link knows its text by where it began.

use super::HIDDEN_MARKER;
use crate::clean::{clean_line, is_invisible};

/// Deeper quotes and lists are indented no further.
const MAX_INDENT: usize = 10;
/// An address longer than this is cut, with the number of characters left out.
const MAX_URL_CHARS: usize = 2000;
/// A picture's alternative text longer than this is cut.
const MAX_ALT_CHARS: usize = 500;

/// The text so far, and what is due before the next visible character.
#[derive(Debug, Default)]
pub(super) struct Writer {
    text: String,
    breaks: usize,
    spaces: usize,
    cell: bool,
    is_line_started: bool,
    bullet: String,
    after_marker: bool,
    pub quotes: usize,
    pub lists: usize,
    pub hidden: bool,
}

impl Writer {
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// At least so many line ends before what comes next.
    pub(super) fn lines(&mut self, breaks: usize) {
        if breaks == 0 {
            return;
        }
        // A paragraph that begins an item stands beside its bullet.
        let breaks = if self.bullet.is_empty() { breaks } else { 1 };
        self.breaks = self.breaks.max(breaks);
        self.spaces = 0;
        self.cell = false;
    }

    /// One more line end, as `<br>` and preformatted text have it.
    pub(super) fn line_end(&mut self) {
        self.breaks = (self.breaks + 1).min(3);
        self.spaces = 0;
    }

    /// A cell begins: a bar, if there is something before it in its line.
    pub(super) fn cell(&mut self) {
        self.cell = self.is_line_started && self.breaks == 0;
    }

    /// A list item begins.
    pub(super) fn bullet(&mut self, bullet: String) {
        self.lines(1);
        self.bullet = bullet;
    }

    pub(super) fn rule(&mut self) {
        self.lines(1);
        self.put_str("----------");
        self.lines(1);
    }

    /// Visible text.
    pub(super) fn text(&mut self, text: &str, is_pre: bool) {
        for c in text.chars() {
            match c {
                '\n' if is_pre => self.line_end(),
                _ if c.is_whitespace() && is_pre => self.spaces = (self.spaces + 1).min(200),
                _ if c.is_whitespace() => self.spaces = usize::from(self.is_line_started && self.breaks == 0),
                _ if is_invisible(c) && (!self.is_line_started || self.breaks > 0) => {}
                _ => self.put(c),
            }
        }
    }

    /// Text that a person would not see.
    pub(super) fn hidden_text(&mut self, text: &str) {
        let says_something = text.chars().any(|c| !c.is_whitespace() && !is_invisible(c));
        if !says_something {
            return;
        }
        self.hidden = true;
        if !self.after_marker {
            self.space();
            self.put_str(HIDDEN_MARKER);
            self.after_marker = true;
        }
        self.space();
    }

    /// A picture, by its alternative text.
    pub(super) fn image(&mut self, alt: &str) {
        let alt = clean_line(alt).text.replace('[', "(").replace(']', ")");
        self.space();
        if alt.is_empty() {
            self.put_str("[image]");
        } else {
            self.put_str(&format!("[image: {}]", cut(&alt, MAX_ALT_CHARS)));
        }
        self.space();
    }

    /// The target of a link whose text began at `start`.
    pub(super) fn link(&mut self, start: usize, href: &str) {
        let shown = self.text.get(start..).unwrap_or_default().trim().to_owned();
        if shown.is_empty() {
            return;
        }
        let Some(url) = Url::read(href) else { return };
        let plain = |s: &str| {
            let s = s.trim_end_matches('/').to_lowercase();
            let s = s.strip_prefix("mailto:").unwrap_or(&s);
            s.strip_prefix("https://")
                .or(s.strip_prefix("http://"))
                .unwrap_or(s)
                .to_owned()
        };
        if plain(&shown) == plain(&url.text) {
            return;
        }
        self.spaces = 1;
        self.breaks = 0;
        self.put_str(&format!("<{}>", cut(&url.text, MAX_URL_CHARS)));
        if host_of_text(&shown).is_some_and(|said| !is_same_site(&said, &url.host)) {
            self.put_str(" [this link goes to another host than its text says]");
        }
    }

    fn space(&mut self) {
        if self.is_line_started && self.breaks == 0 {
            self.spaces = self.spaces.max(1);
        }
    }

    fn put_str(&mut self, text: &str) {
        text.chars().for_each(|c| self.put(c));
    }

    fn put(&mut self, c: char) {
        if self.breaks > 0 || self.text.is_empty() {
            if !self.text.is_empty() {
                self.text.extend(std::iter::repeat_n('\n', self.breaks));
            }
            self.breaks = 0;
            self.cell = false;
            self.is_line_started = true;
            self.text
                .extend(std::iter::repeat_n("> ", self.quotes.min(MAX_INDENT)));
            let depth = self.lists.saturating_sub(1).min(MAX_INDENT);
            self.text.extend(std::iter::repeat_n("  ", depth));
            let bullet = std::mem::take(&mut self.bullet);
            self.text.push_str(&bullet);
            if !bullet.is_empty() {
                self.spaces = 0;
            }
        }
        if std::mem::take(&mut self.cell) {
            self.text.push_str(" | ");
            self.spaces = 0;
        }
        self.text
            .extend(std::iter::repeat_n(' ', std::mem::take(&mut self.spaces)));
        self.text.push(c);
        self.after_marker = false;
    }

    pub(super) fn finish(self) -> (String, bool) {
        (self.text, self.hidden)
    }
}

/// A link target as it is shown.
struct Url {
    text: String,
    host: String,
}

impl Url {
    /// Reads an absolute target; none for what leads nowhere outside of the mail. Browsers ignore tabs and line
    /// ends in it; blanks and angle brackets are escaped, so that it cannot end its own `<>`.
    fn read(href: &str) -> Option<Self> {
        let href: String = href
            .trim()
            .chars()
            .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
            .collect();
        let (scheme, rest) = href.split_once(':')?;
        let scheme = scheme.to_ascii_lowercase();
        let is_scheme = !scheme.is_empty()
            && scheme
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
        if !is_scheme {
            return None;
        }
        if !matches!(
            scheme.as_str(),
            "http" | "https" | "mailto" | "tel" | "ftp" | "ftps" | "sms" | "webcal"
        ) {
            return Some(Self {
                text: format!("{scheme}: link"),
                host: String::new(),
            });
        }
        let mut text = format!("{scheme}:");
        for c in rest.chars() {
            if c.is_whitespace() || c.is_control() || is_invisible(c) || matches!(c, '<' | '>' | '"') {
                let mut bytes = [0; 4];
                c.encode_utf8(&mut bytes)
                    .bytes()
                    .for_each(|b| text.push_str(&format!("%{b:02X}")));
            } else {
                text.push(c);
            }
        }
        let host = if scheme.starts_with("http") {
            host(rest)
        } else {
            String::new()
        };
        Some(Self { text, host })
    }
}

/// The host of what follows `https:`; the part before an `@` is no host.
fn host(rest: &str) -> String {
    let authority = rest
        .trim_start_matches(['/', '\\'])
        .split(['/', '\\', '?', '#'])
        .next()
        .unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    host.split(':').next().unwrap_or_default().to_lowercase()
}

/// The host that a text claims, if it is a web address in one word.
fn host_of_text(text: &str) -> Option<String> {
    let text = text.trim_matches(|c: char| "<>()[]\"'.,".contains(c));
    if text.contains(char::is_whitespace) || text.contains('@') && !text.contains("://") {
        return None;
    }
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let host = host(rest);
    let labels: Vec<&str> = host.split('.').collect();
    let last = labels.last().copied().unwrap_or_default();
    let is_host = labels.len() > 1
        && labels
            .iter()
            .all(|l| !l.is_empty() && l.chars().all(|c| c.is_alphanumeric() || c == '-'))
        && last.chars().count() > 1
        && last.chars().all(char::is_alphabetic);
    // `report.pdf` is a file name more often than a host.
    let is_file = !text.contains('/')
        && matches!(
            last,
            "pdf" | "doc" | "docx" | "xlsx" | "txt" | "zip" | "html" | "js"
        );
    (is_host && !is_file).then_some(host)
}

/// The same host, or one under the other.
fn is_same_site(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim_start_matches("www."), b.trim_start_matches("www."));
    let under = |a: &str, b: &str| {
        a.strip_suffix(b)
            .is_some_and(|head| head.is_empty() || head.ends_with('.'))
    };
    !b.is_empty() && (under(a, b) || under(b, a))
}

fn cut(text: &str, max: usize) -> String {
    let count = text.chars().count();
    if count <= max {
        return text.to_owned();
    }
    let head: String = text.chars().take(max).collect();
    format!("{head}… ({} more characters)", count - max)
}
