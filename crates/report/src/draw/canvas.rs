//! What plotters draws on: a list of shapes.

use std::convert::Infallible;

use plotters::coord::CoordTranslate;
use plotters::style::RGBColor;
use plotters_backend::text_anchor::HPos;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontStyle, FontTransform,
};

use super::font::Weight;

/// How wide every picture is.
pub(crate) const WIDTH: f64 = 720.0;
/// Plotters knows whole units only: with four to a pixel, curves are smooth and bars as high as they should be.
pub(crate) const UNITS: f64 = 4.0;
/// How far below its place a text's baseline is, as a share of its size: the place of a text is its top.
pub(crate) const BASELINE: f64 = 0.76;
/// A canvas is cut off below the picture: no picture is higher.
const HEIGHT: u32 = 1 << 24;

/// A place in pixels: to the right, down.
pub(crate) type Point = (f64, f64);

/// A length in units.
#[allow(clippy::cast_possible_truncation)]
pub(crate) fn units(length: f64) -> i32 {
    (length * UNITS).round() as i32
}

/// From pixels to units.
pub(crate) struct Pixels;

impl CoordTranslate for Pixels {
    type From = Point;

    fn translate(&self, (x, y): &Point) -> BackendCoord {
        (units(*x), units(*y))
    }
}

/// Which part of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A text; its place is its top.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) at: BackendCoord,
    pub(crate) text: String,
    /// In units.
    pub(crate) size: f64,
    pub(crate) weight: Weight,
    pub(crate) anchor: Anchor,
    /// Read from bottom to top.
    pub(crate) upright: bool,
}

/// A kind of shape.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A rectangle between two corners, the upper left one first.
    Rect(BackendCoord, BackendCoord),
    /// A line through points.
    Path(Vec<BackendCoord>),
    Polygon(Vec<BackendCoord>),
    Circle(BackendCoord, u32),
    Text(Text),
}

/// A shape in an opaque colour.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) kind: Kind,
    pub(crate) color: RGBColor,
    /// How wide its outline is; none if it is filled.
    pub(crate) outline: Option<u32>,
    pub(crate) notes: Notes,
}

/// What plotters' styles can't say of a shape.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    /// What a reader learns who points at it.
    pub(crate) title: Option<String>,
    /// The dashes of a line as an SVG dash array, in pixels; empty for a solid line.
    pub(crate) dash: &'static [f64],
}

impl Notes {
    /// A title, if there is one.
    pub(crate) fn titled(title: Option<String>) -> Self {
        Self { title, dash: &[] }
    }
}

/// Shapes, from back to front.
#[derive(Clone, Debug, Default)]
pub(crate) struct Canvas {
    pub(crate) shapes: Vec<Shape>,
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl Canvas {
    #[allow(clippy::unnecessary_wraps)]
    fn push(&mut self, kind: Kind, color: BackendColor, outline: Option<u32>) -> Drawn {
        let (red, green, blue) = color.rgb;
        self.shapes.push(Shape {
            kind,
            color: RGBColor(red, green, blue),
            outline,
            notes: Notes::default(),
        });
        Ok(())
    }

    fn outlined(&mut self, kind: Kind, style: &impl BackendStyle) -> Drawn {
        self.push(kind, style.color(), Some(style.stroke_width()))
    }

    fn paint(&mut self, kind: Kind, style: &impl BackendStyle, is_filled: bool) -> Drawn {
        match is_filled {
            true => self.push(kind, style.color(), None),
            false => self.outlined(kind, style),
        }
    }
}

impl DrawingBackend for Canvas {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (units(WIDTH).unsigned_abs(), HEIGHT)
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        self.push(Kind::Rect((x, y), (x + 1, y + 1)), color, None)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.outlined(Kind::Path(vec![from, to]), style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.paint(Kind::Rect(from, to), style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.outlined(Kind::Path(path.into_iter().collect()), style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.paint(Kind::Circle(centre, radius), style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        self.paint(Kind::Polygon(corners.into_iter().collect()), style, true)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        let text = Text {
            at,
            text: text.to_owned(),
            size: style.size(),
            weight: match style.style() {
                FontStyle::Bold => Weight::SemiBold,
                _ => Weight::Regular,
            },
            anchor: match style.anchor().h_pos {
                HPos::Left => Anchor::Start,
                HPos::Center => Anchor::Middle,
                HPos::Right => Anchor::End,
            },
            upright: matches!(style.transform(), FontTransform::Rotate270),
        };
        self.push(Kind::Text(text), style.color(), None)
    }
}
