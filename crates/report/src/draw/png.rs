//! Pictures as PNG.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::roxmltree::{Document, Node};
use resvg::usvg::{Options, Tree};

use super::error::DrawError;
use super::font;

/// Pixels for each pixel of the picture: sharp in print and on fine screens.
const SCALE: f32 = 2.0;

static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    fonts.load_font_data(font::REGULAR.to_vec());
    fonts.load_font_data(font::SEMIBOLD.to_vec());
    fonts.set_sans_serif_family("Inter");
    Arc::new(fonts)
});

/// A picture of [`svg`](super::svg()) as PNG, at twice its size. Only the font that comes along is used, so the result is
/// the same on every machine.
///
/// # Errors
///
/// [`DrawError::Characters`] if a text has characters that the font lacks: they would be left out.
/// [`DrawError::Backend`] if the text is no SVG.
pub fn png(svg: &str) -> Result<Vec<u8>, DrawError> {
    let broken = |error: &dyn std::fmt::Display| DrawError::Backend(error.to_string());
    let document = Document::parse(svg).map_err(|error| broken(&error))?;
    let missing = missing(&document);
    if !missing.is_empty() {
        return Err(DrawError::Characters(missing));
    }
    let options = Options {
        fontdb: Arc::clone(&FONTS),
        font_family: "Inter".to_owned(),
        ..Options::default()
    };
    let tree = Tree::from_xmltree(&document, &options).map_err(|error| broken(&error))?;
    let size = tree.size().to_int_size();
    let scaled = size.scale_by(SCALE).unwrap_or(size);
    let mut pixels = Pixmap::new(scaled.width(), scaled.height())
        .ok_or_else(|| broken(&"a picture without extent"))?;
    resvg::render(
        &tree,
        Transform::from_scale(SCALE, SCALE),
        &mut pixels.as_mut(),
    );
    pixels.encode_png().map_err(|error| broken(&error))
}

/// The characters of the texts that the font lacks, in their order, each once.
fn missing(document: &Document<'_>) -> String {
    let texts = document
        .descendants()
        .filter(|node| node.is_text() && shown(*node));
    let mut missing = String::new();
    for character in texts.filter_map(|node| node.text()).flat_map(str::chars) {
        if !font::covers(character) && !missing.contains(character) {
            missing.push(character);
        }
    }
    missing
}

/// Whether a text is drawn: it stands in a text element itself, not in the title of one.
fn shown(node: Node<'_, '_>) -> bool {
    node.parent()
        .is_some_and(|parent| parent.tag_name().name() == "text")
}
