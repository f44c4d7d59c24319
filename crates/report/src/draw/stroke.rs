//! How lines are told apart without colour, too.

use super::scene::{Point, Rect, Scene};
use super::theme::Colors;
use plotters::style::RGBColor;

/// How a line is told from others: by colour, dashes and marks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stroke {
    pub(crate) color: RGBColor,
    background: RGBColor,
    dash: &'static [f64],
    mark: usize,
}

const DASHES: [&[f64]; 4] = [&[], &[8.0, 4.0], &[2.0, 3.0], &[9.0, 3.0, 2.0, 3.0]];
const MARKS: usize = 6;

impl Stroke {
    pub(crate) fn of(series: usize, colors: &Colors) -> Self {
        Self {
            color: colors.lines[series % colors.lines.len()],
            background: colors.background,
            dash: DASHES[series % DASHES.len()],
            mark: series % MARKS,
        }
    }

    pub(crate) fn path(&self, scene: &mut Scene, points: Vec<Point>) {
        scene.path(points, self.color, 2.25, self.dash);
    }

    /// A disc, square, triangle, diamond, ring or triangle upside down, all about as heavy.
    pub(crate) fn marker(&self, scene: &mut Scene, (x, y): Point) {
        let around = |corners: &[Point]| {
            corners
                .iter()
                .map(|(dx, dy)| (x + dx, y + dy))
                .collect::<Vec<_>>()
        };
        match self.mark {
            0 => scene.circle((x, y), 4.0, self.color),
            1 => {
                let rect = Rect {
                    left: x - 3.5,
                    top: y - 3.5,
                    width: 7.0,
                    height: 7.0,
                };
                scene.rect(rect, self.color);
            }
            2 => scene.polygon(
                around(&[(0.0, -5.0), (4.75, 3.5), (-4.75, 3.5)]),
                self.color,
            ),
            3 => scene.polygon(
                around(&[(0.0, -5.25), (5.25, 0.0), (0.0, 5.25), (-5.25, 0.0)]),
                self.color,
            ),
            4 => {
                scene.circle((x, y), 4.5, self.color);
                scene.circle((x, y), 2.5, self.background);
            }
            _ => scene.polygon(
                around(&[(0.0, 5.0), (4.75, -3.5), (-4.75, -3.5)]),
                self.color,
            ),
        }
    }
}
