//! Numbers along an axis.

use oddsmith_numbers::RBig;
use oddsmith_numbers::decimal::decimal;

use super::super::figure::Lines;
use super::axis::XAxis;
use super::error::DrawError;
use super::font::{self, Weight};
use super::layout::{self, Arrangement, Frame, MARGIN, Panel, Space};
use super::legend::{self, Mark};
use super::scale::Scale;
use super::scene::{Label, Point, Rect, centred};
use super::stroke::Stroke;

/// More lines could not be told apart.
const MOST_SERIES: usize = 12;
/// No value has less room.
const NARROWEST: f64 = 2.0;
/// The size of the names at the ends of lines, and how far apart they are at least.
const NAME: f64 = 15.0;
const APART: f64 = 19.0;

/// Draws the lines.
///
/// # Errors
///
/// See [`DrawError`].
pub(crate) fn draw(frame: &mut Frame, lines: &Lines) -> Result<(), DrawError> {
    check(lines)?;
    let arrangement = Arrangement::of(&lines.values)?;
    let direct = arrangement.single() && lines.series.iter().any(|name| !name.is_empty());
    let numbers = lines.values.panels.iter().flatten().flatten().flatten();
    let scale = Scale::of(numbers.map(decimal), lines.unit);
    let left = layout::scale_width(&scale);
    let right = if direct { names_width(lines) } else { 0.0 };
    let width = arrangement.width(left, right);
    DrawError::fits(
        "values of the axis",
        lines.x.values.len(),
        width / NARROWEST,
    )?;
    let axis = XAxis::to_scale(&lines.x.values, width, 10.0 / width);
    key(frame, lines, direct);
    frame.y_name(&lines.y);
    let space = Space {
        left,
        right,
        height: arrangement.height(360.0, width * 0.8, 220.0),
        below: axis.height(),
    };
    let panels = arrangement.place(frame, &space);
    for (panel, series) in panels.iter().zip(&lines.values.panels) {
        draw_panel(frame, panel, &axis, &scale, series);
        if direct {
            name_lines(frame, lines, panel, &axis, &scale, series);
        }
    }
    frame.x_name(&lines.x.name, &panels);
    Ok(())
}

fn check(lines: &Lines) -> Result<(), DrawError> {
    if lines.x.values.is_empty() {
        return Err(DrawError::Empty("value of the axis"));
    }
    if lines.series.is_empty() {
        return Err(DrawError::Empty("line"));
    }
    let help = "give fewer values to what tells the lines apart, or a panel to each";
    DrawError::limit("lines", lines.series.len(), MOST_SERIES, help)?;
    let panels = &lines.values.panels;
    if panels.iter().any(|panel| panel.len() != lines.series.len()) {
        return Err(DrawError::Mismatch("lines for the names"));
    }
    let mut series = panels.iter().flatten();
    if series.any(|numbers| numbers.len() != lines.x.values.len()) {
        return Err(DrawError::Mismatch("numbers for the values of the axis"));
    }
    Ok(())
}

/// The legend: of the lines unless their names stand at their ends, and of places without any.
fn key(frame: &mut Frame, lines: &Lines, direct: bool) {
    let mut entries: Vec<(Mark, String)> = Vec::new();
    if !direct {
        let named = lines
            .series
            .iter()
            .enumerate()
            .filter(|(_, name)| !name.is_empty());
        entries.extend(
            named.map(|(i, name)| (Mark::Line(Stroke::of(i, &frame.colors)), name.clone())),
        );
    }
    let heading = if entries.is_empty() { "" } else { &lines.by };
    let nothing = |at: usize| {
        let mut panels = lines.values.panels.iter();
        panels.any(|series| series.iter().all(|line| line[at].is_none()))
    };
    if (0..lines.x.values.len()).any(nothing) {
        entries.push((Mark::Missing, legend::NO_ANSWER.to_owned()));
    }
    if !entries.is_empty() {
        frame.key(heading, &entries);
    }
}

/// Draws the lines of a panel with their marks.
fn draw_panel(
    frame: &mut Frame,
    panel: &Panel,
    axis: &XAxis,
    scale: &Scale,
    series: &[Vec<Option<RBig>>],
) {
    layout::grid(frame, &panel.plot, scale, panel.first);
    layout::base(frame, &panel.plot, scale);
    mark_gaps(frame, panel, axis, series);
    let marks = mark_every(axis.slot * panel.plot.width);
    for (i, numbers) in series.iter().enumerate() {
        let stroke = Stroke::of(i, &frame.colors);
        for stretch in stretches(numbers) {
            let points: Vec<Point> = stretch
                .filter_map(|at| Some(place(&panel.plot, axis, scale, at, numbers[at].as_ref()?)))
                .collect();
            // A number without neighbours has no line, so it needs its mark.
            let every = if points.len() == 1 { 1 } else { marks };
            let marked: Vec<Point> = points
                .iter()
                .copied()
                .skip(i % every)
                .step_by(every)
                .collect();
            stroke.path(&mut frame.scene, points);
            for point in marked {
                stroke.marker(&mut frame.scene, point);
            }
        }
    }
    if panel.lowest {
        axis.draw(&mut frame.scene, &frame.colors, &panel.plot);
    }
}

/// Draws a cross where no line has a number.
fn mark_gaps(frame: &mut Frame, panel: &Panel, axis: &XAxis, series: &[Vec<Option<RBig>>]) {
    for (at, share) in axis.at.iter().enumerate() {
        if series.iter().all(|line| line[at].is_none()) {
            let x = panel.plot.left + share * panel.plot.width;
            let y = panel.plot.bottom() - 12.0;
            frame.scene.cross((x, y), frame.colors.missing);
        }
    }
}

