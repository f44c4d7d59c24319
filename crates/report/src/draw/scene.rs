//! What is drawn, before it becomes SVG.

use plotters::style::RGBColor;

use super::font::{self, Weight};

/// How wide every picture is.
pub(crate) const WIDTH: f64 = 720.0;

/// A place: to the right, down.
pub(crate) type Point = (f64, f64);

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Rect {
    pub(crate) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// Which part of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A text; its place is on its baseline.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) at: Point,
    pub(crate) text: String,
    pub(crate) size: f64,
    pub(crate) weight: Weight,
    pub(crate) anchor: Anchor,
    /// Read from bottom to top.
    pub(crate) upright: bool,
}

impl Label {
    /// A text that starts here.
    pub(crate) fn new(at: Point, text: impl Into<String>, size: f64) -> Self {
        Self {
            at,
            text: text.into(),
            size,
            weight: Weight::Regular,
            anchor: Anchor::Start,
            upright: false,
        }
    }

    pub(crate) fn anchor(mut self, anchor: Anchor) -> Self {
        self.anchor = anchor;
        self
    }

    pub(crate) fn semibold(mut self) -> Self {
        self.weight = Weight::SemiBold;
        self
    }

    pub(crate) fn upright(mut self) -> Self {
        self.upright = true;
        self
    }
}

/// How far the baseline of figures lies below their middle, as a share of their size: half the height of a capital.
const MIDDLE: f64 = 0.3635;

/// The baseline of a text of this size whose figures are centred at `y`.
pub(crate) fn centred(y: f64, size: f64) -> f64 {
    y + MIDDLE * size
}

/// A kind of shape.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Rect(Rect),
    /// A line through points; `dash` is an SVG dash array in pixels, empty for a solid line.
    Path {
        points: Vec<Point>,
        width: f64,
        dash: &'static [f64],
    },
    Polygon(Vec<Point>),
    Circle(Point, f64),
    Text(Label),
}

/// A shape, its colour, and what a reader learns who points at it.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) kind: Kind,
    pub(crate) color: RGBColor,
    pub(crate) title: Option<String>,
}

/// Shapes, from back to front.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub(crate) shapes: Vec<Shape>,
}

impl Scene {
    fn push(&mut self, kind: Kind, color: RGBColor, title: Option<String>) {
        self.shapes.push(Shape { kind, color, title });
    }

    pub(crate) fn rect(&mut self, rect: Rect, color: RGBColor) {
        self.push(Kind::Rect(rect), color, None);
    }

    /// A rectangle that says what it is.
    pub(crate) fn area(&mut self, rect: Rect, color: RGBColor, title: String) {
        self.push(Kind::Rect(rect), color, Some(title));
    }

    pub(crate) fn line(&mut self, from: Point, to: Point, color: RGBColor, width: f64) {
        self.path(vec![from, to], color, width, &[]);
    }

    pub(crate) fn path(
        &mut self,
        points: Vec<Point>,
        color: RGBColor,
        width: f64,
        dash: &'static [f64],
    ) {
        let kind = Kind::Path {
            points,
            width,
            dash,
        };
        self.push(kind, color, None);
    }

    pub(crate) fn polygon(&mut self, points: Vec<Point>, color: RGBColor) {
        self.push(Kind::Polygon(points), color, None);
    }

    pub(crate) fn circle(&mut self, centre: Point, radius: f64, color: RGBColor) {
        self.push(Kind::Circle(centre, radius), color, None);
    }

    pub(crate) fn text(&mut self, label: Label, color: RGBColor) {
        self.push(Kind::Text(label), color, None);
    }

    /// A text that may say more to who points at it.
    pub(crate) fn titled(&mut self, label: Label, color: RGBColor, title: Option<String>) {
        self.push(Kind::Text(label), color, title);
    }

    /// A text that is shortened to `room`; who points at it then sees all of it.
    pub(crate) fn fitted(&mut self, mut label: Label, room: f64, color: RGBColor) {
        let short = font::shortened(&label.text, label.size, label.weight, room);
        let title = (short != label.text).then(|| std::mem::replace(&mut label.text, short));
        self.push(Kind::Text(label), color, title);
    }

    /// The quiet mark of no answer: a small cross.
    pub(crate) fn cross(&mut self, (x, y): Point, color: RGBColor) {
        let arm = 3.25;
        self.line((x - arm, y - arm), (x + arm, y + arm), color, 1.25);
        self.line((x - arm, y + arm), (x + arm, y - arm), color, 1.25);
    }
}
