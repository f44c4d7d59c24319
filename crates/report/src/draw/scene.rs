//! A picture and what is drawn in it.

use std::cell::RefCell;
use std::rc::Rc;

use plotters::drawing::DrawingArea;
use plotters::element::{Circle, Drawable, PathElement, PointCollection, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, TextStyle};

use super::canvas::{BASELINE, Canvas, Kind, Notes, Pixels, Shape, UNITS, units};
use super::font::{self, Weight};

pub(crate) use super::canvas::{Anchor, Point, WIDTH};

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

    fn filled(&self, color: RGBColor) -> Rectangle<Point> {
        let corners = [(self.left, self.top), (self.right(), self.bottom())];
        Rectangle::new(corners, color.filled())
    }
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

    /// The label for plotters, whose texts hang from their place.
    fn element(self, color: RGBColor) -> Text<'static, Point, String> {
        let rise = self.size * BASELINE;
        let (x, y) = self.at;
        let (top, turn) = match self.upright {
            true => ((x - rise, y), FontTransform::Rotate270),
            false => ((x, y - rise), FontTransform::None),
        };
        let side = match self.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let weight = match self.weight {
            Weight::Regular => FontStyle::Normal,
            Weight::SemiBold => FontStyle::Bold,
        };
        let font = FontDesc::new(FontFamily::SansSerif, self.size * UNITS, weight);
        let style = TextStyle {
            font: font.transform(turn),
            color: color.to_backend_color(),
            pos: Pos::new(side, VPos::Top),
        };
        Text::new(self.text, top, style)
    }
}

/// How far the baseline of figures lies below their middle, as a share of their size: half the height of a capital.
const MIDDLE: f64 = 0.3635;

/// The baseline of a text of this size whose figures are centred at `y`.
pub(crate) fn centred(y: f64, size: f64) -> f64 {
    y + MIDDLE * size
}

/// A picture that is drawn with plotters' elements, from back to front.
pub(crate) struct Scene {
    canvas: Rc<RefCell<Canvas>>,
    area: DrawingArea<Canvas, Pixels>,
}

impl Scene {
    /// A scene without anything in it.
    pub(crate) fn new() -> Self {
        let canvas = Rc::new(RefCell::new(Canvas::default()));
        let area = DrawingArea::from(&canvas).apply_coord_spec(Pixels);
        Self { canvas, area }
    }

    /// What was drawn.
    pub(crate) fn into_shapes(self) -> Vec<Shape> {
        self.canvas.take().shapes
    }

    /// Ends the picture at this height: its first shape, the background, reaches down to there.
    pub(crate) fn end(&mut self, height: f64) {
        if let Some(Kind::Rect(_, (_, bottom))) = self
            .canvas
            .borrow_mut()
            .shapes
            .first_mut()
            .map(|shape| &mut shape.kind)
        {
            *bottom = units(height);
        }
    }

    /// Draws an element. What plotters' styles can't say of it is noted beside it.
    fn draw<E>(&mut self, element: &E, notes: Notes)
    where
        for<'a> &'a E: PointCollection<'a, Point>,
        E: Drawable<Canvas>,
    {
        let drawn = self.area.draw(element);
        drawn.expect("a canvas takes every shape");
        if let Some(shape) = self.canvas.borrow_mut().shapes.last_mut() {
            shape.notes = notes;
        }
    }

    pub(crate) fn rect(&mut self, rect: Rect, color: RGBColor) {
        self.draw(&rect.filled(color), Notes::default());
    }

    /// A rectangle that says what it is.
    pub(crate) fn area(&mut self, rect: Rect, color: RGBColor, title: String) {
        self.draw(&rect.filled(color), Notes::titled(Some(title)));
    }

    pub(crate) fn line(&mut self, from: Point, to: Point, color: RGBColor, width: f64) {
        self.path(vec![from, to], color, width, &[]);
    }

    /// A line through points; `dash` is an SVG dash array in pixels, empty for a solid line.
    pub(crate) fn path(
        &mut self,
        points: Vec<Point>,
        color: RGBColor,
        width: f64,
        dash: &'static [f64],
    ) {
        let style = color.stroke_width(units(width).unsigned_abs());
        let notes = Notes { title: None, dash };
        self.draw(&PathElement::new(points, style), notes);
    }

    pub(crate) fn polygon(&mut self, points: Vec<Point>, color: RGBColor) {
        self.draw(&Polygon::new(points, color.filled()), Notes::default());
    }

    pub(crate) fn circle(&mut self, centre: Point, radius: f64, color: RGBColor) {
        let disc = Circle::new(centre, units(radius), color.filled());
        self.draw(&disc, Notes::default());
    }

    pub(crate) fn text(&mut self, label: Label, color: RGBColor) {
        self.titled(label, color, None);
    }

    /// A text that may say more to who points at it.
    pub(crate) fn titled(&mut self, label: Label, color: RGBColor, title: Option<String>) {
        self.draw(&label.element(color), Notes::titled(title));
    }

    /// A text that is shortened to `room`; who points at it then sees all of it.
    pub(crate) fn fitted(&mut self, mut label: Label, room: f64, color: RGBColor) {
        let short = font::shortened(&label.text, label.size, label.weight, room);
        let title = (short != label.text).then(|| std::mem::replace(&mut label.text, short));
        self.titled(label, color, title);
    }

    /// The quiet mark of no answer: a small cross.
    pub(crate) fn cross(&mut self, (x, y): Point, color: RGBColor) {
        let arm = 3.25;
        self.line((x - arm, y - arm), (x + arm, y + arm), color, 1.25);
        self.line((x - arm, y + arm), (x + arm, y - arm), color, 1.25);
    }
}