/// How many values there are from a mark to the next: marks stand well apart.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn mark_every(slot: f64) -> usize {
    (16.0 / slot).ceil().clamp(1.0, 1000.0) as usize
}

fn place(plot: &Rect, axis: &XAxis, scale: &Scale, at: usize, number: &RBig) -> Point {
    (
        plot.left + axis.at[at] * plot.width,
        plot.bottom() - scale.share(decimal(number)) * plot.height,
    )
}

/// The stretches of places with a number.
fn stretches<T>(numbers: &[Option<T>]) -> Vec<std::ops::Range<usize>> {
    let mut stretches: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, number) in numbers.iter().enumerate() {
        if number.is_none() {
            continue;
        }
        match stretches.last_mut().filter(|stretch| stretch.end == at) {
            Some(stretch) => stretch.end = at + 1,
            None => stretches.push(at..at + 1),
        }
    }
    stretches
}

/// How much room the names at the ends of the lines need.
fn names_width(lines: &Lines) -> f64 {
    let names = lines.series.iter().chain(std::iter::once(&lines.by));
    let widths = names.map(|name| font::width(name, NAME, Weight::SemiBold));
    widths.fold(0.0, f64::max).min(190.0) + 28.0
}

/// Writes the name of each line beside its end, none over another.
fn name_lines(
    frame: &mut Frame,
    lines: &Lines,
    panel: &Panel,
    axis: &XAxis,
    scale: &Scale,
    series: &[Vec<Option<RBig>>],
) {
    let mut ends: Vec<(usize, Point)> = Vec::new();
    for (i, numbers) in series.iter().enumerate() {
        let mut backwards = numbers.iter().enumerate().rev();
        let last = backwards.find_map(|(at, number)| Some((at, number.as_ref()?)));
        if let Some((at, number)) = last {
            ends.push((i, place(&panel.plot, axis, scale, at, number)));
        }
    }
    ends.sort_by(|a, b| a.1.1.total_cmp(&b.1.1));
    let wanted: Vec<f64> = ends.iter().map(|(_, (_, y))| *y).collect();
    let plot = panel.plot;
    let left = plot.right() + 24.0;
    let room = layout::ROOM + MARGIN - left;
    let spread = spread(&wanted, APART, plot.top, plot.bottom());
    for ((i, end), y) in ends.iter().zip(&spread) {
        let color = Stroke::of(*i, &frame.colors).color;
        let from = (end.0 + 8.0, end.1);
        // A long way to the name must not look like a part of the line.
        let far = left - from.0 > 60.0;
        let leader = if far { frame.colors.axis } else { color };
        frame.scene.line(from, (left - 5.0, *y), leader, 0.75);
        let label = Label::new((left, centred(*y, NAME)), &lines.series[*i], NAME);
        frame.scene.fitted(label.semibold(), room, color);
    }
    if let Some(top) = spread.first().filter(|_| !lines.by.is_empty()) {
        let label = Label::new((left, top - 16.0), &lines.by, 14.0);
        frame.scene.fitted(label, room, frame.colors.muted);
    }
}

/// Heights near the wanted ones, which ascend, at least `apart` from one another and between `top` and `bottom` as far as
/// that goes: neighbours that would touch stand side by side around their mean.
fn spread(wanted: &[f64], apart: f64, top: f64, bottom: f64) -> Vec<f64> {
    // Groups of neighbours: how many, and where their middle is.
    let mut groups: Vec<(usize, f64)> = Vec::new();
    let inside = |count: usize, middle: f64| {
        let half = apart * (count - 1) as f64 / 2.0;
        middle.min(bottom - half).max(top + half)
    };
    for y in wanted {
        let mut group = (1, inside(1, *y));
        while let Some((count, middle)) = groups.last().copied() {
            let touch = apart * (count + group.0) as f64 / 2.0;
            if group.1 - middle >= touch {
                break;
            }
            groups.pop();
            let all = count + group.0;
            let mean = (middle * count as f64 + group.1 * group.0 as f64) / all as f64;
            group = (all, inside(all, mean));
        }
        groups.push(group);
    }
    let heights = groups.iter().flat_map(|(count, middle)| {
        let first = middle - apart * (*count - 1) as f64 / 2.0;
        (0..*count).map(move |i| first + apart * i as f64)
    });
    heights.collect()
}

#[cfg(test)]
mod tests {
    use super::{spread, stretches};

    #[test]
    fn names_keep_apart_and_inside() {
        for wanted in [
            vec![],
            vec![50.0],
            vec![10.0, 11.0, 12.0, 90.0],
            vec![0.0; 5],
            vec![100.0; 5],
            vec![30.0, 40.0, 50.0],
        ] {
            let heights = spread(&wanted, 10.0, 0.0, 100.0);
            assert_eq!(heights.len(), wanted.len());
            assert!(
                heights
                    .windows(2)
                    .all(|pair| pair[1] - pair[0] >= 10.0 - 1e-9),
                "{heights:?}"
            );
            assert!(
                heights.iter().all(|y| (0.0..=100.0).contains(y)),
                "{heights:?}"
            );
        }
        assert_eq!(
            spread(&[30.0, 40.0, 50.0], 10.0, 0.0, 100.0),
            [30.0, 40.0, 50.0]
        );
        assert_eq!(spread(&[50.0, 50.0], 10.0, 0.0, 100.0), [45.0, 55.0]);
    }

    #[test]
    fn lines_break_where_there_is_no_number() {
        let numbers = [None, Some(1), Some(2), None, Some(3), None];
        assert_eq!(stretches(&numbers), [1..3, 4..5]);
    }
}
