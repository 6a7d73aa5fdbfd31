//! Whether a person would see the text of an element: what it declares, and what that makes of its parent's style.
//! Absent: layout. An element that others cover, or that a picture makes unreadable, counts as visible.

use html5ever::Attribute;

use super::{
    attr,
    color::{self, BLACK, Color, Rgb, WHITE},
    css::Declaration,
};

/// Text smaller than this is seen by nobody.
const MIN_FONT_PX: f32 = 2.0;
/// Text fainter than this is seen by nobody.
const MIN_OPACITY: f32 = 0.05;
/// Boxes moved further than this are outside of any window.
const FAR_PX: f32 = -900.0;

/// What an element itself declares; what is not declared is inherited.
#[derive(Clone, Debug, Default)]
pub(super) struct Declared {
    /// It hides all it contains, whatever that declares.
    gone: bool,
    visible: Option<bool>,
    font: Option<Length>,
    color: Option<Color>,
    background: Option<Color>,
    opacity: Option<f32>,
    /// Whitespace is kept.
    pub pre: Option<bool>,
}

/// A font size: absolute, or times the parent's.
#[derive(Clone, Copy, Debug)]
enum Length {
    Px(f32),
    Times(f32),
}

/// The style of an element in its place.
#[derive(Clone, Debug)]
pub(super) struct Style {
    gone: bool,
    visible: bool,
    font_px: f32,
    opacity: f32,
    color: Option<Rgb>,
    is_ink_transparent: bool,
    background: Option<Rgb>,
    pub pre: bool,
}

impl Style {
    /// Black on white at 16 px.
    pub(super) const ROOT: Self = Self {
        gone: false,
        visible: true,
        font_px: 16.0,
        opacity: 1.0,
        color: Some(BLACK),
        is_ink_transparent: false,
        background: Some(WHITE),
        pre: false,
    };

    /// The style of a child that declares this.
    pub(super) fn child(&self, declared: &Declared) -> Self {
        let (color, is_ink_transparent) = match declared.color {
            None => (self.color, self.is_ink_transparent),
            Some(Color::Known(rgb)) => (Some(rgb), false),
            Some(Color::Transparent) => (None, true),
            Some(Color::Unknown) => (None, false),
        };
        Self {
            gone: self.gone || declared.gone,
            visible: declared.visible.unwrap_or(self.visible),
            font_px: match declared.font {
                None => self.font_px,
                Some(Length::Px(px)) => px,
                Some(Length::Times(factor)) => self.font_px * factor,
            },
            opacity: self.opacity * declared.opacity.unwrap_or(1.0),
            color,
            is_ink_transparent,
            background: match declared.background {
                None | Some(Color::Transparent) => self.background,
                Some(Color::Known(rgb)) => Some(rgb),
                Some(Color::Unknown) => None,
            },
            pre: declared.pre.unwrap_or(self.pre),
        }
    }

    /// Whether a person would not see text here.
    pub(super) fn is_hidden(&self) -> bool {
        let same = self
            .color
            .zip(self.background)
            .is_some_and(|(ink, paper)| color::is_same(ink, paper));
        self.gone
            || !self.visible
            || self.font_px < MIN_FONT_PX
            || self.opacity < MIN_OPACITY
            || self.is_ink_transparent
            || same
    }
}

/// Reads what an element declares: attributes, sheet, `style`, in the order of the cascade.
pub(super) fn declared(
    tag: &str,
    attrs: &[Attribute],
    sheet: &[&Declaration],
    inline: &[Declaration],
) -> Declared {
    let mut declared = Declared::default();
    if tag == "pre" || tag == "textarea" || tag == "plaintext" || tag == "xmp" {
        declared.pre = Some(true);
    }
    for (name, is_ink) in [
        ("bgcolor", false),
        ("text", true),
        ("color", true),
        ("background", false),
    ] {
        let is_meant = name != "text" || tag == "body";
        let Some(value) = attr(attrs, name).filter(|_| is_meant) else {
            continue;
        };
        let value = if name == "background" {
            Color::Unknown
        } else {
            color::parse(value)
        };
        if is_ink {
            declared.color = Some(value)
        } else {
            declared.background = Some(value)
        }
    }
    // `hidden` is a display:none that any author style overrides.
    let none = attr(attrs, "hidden").is_some() || tag == "dialog" && attr(attrs, "open").is_none();
    let mut layout = Layout {
        none,
        ..Layout::default()
    };
    let normal = sheet.iter().copied().chain(inline).filter(|d| !d.important);
    let important = sheet.iter().copied().chain(inline).filter(|d| d.important);
    for declaration in normal.chain(important) {
        apply(&mut declared, &mut layout, declaration);
    }
    declared.gone = layout.hides() || is_dropped(tag);
    declared
}

/// Elements whose content mail programs take out.
fn is_dropped(tag: &str) -> bool {
    matches!(tag, "template" | "svg" | "math" | "applet" | "datalist" | "rp")
}

/// The properties that hide a box only together.
#[derive(Default)]
struct Layout {
    none: bool,
    width: Option<f32>,
    height: Option<f32>,
    clips: bool,
    is_absolute: bool,
    left: f32,
    top: f32,
    margin: f32,
    indent: f32,
    is_clipped_away: bool,
    is_scaled_away: bool,
}

