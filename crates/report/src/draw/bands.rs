//! Shares of ordered bands, stacked.

use oddsmith_numbers::decimal::decimal;
use oddsmith_numbers::{Form, RBig};
use plotters::style::RGBColor;

use super::super::figure::Bands;
use super::axis::XAxis;
use super::error::DrawError;
use super::font::{self, Weight};
use super::layout::{self, Arrangement, Frame, Space};
use super::legend::{self, Mark};
use super::scale::Scale;
use super::scene::{Anchor, Label, Rect, centred};

/// No bar has less room.
const NARROWEST: f64 = 3.0;
/// The size of the percentages in the bars.
const LABEL: f64 = 13.0;

/// Draws the bands.
///
/// # Errors
///
/// See [`DrawError`].
pub(crate) fn draw(frame: &mut Frame, bands: &Bands) -> Result<(), DrawError> {
    check(bands)?;
    let arrangement = Arrangement::of(&bands.shares)?;
    let scale = Scale::percent();
    let left = layout::scale_width(&scale);
    let width = arrangement.width(left, 0.0);
    DrawError::fits("bars side by side", bands.x.values.len(), width / NARROWEST)?;
    let axis = XAxis::even(&bands.x.values, width);
    key(frame, bands);
    frame.y_name("probability");
    let space = Space {
        left,
        right: 0.0,
        height: arrangement.height(340.0, width * 0.75, 210.0),
        below: axis.height(),
    };
    let panels = arrangement.place(frame, &space);
    let style = Style::of(bands, axis.slot * width);
    for (panel, shares) in panels.iter().zip(&bands.shares.panels) {
        layout::grid(frame, &panel.plot, &scale, panel.first);
        for (i, shares) in shares.iter().enumerate() {
            let x = panel.plot.left + axis.at[i] * panel.plot.width;
            match shares {
                Some(shares) => bar(frame, &panel.plot, x, shares, &style, i),
                None => frame
                    .scene
                    .cross((x, panel.plot.bottom() - 12.0), frame.colors.missing),
            }
        }
        layout::base(frame, &panel.plot, &scale);
        if panel.lowest {
            axis.draw(&mut frame.scene, &frame.colors, &panel.plot);
        }
    }
    frame.x_name(&bands.x.name, &panels);
    Ok(())
}

fn check(bands: &Bands) -> Result<(), DrawError> {
    if bands.x.values.is_empty() {
        return Err(DrawError::Empty("value of the axis"));
    }
    if bands.bands.is_empty() {
        return Err(DrawError::Empty("band"));
    }
    legend::check_bands(&bands.bands)?;
    let panels = &bands.shares.panels;
    if panels
        .iter()
        .any(|panel| panel.len() != bands.x.values.len())
    {
        return Err(DrawError::Mismatch("bars for the values of the axis"));
    }
    let shares = panels.iter().flatten().flatten();
    if shares
        .into_iter()
        .any(|shares| shares.len() != bands.bands.len())
    {
        return Err(DrawError::Mismatch("shares for the bands"));
    }
    Ok(())
}

fn key(frame: &mut Frame, bands: &Bands) {
    let mut entries = legend::bands(&bands.bands, &frame.colors);
    if bands.shares.panels.iter().flatten().any(Option::is_none) {
        entries.push((Mark::Missing, legend::NO_ANSWER.to_owned()));
    }
    frame.key("", &entries);
}

/// What the bars of a picture have in common.
struct Style<'a> {
    values: Vec<String>,
    bands: &'a [String],
    width: f64,
    sign: Sign,
}

/// How much of a percentage there is room for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Shown,
    LeftOut,
    NoNumber,
}

impl<'a> Style<'a> {
    fn of(bands: &'a Bands, slot: f64) -> Self {
        let width = (slot * 0.86).min(84.0).max(slot - 6.0).min(slot - 0.75);
        let wide = |text: &str| font::width(text, LABEL, Weight::Regular) + 5.0 <= width;
        let sign = match (wide("88%"), wide("88")) {
            (true, _) => Sign::Shown,
            (_, true) => Sign::LeftOut,
            _ => Sign::NoNumber,
        };
        Self {
            values: bands.x.values.words(),
            bands: &bands.bands,
            width: width.min(96.0),
            sign,
        }
    }
}

/// Draws a bar, the worst band at its foot.
fn bar(frame: &mut Frame, plot: &Rect, x: f64, shares: &[RBig], style: &Style<'_>, at: usize) {
    let mut foot = plot.bottom();
    let mut sum = 0.0;
    for (place, share) in shares.iter().enumerate() {
        sum += decimal(share);
        let top = plot.bottom() - sum.clamp(0.0, 1.0) * plot.height;
        let rect = Rect {
            left: x - style.width / 2.0,
            top,
            width: style.width,
            height: foot - top,
        };
        // A quarter of a pixel is the least that can be drawn.
        if rect.height >= 0.125 {
            let color = frame.colors.band(place, shares.len());
            let title = format!(
                "{}, {}: {}",
                style.values[at],
                style.bands[place],
                Form::USUAL.show_ratio(share)
            );
            frame.scene.area(rect, color, title);
            if rect.height >= 3.0 && rect.bottom() < plot.bottom() - 3.0 {
                let (from, to) = ((rect.left, foot), (rect.right(), foot));
                frame.scene.line(from, to, frame.colors.background, 1.0);
            }
            label(frame, &rect, share, style.sign, color);
        }
        foot = top;
    }
}

/// Writes a share into its part of a bar if it fits.
fn label(frame: &mut Frame, rect: &Rect, share: &RBig, sign: Sign, fill: RGBColor) {
    let mut text = Form::Percent(0).show_ratio(share);
    if sign == Sign::LeftOut {
        text = text.trim_end_matches('%').to_owned();
    }
    let wide = font::width(&text, LABEL, Weight::Regular) + 3.0 <= rect.width;
    if sign == Sign::NoNumber || rect.height < 16.0 || !wide {
        return;
    }
    let at = (
        rect.left + rect.width / 2.0,
        centred(rect.top + rect.height / 2.0, LABEL),
    );
    let color = frame.colors.on(fill);
    let label = Label::new(at, text, LABEL).anchor(Anchor::Middle);
    frame.scene.text(label, color);
}
