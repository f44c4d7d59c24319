//! A figure as SVG or as PNG.
//!
//! A picture is drawn in a [`Scene`](scene::Scene) with plotters' elements, from top to bottom, since its height is known
//! only then. Plotters hands the shapes on to a [`Canvas`](canvas::Canvas), its back-end here, as data; they are written as
//! SVG, or drawn as pixels by tiny-skia.

mod axis;
mod bands;
mod canvas;
mod color;
mod error;
mod font;
mod heatmap;
mod layout;
mod legend;
mod lines;
#[cfg(test)]
mod palette;
mod pmf;
mod png;
mod scale;
mod scene;
mod stroke;
mod svg;
#[cfg(test)]
mod tests;
mod theme;

pub use error::DrawError;
pub use theme::{Theme, palette};

use canvas::Shape;
use layout::Frame;
use theme::Colors;

use oddsmith_numbers::Style;

use crate::figure::{Axis, Figure, Plot, Values};

/// The figure as an SVG document, 720 pixels wide and as high as it needs to be. Equal figures give equal text; it has no
/// scripts, no styles and refers to nothing outside.
///
/// # Errors
///
/// [`DrawError::TooMany`] if there is more than could be told apart, [`DrawError::Empty`] if there is nothing to draw, and
/// [`DrawError::Mismatch`] if the parts of the figure don't fit together.
pub fn svg(figure: &Figure, theme: Theme) -> Result<String, DrawError> {
    let figure = figure.typeset();
    let (shapes, height) = shapes(&figure, theme)?;
    let description = description(&figure);
    Ok(svg::write(&shapes, height, &figure.title, &description))
}

/// The figure of [`svg`](svg()) as PNG, at twice its size: 1440 pixels wide. Only the font that comes along is used, so the
/// result is the same on every machine.
///
/// # Errors
///
/// Those of [`svg`](svg()), and [`DrawError::Characters`] if a text has characters that the font lacks: they would be left
/// out.
pub fn png(figure: &Figure, theme: Theme) -> Result<Vec<u8>, DrawError> {
    let (shapes, height) = shapes(&figure.typeset(), theme)?;
    png::write(&shapes, height)
}

/// The shapes of a figure, and how high they are together.
fn shapes(figure: &Figure, theme: Theme) -> Result<(Vec<Shape>, f64), DrawError> {
    let mut frame = Frame::open(figure, Colors::of(theme));
    match &figure.plot {
        Plot::Bands(bands) => bands::draw(&mut frame, bands)?,
        Plot::Lines(lines) => lines::draw(&mut frame, lines)?,
        Plot::Heatmap(map) => heatmap::draw(&mut frame, map)?,
        Plot::Pmf(pmf) => pmf::draw(&mut frame, pmf)?,
    }
    let height = frame.close();
    Ok((frame.scene.into_shapes(), height))
}

/// What the picture shows, for those who can't see it; the numbers are in [`Figure::table`].
fn description(figure: &Figure) -> String {
    let shown = match &figure.plot {
        Plot::Bands(bands) => {
            let names = bands.bands.join(", ");
            format!(
                "Stacked bars: the probabilities of {names} by {}.",
                along(&bands.x)
            )
        }
        Plot::Lines(lines) => {
            let by = if lines.by.is_empty() {
                "line"
            } else {
                &lines.by
            };
            let series = lines.series.join(", ");
            format!("Lines: {} by {}; {by}: {series}.", lines.y, along(&lines.x))
        }
        Plot::Heatmap(map) => {
            let (x, y) = (along(&map.x), along(&map.y));
            format!("Heat map: {} by {x} and {y}.", map.number)
        }
        Plot::Pmf(pmf) => format!(
            "Bars and a curve: the probability of each {}, and of at least as much.",
            pmf.x
        ),
    };
    if figure.subtitle.is_empty() {
        shown
    } else {
        format!("{}. {shown}", figure.subtitle)
    }
}

/// `circ_boons (−5 to 5)`
fn along(axis: &Axis) -> String {
    let ends = match &axis.values {
        Values::Numbers(numbers) => numbers
            .iter()
            .min()
            .zip(numbers.iter().max())
            .map(|ends| [ends.0, ends.1].map(|end| Style::Print.whole(*end)))
            .map(|[low, high]| format!(" ({low} to {high})")),
        Values::Labels(labels) => Some(format!(" ({})", labels.join(", "))),
    };
    format!("{}{}", axis.name, ends.unwrap_or_default())
}