impl Layout {
    fn hides(&self) -> bool {
        let is_tiny = |size: Option<f32>| size.is_some_and(|px| px <= 1.0);
        self.none
            || self.clips && (is_tiny(self.width) || is_tiny(self.height))
            || self.is_absolute && (self.left < FAR_PX || self.top < FAR_PX || self.is_clipped_away)
            || self.margin < FAR_PX
            || self.indent < FAR_PX
            || self.is_scaled_away
    }
}

fn apply(declared: &mut Declared, layout: &mut Layout, declaration: &Declaration) {
    let value = declaration.value.as_str();
    let px = || length_px(value);
    match declaration.property {
        "display" => layout.none = value == "none",
        "visibility" => declared.visible = Some(!matches!(value, "hidden" | "collapse")),
        "opacity" => declared.opacity = opacity(value),
        "font-size" => declared.font = font_size(value).or(declared.font),
        "font" => declared.font = value.split([' ', '/']).find_map(font_size).or(declared.font),
        "color" | "-webkit-text-fill-color" if value != "inherit" => {
            declared.color = Some(color::parse(value))
        }
        "background" | "background-color" | "background-image" => {
            background(declared, declaration.property, value)
        }
        "width" | "max-width" => layout.width = px().or(layout.width.filter(|_| value != "auto")),
        "height" | "max-height" => layout.height = px().or(layout.height.filter(|_| value != "auto")),
        "overflow" | "overflow-x" | "overflow-y" => {
            layout.clips = value.contains("hidden") || value.contains("clip")
        }
        "position" => layout.is_absolute = matches!(value, "absolute" | "fixed" | "relative"),
        "left" => layout.left = px().unwrap_or(0.0),
        "right" => {
            layout.left = px().map_or(
                layout.left,
                |v| if v > -FAR_PX { FAR_PX * 2.0 } else { layout.left },
            )
        }
        "top" => layout.top = px().unwrap_or(0.0),
        "margin-left" | "margin-top" => layout.margin = px().unwrap_or(0.0),
        "text-indent" => layout.indent = px().unwrap_or(0.0),
        "clip" => layout.is_clipped_away = is_empty_rect(value),
        "clip-path" => {
            layout.is_scaled_away |=
                value.contains("inset(100%") || value.contains("inset(50%") || value.contains("circle(0")
        }
        "transform" => {
            layout.is_scaled_away |= value.contains("scale(0)")
                || value.contains("scale(0,")
                || value.contains("scalex(0)")
                || value.contains("scaley(0)")
        }
        "white-space" => declared.pre = Some(value.starts_with("pre") && value != "pre-line"),
        _ => {}
    }
}

fn background(declared: &mut Declared, property: &str, value: &str) {
    // Behind a picture or a gradient any ink may be readable.
    if value.contains("url(") || value.contains("gradient(") {
        declared.background = Some(Color::Unknown);
    } else if property == "background-image" {
        // `none` says nothing about the colour.
    } else {
        let whole = color::parse(value);
        let of_words = || {
            value
                .split_whitespace()
                .map(color::parse)
                .find(|c| *c != Color::Unknown)
        };
        declared.background = if whole == Color::Unknown {
            of_words().or(declared.background)
        } else {
            Some(whole)
        };
    }
}

/// `rect(0 0 0 0)`, `rect(1px, 1px, 1px, 1px)`: a box without area.
fn is_empty_rect(value: &str) -> bool {
    let Some(inner) = value.strip_prefix("rect(").and_then(|v| v.strip_suffix(')')) else {
        return false;
    };
    let sides: Vec<_> = inner
        .split([',', ' '])
        .filter(|s| !s.is_empty())
        .map(length_px)
        .collect();
    sides.len() == 4 && sides.iter().all(|side| side.is_some_and(|px| px <= 1.0))
}

fn font_size(value: &str) -> Option<Length> {
    if let Some(percent) = value.strip_suffix('%') {
        return number(percent).map(|n| Length::Times(n / 100.0));
    }
    if let Some(em) = value.strip_suffix("em").filter(|v| !v.ends_with('r')) {
        return number(em).map(Length::Times);
    }
    match value {
        "xx-small" | "x-small" | "small" | "medium" | "large" | "x-large" | "xx-large" => {
            Some(Length::Px(12.0))
        }
        _ => length_px(value).map(Length::Px),
    }
}

/// A length in pixels; none for percentages, `auto` and what is not understood.
pub(super) fn length_px(value: &str) -> Option<f32> {
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match value.get(digits.len()..)? {
        "px" | "" => 1.0,
        "pt" => 4.0 / 3.0,
        "em" | "rem" | "pc" => 16.0,
        "ex" | "ch" => 8.0,
        "cm" => 37.8,
        "mm" => 3.78,
        "in" => 96.0,
        "vw" | "vh" => 10.0,
        _ => return None,
    };
    number(digits).map(|n| n * factor)
}

fn number(value: &str) -> Option<f32> {
    value.trim().parse::<f32>().ok().filter(|n| n.is_finite())
}

fn opacity(value: &str) -> Option<f32> {
    match value.strip_suffix('%') {
        Some(percent) => number(percent).map(|n| n / 100.0),
        None => number(value),
    }
}

impl Style {
    /// Whether a person would not see a picture here. Ink and font size do nothing to pictures; cells of font size
    /// 0 are the usual way to close the gaps between them.
    pub(super) fn hides_pictures(&self) -> bool {
        self.gone || !self.visible || self.opacity < MIN_OPACITY
    }
}
