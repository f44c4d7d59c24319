//! Where things stand: title, panels, the axis from bottom to top.

use super::super::figure::{Figure, Grid};
use super::error::DrawError;
use super::font::{self, Weight};
use super::legend::{self, Mark};
use super::scale::Scale;
use super::scene::{Anchor, Label, Rect, Scene, WIDTH, centred};
use super::theme::Colors;

/// Around the picture.
pub(crate) const MARGIN: f64 = 20.0;
/// What there is between the margins.
pub(crate) const ROOM: f64 = WIDTH - 2.0 * MARGIN;
/// The size of the names of axes and panels.
pub(crate) const NAME: f64 = 15.0;
/// Between panels.
const GAP: f64 = 18.0;
/// More panels could not be told apart, and more columns not be read.
const MOST_PANELS: usize = 36;
const MOST_COLUMNS: usize = 6;

/// A picture that is being drawn, from top to bottom.
pub(crate) struct Frame {
    pub(crate) scene: Scene,
    pub(crate) colors: Colors,
    /// How far down it is done.
    pub(crate) y: f64,
}

impl Frame {
    /// Begins with the title and what stands below it.
    pub(crate) fn open(figure: &Figure, colors: Colors) -> Self {
        let mut frame = Self {
            scene: Scene::new(),
            colors,
            y: MARGIN - 2.0,
        };
        // The background grows with the picture: `close` gives it its height.
        frame.scene.rect(
            Rect {
                left: 0.0,
                top: 0.0,
                width: WIDTH,
                height: 0.0,
            },
            frame.colors.background,
        );
        let (text, muted) = (frame.colors.text, frame.colors.muted);
        for line in font::wrapped(&figure.title, 22.0, Weight::SemiBold, ROOM, 5) {
            frame.y += 28.0;
            let label = Label::new((MARGIN, frame.y - 6.0), line, 22.0);
            frame.scene.text(label.semibold(), text);
        }
        for line in font::wrapped(&figure.subtitle, 15.0, Weight::Regular, ROOM, 6) {
            frame.y += 21.0;
            frame
                .scene
                .text(Label::new((MARGIN, frame.y - 4.0), line, 15.0), muted);
        }
        frame.y += 10.0;
        frame
    }

    /// What the marks stand for, after a heading if there is one.
    pub(crate) fn key(&mut self, heading: &str, entries: &[(Mark, String)]) {
        let at = (MARGIN, self.y);
        self.y = legend::entries(&mut self.scene, &self.colors, at, ROOM, heading, entries) + 8.0;
    }

    /// The name of what lies from bottom to top, above it.
    pub(crate) fn y_name(&mut self, name: &str) {
        if !name.is_empty() {
            let label = Label::new((MARGIN, self.y + 15.0), name, NAME);
            self.scene.fitted(label, ROOM * 0.6, self.colors.text);
            self.y += 22.0;
        }
    }

    /// The name of what lies from left to right, below the middle of the last line of panels.
    pub(crate) fn x_name(&mut self, name: &str, panels: &[Panel]) {
        let lowest = panels.last().map_or(0.0, |panel| panel.plot.top);
        let line = panels
            .iter()
            .map(|panel| panel.plot)
            .filter(|plot| plot.top >= lowest);
        let (left, right) = line.fold((WIDTH, 0.0), |(left, right): (f64, f64), plot| {
            (left.min(plot.left), right.max(plot.right()))
        });
        if !name.is_empty() {
            let middle = (left + right) / 2.0;
            let label = Label::new((middle, self.y + 17.0), name, NAME).anchor(Anchor::Middle);
            self.scene.fitted(label, right - left, self.colors.text);
            self.y += 22.0;
        }
    }

    /// Ends the picture; returns how high it is.
    pub(crate) fn close(&mut self) -> f64 {
        let height = (self.y + MARGIN - 4.0).ceil();
        self.scene.end(height);
        height
    }
}

/// Where the panels of a grid go. A single row or column of them is broken into lines.
#[derive(Clone, Debug)]
pub(crate) struct Arrangement {
    columns: usize,
    count: usize,
    /// Above each line of panels, if there are rows and columns.
    rows: Vec<String>,
    /// Above each panel.
    heads: Vec<String>,
}

/// Room around the panels, and how high each is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Space {
    /// Left of the first and right of the last of a line.
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) height: f64,
    /// Below the lowest, for the names of values.
    pub(crate) below: f64,
}

/// A place for a panel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Panel {
    pub(crate) plot: Rect,
    /// Nothing stands left, right of it or below.
    pub(crate) first: bool,
    pub(crate) last: bool,
    pub(crate) lowest: bool,
}

