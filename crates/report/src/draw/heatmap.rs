//! A number for every pair of values.

use oddsmith_numbers::decimal::decimal;
use oddsmith_numbers::{Form, RBig, Style, narrow};

use super::super::figure::{Heatmap, Unit, Values, points};
use super::axis::{self, XAxis};
use super::error::DrawError;
use super::font::{self, Weight};
use super::layout::{self, Arrangement, Frame, MARGIN, Panel, Space};
use super::legend;
use super::scale::Scale;
use super::scene::{Anchor, Label, Rect, centred};

/// No cell is smaller.
const NARROWEST: f64 = 4.0;
/// The size of the numbers in the cells.
const LABEL: f64 = 13.0;
/// No name of a row is wider, unless columns stay as wide as this beside it; and none is twice as wide.
const WIDEST_NAME: f64 = 160.0;
const WIDE_COLUMN: f64 = 100.0;

/// Draws the map.
///
/// # Errors
///
/// See [`DrawError`].
pub(crate) fn draw(frame: &mut Frame, map: &Heatmap) -> Result<(), DrawError> {
    check(map)?;
    let arrangement = Arrangement::of(&map.cells)?;
    let rows = map.y.values.words();
    let name_widths = rows
        .iter()
        .map(|name| font::width(name, layout::TICK, Weight::Regular));
    let (across, up) = (map.x.values.len(), map.y.values.len());
    let left = name_widths
        .fold(0.0, f64::max)
        .min(widest_name(across * arrangement.columns()))
        + 9.0;
    let width = arrangement.width(left, 0.0);
    DrawError::fits("columns of cells", across, width / NARROWEST)?;
    DrawError::fits("rows of cells", up, width.max(300.0) / NARROWEST)?;
    let axis = XAxis::even(&map.x.values, width);
    let shades = Shades::of(map);
    key(frame, map, &shades);
    frame.y_name(&map.y.name);
    frame.y -= 7.0;
    let cell = cell_height(axis.slot * width, up, arrangement.columns());
    let space = Space {
        left,
        right: 0.0,
        height: height(cell, up),
        below: axis.height(),
    };
    let panels = arrangement.place(frame, &space);
    let style = label_style(map, axis.slot * width, cell);
    for (panel, cells) in panels.iter().zip(&map.cells.panels) {
        draw_cells(frame, map, panel, cells, &shades, style);
        if panel.first {
            name_rows(frame, &map.y.values, &panel.plot, left - 9.0);
        }
        if panel.lowest {
            axis.draw(&mut frame.scene, &frame.colors, &panel.plot);
        }
    }
    frame.x_name(&map.x.name, &panels);
    Ok(())
}

/// Room for the names of rows beside so many columns: more, where columns are few.
fn widest_name(columns: usize) -> f64 {
    let rest = layout::ROOM - columns as f64 * WIDE_COLUMN;
    rest.clamp(WIDEST_NAME, 2.0 * WIDEST_NAME)
}

fn check(map: &Heatmap) -> Result<(), DrawError> {
    if map.x.values.is_empty() || map.y.values.is_empty() {
        return Err(DrawError::Empty("value of an axis"));
    }
    let cells = &map.cells.panels;
    if cells.iter().any(|rows| rows.len() != map.y.values.len()) {
        return Err(DrawError::Mismatch(
            "rows of cells for the values of their axis",
        ));
    }
    if cells
        .iter()
        .flatten()
        .any(|row| row.len() != map.x.values.len())
    {
        return Err(DrawError::Mismatch("cells for the values of their axis"));
    }
    let count: usize = cells.iter().flatten().map(Vec::len).sum();
    DrawError::limit(
        "cells",
        count,
        6000,
        "give fewer values to the axes, or make a table",
    )
}

fn height(cell: f64, rows: usize) -> f64 {
    cell * rows as f64
}

/// Cells are a little wider than high, and a map is no higher than a page.
fn cell_height(width: f64, rows: usize, columns: usize) -> f64 {
    let most = if columns == 1 { 560.0 } else { 300.0 };
    (width * 0.7)
        .clamp(14.0, 38.0)
        .min(most / rows as f64)
        .max(NARROWEST)
}

/// From numbers to shades.
struct Shades {
    scale: Scale,
    diverging: bool,
}

impl Shades {
    fn of(map: &Heatmap) -> Self {
        let numbers = || {
            map.cells
                .panels
                .iter()
                .flatten()
                .flatten()
                .flatten()
                .map(decimal)
        };
        let straddles = || numbers().any(|x| x < 0.0) && numbers().any(|x| x > 0.0);
        let diverging = map.unit.is_difference() || map.unit == Unit::Number && straddles();
        let scale = if diverging {
            Scale::symmetric(numbers(), map.unit)
        } else {
            Scale::of(numbers(), map.unit)
        };
        Self { scale, diverging }
    }
}

fn key(frame: &mut Frame, map: &Heatmap, shades: &Shades) {
    let top = (MARGIN, frame.y + 8.0);
    let gaps = map.cells.panels.iter().flatten().flatten();
    let key = legend::Shades {
        name: &map.number,
        scale: &shades.scale,
        diverging: shades.diverging,
        gaps: gaps.into_iter().any(Option::is_none),
    };
    frame.y = legend::ramp(&mut frame.scene, &frame.colors, top, &key);
    frame.y += 6.0;
}

