//! What colours and marks mean, above the panels.

use plotters::style::RGBColor;

use super::error::DrawError;
use super::font::{self, Weight};
use super::scale::Scale;
use super::scene::{Label, Point, Rect, Scene, centred};
use super::stroke::Stroke;
use super::theme::Colors;

/// The size of a legend's text.
pub(crate) const SIZE: f64 = 15.0;
/// The height of its lines.
const LINE: f64 = 24.0;
/// Between entries, and between a mark and its name.
const GAP: f64 = 20.0;
const SPACE: f64 = 7.0;
/// No name is wider.
const WIDEST: f64 = 320.0;

/// What a cross means.
pub(crate) const NO_ANSWER: &str = "no answer";

/// More bands could not be told apart.
const MOST_BANDS: usize = 12;

/// What stands before a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mark {
    Area(RGBColor),
    Line(Stroke),
    Curve,
    Missing,
}

/// An error if there are more bands than colours that can be told apart.
pub(crate) fn check_bands(bands: &[String]) -> Result<(), DrawError> {
    let help = "join some of them, or make a table";
    DrawError::limit("bands", bands.len(), MOST_BANDS, help)
}

/// An entry for each band, worst first.
pub(crate) fn bands(names: &[String], colors: &Colors) -> Vec<(Mark, String)> {
    let entries = names.iter().enumerate();
    entries
        .map(|(place, name)| (Mark::Area(colors.band(place, names.len())), name.clone()))
        .collect()
}

impl Mark {
    fn width(self) -> f64 {
        match self {
            Self::Area(_) => 15.0,
            Self::Line(_) => 34.0,
            Self::Curve => 24.0,
            Self::Missing => 9.0,
        }
    }

    fn draw(self, scene: &mut Scene, colors: &Colors, (x, y): Point) {
        match self {
            Self::Area(color) => {
                let rect = Rect {
                    left: x,
                    top: y - 7.5,
                    width: 15.0,
                    height: 15.0,
                };
                scene.rect(rect, color);
            }
            Self::Line(stroke) => {
                stroke.path(scene, vec![(x, y), (x + self.width(), y)]);
                stroke.marker(scene, (x + self.width() / 2.0, y));
            }
            Self::Curve => scene.line((x, y), (x + self.width(), y), colors.curve, 2.0),
            Self::Missing => scene.cross((x + 4.5, y), colors.missing),
        }
    }
}

/// Draws the entries from left to right in as many lines as they need, after a heading if there is one; returns
/// where they end.
pub(crate) fn entries(
    scene: &mut Scene,
    colors: &Colors,
    (left, top): Point,
    room: f64,
    heading: &str,
    entries: &[(Mark, String)],
) -> f64 {
    let (mut x, mut y) = (left, top + LINE / 2.0);
    if !heading.is_empty() {
        let label = Label::new((x, centred(y, SIZE)), heading, SIZE);
        scene.fitted(label, WIDEST, colors.muted);
        x += font::width(heading, SIZE, Weight::Regular).min(WIDEST) + GAP;
    }
    for (mark, name) in entries {
        let name_width = font::width(name, SIZE, Weight::Regular).min(WIDEST);
        let width = mark.width() + SPACE + name_width;
        if x + width > left + room && x > left {
            (x, y) = (left, y + LINE);
        }
        mark.draw(scene, colors, (x, y));
        let at = (x + mark.width() + SPACE, centred(y, SIZE));
        scene.fitted(Label::new(at, name, SIZE), WIDEST, colors.text);
        x += width + GAP;
    }
    y + LINE / 2.0
}

/// What the shades of a heat map mean.
pub(crate) struct Shades<'a> {
    /// What the numbers are.
    pub(crate) name: &'a str,
    pub(crate) scale: &'a Scale,
    /// Whether the numbers lie on both sides of 0.
    pub(crate) diverging: bool,
    /// Whether some are missing.
    pub(crate) gaps: bool,
}

/// Draws what the shades of a heat map mean: its number's name, then the ramp with its scale below; returns where it
/// ends.
pub(crate) fn ramp(
    scene: &mut Scene,
    colors: &Colors,
    (left, top): Point,
    shades: &Shades<'_>,
) -> f64 {
    const LENGTH: f64 = 256.0;
    const THICKNESS: f64 = 13.0;
    let (name, scale) = (shades.name, shades.scale);
    let mut x = left;
    if !name.is_empty() {
        let label = Label::new((x, centred(top + THICKNESS / 2.0, SIZE)), name, SIZE);
        scene.fitted(label.semibold(), WIDEST, colors.text);
        x += font::width(name, SIZE, Weight::SemiBold).min(WIDEST) + GAP;
    }
    let steps = colors.steps(shades.diverging);
    let at = |step: usize| x + LENGTH * step as f64 / steps.len() as f64;
    for (step, color) in steps.iter().enumerate() {
        let rect = Rect {
            left: at(step),
            top,
            // Each step reaches to the end and the next covers it, so that nothing shines through between them.
            width: x + LENGTH - at(step),
            height: THICKNESS,
        };
        scene.rect(rect, *color);
    }
    for (value, text) in &scale.ticks {
        let x = x + LENGTH * scale.share(*value);
        let foot = top + THICKNESS;
        scene.line((x, foot), (x, foot + 4.0), colors.axis, 1.0);
        let label = Label::new((x, foot + 17.0), text, 13.0);
        scene.text(label.anchor(super::scene::Anchor::Middle), colors.muted);
    }
    if shades.gaps {
        let at = (x + LENGTH + 2.0 * GAP, top + THICKNESS / 2.0 - LINE / 2.0);
        let mark = [(Mark::Missing, NO_ANSWER.to_owned())];
        entries(scene, colors, at, LENGTH, "", &mark);
    }
    top + THICKNESS + 24.0
}