impl Arrangement {
    /// The arrangement of a grid.
    ///
    /// # Errors
    ///
    /// [`DrawError::Mismatch`] if there are not as many panels as rows times columns, [`DrawError::Empty`] if there is
    /// none, [`DrawError::TooMany`] if there are too many.
    pub(crate) fn of<T>(grid: &Grid<T>) -> Result<Self, DrawError> {
        let (rows, columns) = (grid.rows.len(), grid.columns.len());
        let count = grid.panels.len();
        if rows.checked_mul(columns) != Some(count) {
            return Err(DrawError::Mismatch("panels for the rows and columns"));
        }
        if count == 0 {
            return Err(DrawError::Empty("panel"));
        }
        let help = "give fewer values to what makes the panels, or fix it";
        DrawError::limit("panels", count, MOST_PANELS, help)?;
        if rows > 1 && columns > 1 {
            DrawError::limit("columns of panels", columns, MOST_COLUMNS, help)?;
            let heads = grid.columns.iter().cycle().take(count);
            return Ok(Self {
                columns,
                count,
                rows: grid.rows.clone(),
                heads: heads.cloned().collect(),
            });
        }
        let columns = match count {
            1..=3 => count,
            4 => 2,
            5..=12 => 3,
            13..=20 => 4,
            _ => MOST_COLUMNS,
        };
        let pairs = grid
            .rows
            .iter()
            .flat_map(|row| grid.columns.iter().map(move |column| (row, column)));
        let heads = pairs.map(|(row, column)| match (row.as_str(), column.as_str()) {
            ("", name) | (name, "") => name.to_owned(),
            (row, column) => format!("{row}, {column}"),
        });
        Ok(Self {
            columns,
            count,
            rows: Vec::new(),
            heads: heads.collect(),
        })
    }

    /// How many stand side by side.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// How high a panel is: `alone` if there is no other, and else as `wished`, within reason.
    pub(crate) fn height(&self, alone: f64, wished: f64, most: f64) -> f64 {
        if self.single() {
            alone
        } else {
            wished.clamp(110.0, most)
        }
    }

    /// Whether there is only one.
    pub(crate) fn single(&self) -> bool {
        self.count == 1
    }

    /// How wide each panel is.
    pub(crate) fn width(&self, left: f64, right: f64) -> f64 {
        let columns = self.columns as f64;
        (ROOM - left - right - (columns - 1.0) * GAP) / columns
    }

    /// Gives every panel its place and draws what stands above it.
    pub(crate) fn place(&self, frame: &mut Frame, space: &Space) -> Vec<Panel> {
        let width = self.width(space.left, space.right);
        let lines = self.count.div_ceil(self.columns);
        let mut panels = Vec::new();
        for line in 0..lines {
            if line > 0 {
                frame.y += GAP;
            }
            self.head_row(frame, line);
            let range = line * self.columns..((line + 1) * self.columns).min(self.count);
            let headed = (self.rows.is_empty() || line == 0)
                && self.heads[range.clone()]
                    .iter()
                    .any(|head| !head.is_empty());
            // The highest number of a scale stands beside the top of a panel.
            frame.y += match (headed, line) {
                (true, 0) => 28.0,
                (true, _) => 25.0,
                (false, _) => 9.0,
            };
            for index in range {
                let column = index % self.columns;
                let plot = Rect {
                    left: MARGIN + space.left + column as f64 * (width + GAP),
                    top: frame.y,
                    width,
                    height: space.height,
                };
                if headed {
                    self.head_panel(frame, index, &plot);
                }
                panels.push(Panel {
                    plot,
                    first: column == 0,
                    last: column + 1 == self.columns || index + 1 == self.count,
                    lowest: index + self.columns >= self.count,
                });
            }
            frame.y += space.height;
        }
        frame.y += space.below;
        panels
    }

    fn head_panel(&self, frame: &mut Frame, index: usize, plot: &Rect) {
        let at = (plot.left, plot.top - 8.0);
        let mut label = Label::new(at, &self.heads[index], NAME);
        // Below the heading of a row, that of a column is of second rank.
        if self.rows.is_empty() {
            label = label.semibold();
        }
        frame.scene.fitted(label, plot.width, frame.colors.text);
    }

    fn head_row(&self, frame: &mut Frame, line: usize) {
        let Some(row) = self.rows.get(line).filter(|row| !row.is_empty()) else {
            return;
        };
        frame.y += if line == 0 { 21.0 } else { 24.0 };
        let label = Label::new((MARGIN, frame.y - 6.0), row, NAME).semibold();
        frame.scene.fitted(label, ROOM, frame.colors.text);
    }
}

/// The size of the numbers of an axis from bottom to top.
pub(crate) const TICK: f64 = 14.0;

/// How much room the numbers of a scale need beside a panel.
pub(crate) fn scale_width(scale: &Scale) -> f64 {
    let widths = scale
        .ticks
        .iter()
        .map(|(_, text)| font::width(text, TICK, Weight::Regular));
    widths.fold(0.0, f64::max) + 9.0
}

/// Draws the lines of a scale across a panel, and beside it its numbers if `named`.
pub(crate) fn grid(frame: &mut Frame, plot: &Rect, scale: &Scale, named: bool) {
    for (value, text) in &scale.ticks {
        let y = plot.bottom() - scale.share(*value) * plot.height;
        let (from, to) = ((plot.left, y), (plot.right(), y));
        frame.scene.line(from, to, frame.colors.grid, 1.0);
        if named {
            let at = (plot.left - 9.0, centred(y, TICK));
            let label = Label::new(at, text, TICK).anchor(Anchor::End);
            frame.scene.text(label, frame.colors.muted);
        }
    }
}

/// Draws the line that a panel stands on, or hangs from: that of 0 if the scale goes below.
pub(crate) fn base(frame: &mut Frame, plot: &Rect, scale: &Scale) {
    let foot = scale.low.max(0.0_f64.min(scale.high));
    let y = plot.bottom() - scale.share(foot) * plot.height;
    frame
        .scene
        .line((plot.left, y), (plot.right(), y), frame.colors.axis, 1.25);
}
