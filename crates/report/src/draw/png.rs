//! Shapes as PNG.

use tiny_skia::{
    FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};

use super::canvas::{Anchor, BASELINE, Kind, Notes, Shape, Text, UNITS, WIDTH};
use super::error::DrawError;
use super::font;

/// Pixels for each pixel of the picture: sharp in print and on fine screens.
const SCALE: f64 = 2.0;

/// The picture as PNG, at twice its size. Only the font that comes along is used, so the result is the same on every
/// machine.
///
/// # Errors
/// [`DrawError::Characters`] if a text has characters that the font lacks: they would be left out.
/// [`DrawError::Backend`] if the picture is too high for the pixels to be held.
pub(crate) fn write(shapes: &[Shape], height: f64) -> Result<Vec<u8>, DrawError> {
    let missing = missing(shapes);
    if !missing.is_empty() {
        return Err(DrawError::Characters(missing));
    }
    let mut image = Pixmap::new(pixels(WIDTH), pixels(height))
        .ok_or_else(|| DrawError::Backend("it has no extent, or too much".to_owned()))?;
    for shape in shapes {
        draw(&mut image, shape);
    }
    { image.encode_png() }.map_err(|error| DrawError::Backend(error.to_string()))
}

/// How many pixels of the file a length takes.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn pixels(length: f64) -> u32 {
    (length.ceil() * SCALE) as u32
}

/// The characters of the texts that the font lacks, in their order, each once.
fn missing(shapes: &[Shape]) -> String {
    let texts = shapes.iter().filter_map(|shape| match &shape.kind {
        Kind::Text(text) => Some(text.text.as_str()),
        _ => None,
    });
    let mut missing = String::new();
    for character in texts.flat_map(str::chars) {
        if !font::covers(character) && !missing.contains(character) {
            missing.push(character);
        }
    }
    missing
}

/// Fills a shape, or strokes its outline. A shape without extent leaves no mark.
fn draw(image: &mut Pixmap, shape: &Shape) {
    let (path, place) = match &shape.kind {
        Kind::Text(text) => (outlines(text), place(text)),
        kind => (path(kind), Transform::identity()),
    };
    let Some(path) = path else { return };
    let mut paint = Paint::default();
    paint.set_color_rgba8(shape.color.0, shape.color.1, shape.color.2, u8::MAX);
    let to_pixels = narrow(SCALE / UNITS);
    let transform = Transform::from_scale(to_pixels, to_pixels).pre_concat(place);
    match shape.outline {
        None => image.fill_path(&path, &paint, FillRule::Winding, transform, None),
        Some(width) => {
            let stroke = stroke(width, &shape.notes);
            image.stroke_path(&path, &paint, &stroke, transform, None);
        }
    }
}

/// A shape but for texts as a path, in units. None if it has no extent.
fn path(kind: &Kind) -> Option<Path> {
    let point = |(x, y): (i32, i32)| (narrow(f64::from(x)), narrow(f64::from(y)));
    match kind {
        Kind::Rect(from, to) => {
            let ((left, top), (right, bottom)) = (point(*from), point(*to));
            Rect::from_ltrb(left, top, right, bottom).map(PathBuilder::from_rect)
        }
        Kind::Circle(centre, radius) => {
            let (x, y) = point(*centre);
            PathBuilder::from_circle(x, y, narrow(f64::from(*radius)))
        }
        Kind::Path(points) | Kind::Polygon(points) => {
            let mut path = PathBuilder::new();
            for (i, (x, y)) in points.iter().copied().map(point).enumerate() {
                match i {
                    0 => path.move_to(x, y),
                    _ => path.line_to(x, y),
                }
            }
            path.finish()
        }
        Kind::Text(_) => None,
    }
}

fn stroke(width: u32, notes: &Notes) -> Stroke {
    let dashes: Vec<f32> = notes.dash.iter().map(|dash| narrow(dash * UNITS)).collect();
    Stroke {
        width: narrow(f64::from(width)),
        line_join: LineJoin::Round,
        dash: StrokeDash::new(dashes, 0.0),
        ..Stroke::default()
    }
}

/// The outlines of a text's glyphs in units, upwards from its baseline, around the part of it that stands at its place.
fn outlines(text: &Text) -> Option<Path> {
    let run = font::run(&text.text, text.size, text.weight);
    let before = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => run.width / 2.0,
        Anchor::End => run.width,
    };
    let mut outlines = PathBuilder::new();
    for (glyph, x) in &run.glyphs {
        let mut pen = Pen {
            outlines: &mut outlines,
            left: x - before,
            scale: run.scale,
        };
        font::outline(*glyph, text.weight, &mut pen);
    }
    outlines.finish()
}

/// From the outlines of a text to where it stands: its place is its top, its baseline lies below that.
fn place(text: &Text) -> Transform {
    let (x, y) = (narrow(f64::from(text.at.0)), narrow(f64::from(text.at.1)));
    let turn = match text.upright {
        true => Transform::from_rotate(270.0),
        false => Transform::identity(),
    };
    Transform::from_translate(x, y)
        .pre_concat(turn)
        .pre_translate(0.0, narrow(BASELINE * text.size))
}

/// Writes the outline of a glyph into a path.
struct Pen<'a> {
    outlines: &'a mut PathBuilder,
    /// Where the glyph begins.
    left: f64,
    /// Units for each unit of the font.
    scale: f64,
}

impl Pen<'_> {
    /// A point of the font, which is drawn upwards, in units downwards.
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        let (x, y) = (f64::from(x), f64::from(y));
        (narrow(self.left + x * self.scale), narrow(-y * self.scale))
    }
}

impl ttf_parser::OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.outlines.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.outlines.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.outlines.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.outlines.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.outlines.close();
    }
}

/// A length as the rasteriser holds it: to a part in some ten million.
#[allow(clippy::cast_possible_truncation)]
fn narrow(length: f64) -> f32 {
    length as f32
}
