//! CSS colours, as far as mail uses them to hide text. Absent: hsl, lab, gradients, system colours; they are unknown.

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rgb(pub u8, pub u8, pub u8);

pub(super) const BLACK: Rgb = Rgb(0, 0, 0);
pub(super) const WHITE: Rgb = Rgb(255, 255, 255);

/// A colour value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Color {
    Known(Rgb),
    Transparent,
    /// Not understood: nothing is concluded from it.
    Unknown,
}

/// Reads a colour as CSS or as an HTML attribute.
pub(super) fn parse(value: &str) -> Color {
    let value = value.trim().to_ascii_lowercase();
    if value == "transparent" {
        return Color::Transparent;
    }
    let known = if let Some(hex) = value.strip_prefix('#') {
        return hex_color(hex);
    } else if let Some(rest) = value.strip_prefix("rgb") {
        return function(rest);
    } else {
        named(&value)
    };
    match known {
        Some(rgb) => Color::Known(rgb),
        // `bgcolor=ffffff`, without its mark, is common.
        None if value.len() == 6 => hex_color(&value),
        None => Color::Unknown,
    }
}

/// Whether one cannot be read on the other.
pub(super) fn is_same(a: Rgb, b: Rgb) -> bool {
    let sum = u32::from(a.0.abs_diff(b.0)) + u32::from(a.1.abs_diff(b.1)) + u32::from(a.2.abs_diff(b.2));
    sum <= 30
}

fn hex_color(hex: &str) -> Color {
    let digits: Option<Vec<u8>> = hex
        .chars()
        .map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok()))
        .collect();
    let Some(d) = digits else { return Color::Unknown };
    match d.as_slice() {
        [_, _, _, 0] | [_, _, _, _, _, _, 0, 0] => Color::Transparent,
        [r, g, b] | [r, g, b, _] => Color::Known(Rgb(r * 17, g * 17, b * 17)),
        [r, s, g, h, b, c] | [r, s, g, h, b, c, _, _] => {
            Color::Known(Rgb(r * 16 + s, g * 16 + h, b * 16 + c))
        }
        _ => Color::Unknown,
    }
}

/// What follows `rgb`: `(1, 2, 3)`, `a(1,2,3,.5)`, `(1 2 3 / 0)`.
fn function(rest: &str) -> Color {
    let inner = rest
        .trim_start_matches('a')
        .trim_start_matches('(')
        .trim_end_matches(')');
    let part = |p: &str, scale: f32| {
        let percent = p.strip_suffix('%');
        let number: Option<f32> = percent.unwrap_or(p).trim().parse().ok();
        number.map(|n| if percent.is_some() { n * scale / 100.0 } else { n })
    };
    let pieces: Vec<&str> = inner.split([',', ' ', '/']).filter(|p| !p.is_empty()).collect();
    let values: Vec<Option<f32>> = pieces
        .iter()
        .enumerate()
        .map(|(i, p)| part(p, if i < 3 { 255.0 } else { 1.0 }))
        .collect();
    match values.as_slice() {
        [_, _, _, Some(alpha)] if *alpha < 0.05 => Color::Transparent,
        [Some(r), Some(g), Some(b)] | [Some(r), Some(g), Some(b), Some(_)] => {
            let byte = |v: &f32| v.clamp(0.0, 255.0) as u8;
            Color::Known(Rgb(byte(r), byte(g), byte(b)))
        }
        _ => Color::Unknown,
    }
}

/// The basic names, and all that are so light or so dark that text in them can hide.
const NAMES: &[(&str, u32)] = &[
    ("aliceblue", 0xf0f8ff),
    ("antiquewhite", 0xfaebd7),
    ("aqua", 0x00ffff),
    ("azure", 0xf0ffff),
    ("beige", 0xf5f5dc),
    ("bisque", 0xffe4c4),
    ("black", 0x000000),
    ("blanchedalmond", 0xffebcd),
    ("blue", 0x0000ff),
    ("cornsilk", 0xfff8dc),
    ("cyan", 0x00ffff),
    ("darkblue", 0x00008b),
    ("darkgray", 0xa9a9a9),
    ("darkgreen", 0x006400),
    ("darkgrey", 0xa9a9a9),
    ("darkred", 0x8b0000),
    ("dimgray", 0x696969),
    ("floralwhite", 0xfffaf0),
    ("fuchsia", 0xff00ff),
    ("gainsboro", 0xdcdcdc),
    ("ghostwhite", 0xf8f8ff),
    ("gray", 0x808080),
    ("green", 0x008000),
    ("grey", 0x808080),
    ("honeydew", 0xf0fff0),
    ("ivory", 0xfffff0),
    ("lavender", 0xe6e6fa),
    ("lavenderblush", 0xfff0f5),
    ("lemonchiffon", 0xfffacd),
    ("lightcyan", 0xe0ffff),
    ("lightgoldenrodyellow", 0xfafad2),
    ("lightgray", 0xd3d3d3),
    ("lightgrey", 0xd3d3d3),
    ("lightyellow", 0xffffe0),
    ("lime", 0x00ff00),
    ("linen", 0xfaf0e6),
    ("magenta", 0xff00ff),
    ("maroon", 0x800000),
    ("mintcream", 0xf5fffa),
    ("mistyrose", 0xffe4e1),
    ("navy", 0x000080),
    ("oldlace", 0xfdf5e6),
    ("olive", 0x808000),
    ("orange", 0xffa500),
    ("papayawhip", 0xffefd5),
    ("purple", 0x800080),
    ("red", 0xff0000),
    ("seashell", 0xfff5ee),
    ("silver", 0xc0c0c0),
    ("snow", 0xfffafa),
    ("teal", 0x008080),
    ("white", 0xffffff),
    ("whitesmoke", 0xf5f5f5),
    ("yellow", 0xffff00),
];

fn named(name: &str) -> Option<Rgb> {
    let (_, value) = NAMES.iter().find(|(known, _)| *known == name)?;
    let [_, r, g, b] = value.to_be_bytes();
    Some(Rgb(r, g, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expected: Color) {
        assert_eq!(parse(value), expected, "{value}");
    }

    #[test]
    fn colours_in_their_spellings() {
        check(" #FFF", Color::Known(WHITE));
        check("#fefefe", Color::Known(Rgb(254, 254, 254)));
        check("ffffff", Color::Known(WHITE));
        check("Snow", Color::Known(Rgb(255, 250, 250)));
        check("rgb(255, 255, 255)", Color::Known(WHITE));
        check("rgb(100% 100% 100% / 50%)", Color::Known(WHITE));
        check("rgba(0,0,0,0)", Color::Transparent);
        check("#12345600", Color::Transparent);
        check("transparent", Color::Transparent);
        check("url(x.png)", Color::Unknown);
        check("#ggg", Color::Unknown);
        check("rgb(", Color::Unknown);
        assert!(
            is_same(WHITE, Rgb(246, 246, 246))
                && !is_same(WHITE, Rgb(204, 204, 204))
                && !is_same(WHITE, BLACK)
        );
    }
}
