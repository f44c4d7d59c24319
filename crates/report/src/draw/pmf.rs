//! The probability of every outcome, and of at least as much.

use oddsmith_numbers::decimal::decimal;
use oddsmith_numbers::{Form, Style};

use super::super::figure::{Pmf, PmfBars, Unit, Values};
use super::axis::XAxis;
use super::error::DrawError;
use super::layout::{self, Arrangement, Frame, MARGIN, Panel, Space};
use super::legend::{self, Mark};
use super::scale::Scale;
use super::scene::{Anchor, Label, Point, Rect, centred};

/// No bar has less room.
const NARROWEST: f64 = 1.5;
/// No bar is wider.
const WIDEST: f64 = 48.0;

/// Draws the distributions.
///
/// # Errors
///
/// See [`DrawError`].
pub(crate) fn draw(frame: &mut Frame, pmf: &Pmf) -> Result<(), DrawError> {
    check(pmf)?;
    let arrangement = Arrangement::of(&pmf.bars)?;
    let heights = pmf.bars.panels.iter().flat_map(|bars| &bars.shares);
    let heights = heights.map(|shares| shares.iter().map(decimal).sum::<f64>());
    let scale = Scale::of(std::iter::once(0.0).chain(heights), Unit::Probability).parted();
    let at_least = scale.beside();
    let (left, right) = (layout::scale_width(&scale), layout::scale_width(&at_least));
    let width = arrangement.width(left, right);
    let outcomes = outcomes(pmf);
    DrawError::fits("outcomes", outcomes.len(), width / NARROWEST)?;
    let axis = axis(&outcomes, width);
    key(frame, pmf);
    right_name(frame);
    frame.y_name("probability");
    let space = Space {
        left,
        right,
        height: arrangement.height(320.0, width * 0.75, 200.0),
        below: axis.height(),
    };
    let panels = arrangement.place(frame, &space);
    for (panel, bars) in panels.iter().zip(&pmf.bars.panels) {
        layout::grid(frame, &panel.plot, &scale, panel.first);
        draw_bars(frame, pmf, panel, bars, &outcomes, &axis, &scale);
        layout::base(frame, &panel.plot, &scale);
        if bars.outcomes.is_empty() {
            let middle = (
                panel.plot.left + panel.plot.width / 2.0,
                panel.plot.bottom() - panel.plot.height / 2.0,
            );
            frame.scene.cross(middle, frame.colors.missing);
        } else {
            curve(frame, panel, bars, &outcomes, &axis, &at_least);
        }
        if panel.last {
            right_scale(frame, &panel.plot, &at_least);
        }
        if panel.lowest {
            axis.draw(&mut frame.scene, &frame.colors, &panel.plot);
        }
    }
    frame.x_name(&pmf.x, &panels);
    Ok(())
}

fn check(pmf: &Pmf) -> Result<(), DrawError> {
    let panels = &pmf.bars.panels;
    if panels.iter().all(|bars| bars.outcomes.is_empty()) {
        return Err(DrawError::Empty("outcome"));
    }
    legend::check_bands(&pmf.bands)?;
    let uneven = |bars: &PmfBars| {
        bars.outcomes.len() != bars.shares.len() || bars.outcomes.len() != bars.at_least.len()
    };
    if panels.iter().any(uneven) {
        return Err(DrawError::Mismatch("probabilities for the outcomes"));
    }
    let parts = pmf.bands.len().max(1);
    if panels
        .iter()
        .flat_map(|bars| &bars.shares)
        .any(|shares| shares.len() != parts)
    {
        return Err(DrawError::Mismatch("shares for the bands"));
    }
    Ok(())
}

/// The outcomes of all panels, ascending.
fn outcomes(pmf: &Pmf) -> Vec<i64> {
    let panels = pmf.bars.panels.iter();
    let mut outcomes: Vec<i64> = panels.flat_map(|bars| &bars.outcomes).copied().collect();
    outcomes.sort_unstable();
    outcomes.dedup();
    outcomes
}

/// Outcomes to scale; evenly if some are so far apart that others would share a place.
fn axis(outcomes: &[i64], width: f64) -> XAxis {
    let values = Values::Numbers(outcomes.to_vec());
    let span = outcomes[outcomes.len() - 1] as f64 - outcomes[0] as f64 + 1.0;
    let axis = XAxis::to_scale(&values, width, 0.5 / span);
    if axis.slot * width < NARROWEST {
        return XAxis::even(&values, width);
    }
    axis
}

