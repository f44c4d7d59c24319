//! The font that comes along: how wide a text is in it, and the outlines of its glyphs.

use std::sync::LazyLock;

use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::{Face, GlyphId, OutlineBuilder, Tag};

/// Inter Regular and SemiBold, cut down; their licence lies beside them.
#[cfg(not(target_family = "wasm"))]
const FONTS: [&[u8]; 2] = [
    include_bytes!("../../fonts/Inter-Regular.otf"),
    include_bytes!("../../fonts/Inter-SemiBold.otf"),
];

/// Their widths alone, for pictures as SVG: a page, which is loaded before it is used, draws no others.
#[cfg(any(target_family = "wasm", test))]
const WIDTHS: [&[u8]; 2] = [
    include_bytes!("../../fonts/Inter-Regular-widths.otf"),
    include_bytes!("../../fonts/Inter-SemiBold-widths.otf"),
];
#[cfg(target_family = "wasm")]
const FONTS: [&[u8]; 2] = WIDTHS;

/// How heavy a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    SemiBold,
}

static FACES: LazyLock<[Face<'static>; 2]> =
    LazyLock::new(|| FONTS.map(|bytes| Face::parse(bytes, 0).expect("the embedded font is one")));

fn face(weight: Weight) -> &'static Face<'static> {
    match weight {
        Weight::Regular => &FACES[0],
        Weight::SemiBold => &FACES[1],
    }
}

/// Whether the font can draw this character.
pub(crate) fn covers(character: char) -> bool {
    let face = face(Weight::Regular);
    let has_outlines = face.tables().cff.is_some();
    character.is_whitespace() || has_outlines && face.glyph_index(character).is_some()
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

/// A text as glyphs side by side.
pub(crate) struct Run {
    /// Each glyph, and where it begins.
    pub(crate) glyphs: Vec<(GlyphId, f64)>,
    pub(crate) width: f64,
    /// The length of a unit of the font.
    pub(crate) scale: f64,
}

/// The glyphs of a text at this size, kerned: pairs such as `AV` move together, so that a run may be narrower than
/// [`width`]. Characters that the font lacks are left out.
pub(crate) fn run(text: &str, size: f64, weight: Weight) -> Run {
    let face = face(weight);
    let scale = size / f64::from(face.units_per_em());
    let mut run = Run {
        glyphs: Vec::new(),
        width: 0.0,
        scale,
    };
    for glyph in text.chars().filter_map(|c| face.glyph_index(c)) {
        if let Some((before, _)) = run.glyphs.last() {
            run.width += f64::from(kerning(face, *before, glyph)) * scale;
        }
        run.glyphs.push((glyph, run.width));
        run.width += f64::from(face.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
    }
    run
}

/// Draws the outline of a glyph, in units of the font.
pub(crate) fn outline(glyph: GlyphId, weight: Weight, pen: &mut dyn OutlineBuilder) {
    face(weight).outline_glyph(glyph, pen);
}

/// How much further apart than their widths say two glyphs stand, in units of the font: of each lookup of the feature
/// `kern` the first table that has the pair decides.
///
/// Source: OpenType 1.9, GPOS, lookup type 2.
fn kerning(face: &Face<'_>, left: GlyphId, right: GlyphId) -> i16 {
    let Some(table) = face.tables().gpos else {
        return 0;
    };
    let Some(feature) = table.features.find(Tag::from_bytes(b"kern")) else {
        return 0;
    };
    let lookups = feature.lookup_indices.into_iter();
    let lookups = lookups.filter_map(|index| table.lookups.get(index));
    let found = lookups.filter_map(|lookup| {
        let mut tables = lookup.subtables.into_iter::<PositioningSubtable<'_>>();
        tables.find_map(|table| match table {
            PositioningSubtable::Pair(pairs) => pair(&pairs, left, right),
            _ => None,
        })
    });
    found.sum()
}

/// What a table says of a pair, if it has it.
fn pair(pairs: &PairAdjustment<'_>, left: GlyphId, right: GlyphId) -> Option<i16> {
    let row = pairs.coverage().get(left)?;
    let (value, _) = match pairs {
        PairAdjustment::Format1 { sets, .. } => sets.get(row)?.get(right)?,
        PairAdjustment::Format2 {
            classes, matrix, ..
        } => matrix.get((classes.0.get(left), classes.1.get(right)))?,
    };
    Some(value.x_advance)
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
    use ttf_parser::RawFace;

    use super::{FONTS, WIDTHS, Weight, run, width, wrapped};

    /// The tables of a font that say how wide its characters are, as a font of their own.
    fn widths_of(font: &[u8]) -> Vec<u8> {
        let face = RawFace::parse(font, 0).expect("it is a font");
        let wanted = ["cmap", "head", "hhea", "hmtx", "maxp"];
        let mut records: Vec<_> = face.table_records.into_iter().collect();
        records.retain(|record| wanted.contains(&record.tag.to_string().as_str()));
        let mut head = b"OTTO\0\x05\0\0\0\0\0\0".to_vec();
        let (mut tables, begin) = (Vec::new(), head.len() + 16 * records.len());
        for record in records {
            let table = face.table(record.tag).expect("it is listed");
            let offset = u32::try_from(begin + tables.len()).expect("it is short");
            for number in [record.tag.0, record.check_sum, offset, record.length] {
                head.extend(number.to_be_bytes());
            }
            tables.extend(table);
            tables.resize(tables.len().next_multiple_of(4), 0);
        }
        head.extend(tables);
        head
    }

    /// `KEEP_PICTURES` writes them anew.
    #[test]
    fn the_widths_alone_are_those_of_the_fonts() {
        let names = ["Regular", "SemiBold"];
        for ((font, widths), name) in FONTS.into_iter().zip(WIDTHS).zip(names) {
            let made = widths_of(font);
            let root = env!("CARGO_MANIFEST_DIR");
            if std::env::var_os("KEEP_PICTURES").is_some() {
                let path = format!("{root}/fonts/Inter-{name}-widths.otf");
                std::fs::write(path, &made).expect("it can be written");
            }
            assert!(widths == made, "{name} has other widths");
            let [font, widths] = [font, widths].map(|bytes| super::Face::parse(bytes, 0).unwrap());
            for character in '\0'..=char::MAX {
                let [wide, bare] = [&font, &widths].map(|face| {
                    let glyph = face.glyph_index(character)?;
                    face.glyph_hor_advance(glyph)
                });
                assert_eq!(wide, bare, "{character:?} in {name}");
            }
        }
    }

    #[test]
    fn pairs_are_kerned() {
        let kerned = |text, weight| run(text, 1000.0, weight).width;
        let plain = |text, weight| width(text, 1000.0, weight);
        for weight in [Weight::Regular, Weight::SemiBold] {
            assert!(kerned("AV", weight) < plain("AV", weight) - 20.0);
            assert!((kerned("00", weight) - plain("00", weight)).abs() < 1e-6);
        }
    }

    #[test]
    fn no_line_ends_at_a_space_without_a_break() {
        let room = width("one two: A", 15.0, Weight::Regular) + 1.0;
        let lines = |text| wrapped(text, 15.0, Weight::Regular, room, 5);
        assert_eq!(lines("one two: A x"), ["one two: A", "x"]);
        assert_eq!(lines("one two: A\u{a0}x"), ["one two:", "A x"]);
    }
}
