//! How wide a text is in the font that comes along.

use std::sync::LazyLock;

use ttf_parser::Face;

/// Inter Regular, cut down; its licence lies beside it.
pub(crate) const REGULAR: &[u8] = include_bytes!("../../fonts/Inter-Regular.otf");
/// Inter SemiBold, likewise.
pub(crate) const SEMIBOLD: &[u8] = include_bytes!("../../fonts/Inter-SemiBold.otf");

/// How heavy a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    SemiBold,
}

static FACES: LazyLock<[Face<'static>; 2]> = LazyLock::new(|| {
    [REGULAR, SEMIBOLD].map(|bytes| Face::parse(bytes, 0).expect("the embedded font is one"))
});

fn face(weight: Weight) -> &'static Face<'static> {
    match weight {
        Weight::Regular => &FACES[0],
        Weight::SemiBold => &FACES[1],
    }
}

/// Whether the font has this character.
pub(crate) fn covers(character: char) -> bool {
    character.is_whitespace() || face(Weight::Regular).glyph_index(character).is_some()
}

/// The width of a text at this size. Characters beyond the font count as wide as they are high, as ideographs are.
pub(crate) fn width(text: &str, size: f64, weight: Weight) -> f64 {
    let face = face(weight);
    let em = f64::from(face.units_per_em());
    let advance = |character| {
        let glyph = face.glyph_index(character);
        glyph
            .and_then(|glyph| face.glyph_hor_advance(glyph))
            .map_or(1.0, |advance| f64::from(advance) / em)
    };
    text.chars().map(advance).sum::<f64>() * size
}

/// The text if it is no wider than `room`, or as much of its beginning as fits before an ellipsis.
pub(crate) fn shortened(text: &str, size: f64, weight: Weight, room: f64) -> String {
    // Room that was measured by the text itself is enough.
    if width(text, size, weight) <= room + 0.01 {
        return text.to_owned();
    }
    let mut short = text.to_owned();
    while short.pop().is_some() {
        let candidate = format!("{}…", short.trim_end_matches([' ', ',', ';', ':']));
        if width(&candidate, size, weight) <= room {
            return candidate;
        }
    }
    "…".to_owned()
}

/// The space at which no line ends.
const NO_BREAK: char = '\u{a0}';

/// The text in lines no wider than `room`, broken at spaces where there are any, but for those without a break. Beyond `most` lines it is shortened.
pub(crate) fn wrapped(
    text: &str,
    size: f64,
    weight: Weight,
    room: f64,
    most: usize,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let parts = |c: char| c.is_whitespace() && c != NO_BREAK;
    let words = text.rsplit(parts).filter(|word| !word.is_empty());
    let mut rest: Vec<String> = words.map(|word| word.replace(NO_BREAK, " ")).collect();
    while let Some(word) = rest.pop() {
        let mut line = word;
        if lines.len() + 1 == most {
            let tail = std::iter::once(line).chain(rest.drain(..).rev());
            line = tail.collect::<Vec<String>>().join(" ");
        }
        while let Some(next) = rest.last() {
            let longer = format!("{line} {next}");
            if width(&longer, size, weight) > room {
                break;
            }
            line = longer;
            rest.pop();
        }
        lines.push(shortened(&line, size, weight, room));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Weight, width, wrapped};

    #[test]
    fn no_line_ends_at_a_space_without_a_break() {
        let room = width("one two: A", 15.0, Weight::Regular) + 1.0;
        let lines = |text| wrapped(text, 15.0, Weight::Regular, room, 5);
        assert_eq!(lines("one two: A x"), ["one two: A", "x"]);
        assert_eq!(lines("one two: A\u{a0}x"), ["one two:", "A x"]);
    }
}