/// How the numbers in the cells are written: all of a picture in one way, so that they can be compared.
#[derive(Clone, Copy)]
enum Written {
    /// `12%`
    Percent,
    /// With so many digits after the point.
    Places(usize),
    /// With so many significant digits: numbers of very different size.
    Digits(usize),
    /// Differences of probabilities, in points with so many digits after the point.
    Points(usize),
    /// Other differences, with so many significant digits.
    Difference(usize),
}

impl Written {
    fn write(self, x: &RBig) -> String {
        match self {
            Self::Percent => Form::Percent(0).show_ratio(x),
            Self::Places(places) => Style::Print.fixed(x, places),
            Self::Digits(digits) => narrow::rough(x, digits),
            Self::Points(places) => points(x, places),
            Self::Difference(digits) => narrow::rough_difference(x, digits),
        }
    }

    /// The ways to write some numbers, the one that says most first.
    fn ways(unit: Unit, numbers: &[&RBig]) -> Vec<Self> {
        match unit {
            Unit::Probability => return vec![Self::Percent],
            Unit::Points => return vec![Self::Points(1), Self::Points(0)],
            Unit::Difference => return vec![Self::Difference(3), Self::Difference(2)],
            Unit::Number => {}
        }
        let is_plain = |x: &&RBig| **x == RBig::ZERO || (0.01..1e5).contains(&decimal(x).abs());
        if !numbers.iter().all(is_plain) {
            return vec![Self::Digits(3), Self::Digits(2)];
        }
        // Digits that are all 0 are left out; those that tell numbers apart are not.
        let full = |x: &RBig| Style::Print.fixed(x, MOST_PLACES);
        let says_all = |places: usize| {
            let same = |x: &&RBig| {
                full(x).trim_end_matches('0').trim_end_matches('.').len()
                    <= Style::Print.fixed(x, places).len()
            };
            numbers.iter().all(same)
        };
        let needed = (0..MOST_PLACES).find(|places| says_all(*places));
        match needed {
            Some(places) => vec![Self::Places(places)],
            None => vec![Self::Places(MOST_PLACES), Self::Places(1)],
        }
    }
}

/// Digits after the point in a cell at the most.
const MOST_PLACES: usize = 2;

/// The way to write the numbers that says most and fits every cell, if one does.
fn label_style(map: &Heatmap, width: f64, height: f64) -> Option<Written> {
    let cells = map.cells.panels.iter().flatten().flatten();
    let numbers: Vec<&RBig> = cells.flatten().collect();
    let fits = |way: &Written| {
        let widths = numbers
            .iter()
            .map(|x| font::width(&way.write(x), LABEL, Weight::Regular));
        widths.fold(0.0, f64::max) + 5.0 <= width
    };
    let ways = Written::ways(map.unit, &numbers).into_iter();
    ways.filter(|_| height >= LABEL + 2.0).find(fits)
}

fn draw_cells(
    frame: &mut Frame,
    map: &Heatmap,
    panel: &Panel,
    cells: &[Vec<Option<RBig>>],
    shades: &Shades,
    written: Option<Written>,
) {
    let (columns, rows) = (map.x.values.words(), map.y.values.words());
    let width = panel.plot.width / columns.len() as f64;
    let height = panel.plot.height / rows.len() as f64;
    // Small cells overlap a little: between edges that fall within a pixel, the background would shine through.
    let gap = if width.min(height) >= 12.0 { 1.0 } else { -0.5 };
    for (up, row) in cells.iter().enumerate() {
        for (across, cell) in row.iter().enumerate() {
            let rect = Rect {
                left: panel.plot.left + width * across as f64,
                top: panel.plot.bottom() - height * (up + 1) as f64,
                width: width - gap,
                height: height - gap,
            };
            let middle = (rect.left + width / 2.0, rect.top + height / 2.0);
            let Some(x) = cell else {
                frame.scene.cross(middle, frame.colors.missing);
                continue;
            };
            let fill = frame
                .colors
                .shade(shades.scale.share(decimal(x)), shades.diverging);
            let shown = map.unit.words(x);
            let title = format!(
                "{} {}, {} {}: {shown}",
                map.x.name, columns[across], map.y.name, rows[up]
            );
            frame.scene.area(rect, fill, title);
            if let Some(written) = written {
                let at = (middle.0, centred(middle.1, LABEL));
                let label = Label::new(at, written.write(x), LABEL).anchor(Anchor::Middle);
                frame.scene.text(label, frame.colors.on(fill));
            }
        }
    }
}

/// Names the rows of a panel, as many as there is room for.
fn name_rows(frame: &mut Frame, values: &Values, plot: &Rect, room: f64) {
    let rows = values.words();
    let height = plot.height / rows.len() as f64;
    let fits = |every: &usize| height * *every as f64 >= axis::SIZE + 1.0;
    let every = axis::EVERY.into_iter().find(fits).unwrap_or(rows.len());
    let first = axis::first(values, every);
    for (up, name) in rows.iter().enumerate().skip(first).step_by(every) {
        let y = plot.bottom() - height * (up as f64 + 0.5);
        let at = (plot.left - 9.0, centred(y, layout::TICK));
        let label = Label::new(at, name, layout::TICK).anchor(Anchor::End);
        frame.scene.fitted(label, room, frame.colors.muted);
    }
}
