//! A figure as SVG, and that as PNG.
//!
//! A picture is laid out as a [`Scene`](scene::Scene) of shapes, from top to bottom, since its height is known only then.
//! plotters' SVG back-end writes the shapes down, and resvg makes pixels of that.

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
mod pmf;
mod png;
mod scale;
mod scene;
mod theme;

pub use error::DrawError;
pub use png::png;
pub use theme::{Theme, palette};

use layout::Frame;
use theme::Colors;

use crate::figure::{Figure, Plot};

/// The figure as an SVG document, 720 pixels wide and as high as it needs to be. Equal figures give equal text; it has no
/// scripts, no styles and refers to nothing outside.
///
/// # Errors
///
/// [`DrawError::TooMany`] if there is more than could be told apart, [`DrawError::Empty`] if there is nothing to draw, and
/// [`DrawError::Mismatch`] if the parts of the figure don't fit together.
pub fn svg(figure: &Figure, theme: Theme) -> Result<String, DrawError> {
    let mut frame = Frame::open(figure, Colors::of(theme));
    match &figure.plot {
        Plot::Bands(bands) => bands::draw(&mut frame, bands)?,
        Plot::Lines(lines) => lines::draw(&mut frame, lines)?,
        Plot::Heatmap(map) => heatmap::draw(&mut frame, map)?,
        Plot::Pmf(pmf) => pmf::draw(&mut frame, pmf)?,
    }
    let height = frame.close();
    canvas::render(&frame.scene, height, &figure.title, &figure.subtitle)
}