fn key(frame: &mut Frame, pmf: &Pmf) {
    let mut entries = legend::bands(&pmf.bands, &frame.colors);
    entries.push((Mark::Curve, "at least (scale on the right)".to_owned()));
    frame.key("", &entries);
}

/// The name of the scale on the right, above it.
fn right_name(frame: &mut Frame) {
    let at = (MARGIN + layout::ROOM, frame.y + 15.0);
    let label = Label::new(at, "at least", layout::NAME).anchor(Anchor::End);
    frame.scene.text(label, frame.colors.curve);
}

/// Where an outcome stands.
fn across(panel: &Panel, outcomes: &[i64], axis: &XAxis, outcome: i64) -> f64 {
    let place = outcomes.binary_search(&outcome).unwrap_or_default();
    panel.plot.left + axis.at[place] * panel.plot.width
}

fn draw_bars(
    frame: &mut Frame,
    pmf: &Pmf,
    panel: &Panel,
    bars: &PmfBars,
    outcomes: &[i64],
    axis: &XAxis,
    scale: &Scale,
) {
    let slot = axis.slot * panel.plot.width;
    // Narrow bars touch: gaps as wide as they are would make them look pale.
    let width = if slot < 4.0 {
        slot + 0.25
    } else {
        (slot * 0.86).min(WIDEST)
    };
    for (outcome, shares) in bars.outcomes.iter().zip(&bars.shares) {
        let x = across(panel, outcomes, axis, *outcome);
        let mut foot = panel.plot.bottom();
        let mut sum = 0.0;
        for (place, share) in shares.iter().enumerate() {
            sum += decimal(share);
            let top = panel.plot.bottom() - scale.share(sum) * panel.plot.height;
            let rect = Rect {
                left: x - width / 2.0,
                top,
                width,
                height: foot - top,
            };
            foot = top;
            if rect.height < 0.125 {
                continue;
            }
            let color = match pmf.bands.len() {
                0 => frame.colors.bar,
                count => frame.colors.band(place, count),
            };
            let band = pmf.bands.get(place).map(|band| format!(", {band}"));
            let (outcome, band) = (Style::Print.whole(*outcome), band.unwrap_or_default());
            let title = format!("{outcome}{band}: {}", Form::USUAL.show_ratio(share));
            frame.scene.area(rect, color, title);
        }
    }
}

/// Draws the curve of at least as much, and its scale on the right.
fn curve(
    frame: &mut Frame,
    panel: &Panel,
    bars: &PmfBars,
    outcomes: &[i64],
    axis: &XAxis,
    scale: &Scale,
) {
    let points: Vec<Point> = bars
        .outcomes
        .iter()
        .zip(&bars.at_least)
        .map(|(outcome, share)| {
            let y = panel.plot.bottom() - scale.share(decimal(share)) * panel.plot.height;
            (across(panel, outcomes, axis, *outcome), y)
        })
        .collect();
    frame
        .scene
        .path(points.clone(), frame.colors.background, 4.0, &[]);
    frame
        .scene
        .path(points.clone(), frame.colors.curve, 1.75, &[]);
    if axis.slot * panel.plot.width >= 14.0 || points.len() == 1 {
        for point in points {
            frame.scene.circle(point, 3.5, frame.colors.background);
            frame.scene.circle(point, 2.5, frame.colors.curve);
        }
    }
}

/// Draws the scale of the curve, right of the last panel of a line.
fn right_scale(frame: &mut Frame, plot: &Rect, scale: &Scale) {
    let right = plot.right();
    for (value, text) in &scale.ticks {
        let y = plot.bottom() - scale.share(*value) * plot.height;
        let tick = ((right, y), (right + 4.0, y));
        frame.scene.line(tick.0, tick.1, frame.colors.curve, 1.0);
        let at = (right + layout::scale_width(scale), centred(y, layout::TICK));
        let label = Label::new(at, text, layout::TICK).anchor(Anchor::End);
        frame.scene.text(label, frame.colors.curve);
    }
}
