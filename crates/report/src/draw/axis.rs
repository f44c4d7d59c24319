//! What lies from left to right: where its values stand and which of them have room for a name.

use oddsmith_numbers::Style;

use super::super::figure::Values;
use super::font::{self, Weight};
use super::scene::{Anchor, Label, Rect, Scene};
use super::theme::Colors;

/// The size of the numbers along an axis.
pub(crate) const SIZE: f64 = 14.0;
/// The height of their lines.
const LINE: f64 = 17.0;
/// Between the axis and its names.
const DROP: f64 = 6.0;
/// No upright name is longer, and none has more lines across.
const LONGEST: f64 = 150.0;
const MOST_LINES: usize = 3;
/// With so much room, names across are shortened rather than turned.
const BROAD: f64 = 60.0;

/// An axis from left to right.
#[derive(Clone, Debug)]
pub(crate) struct XAxis {
    /// Where each value stands, from 0 to 1.
    pub(crate) at: Vec<f64>,
    /// How much of the width each value has to itself.
    pub(crate) slot: f64,
    labels: Vec<Tick>,
    upright: bool,
}

/// A value with a name.
#[derive(Clone, Debug)]
struct Tick {
    at: f64,
    lines: Vec<String>,
    full: String,
}

/// Where not all values have room for a name, every second, fifth and so on has one.
pub(crate) const EVERY: [usize; 11] = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500];

/// The place of the first value that is named if every second, fifth and so on is: of numbers a multiple of that if there
/// is one, so that 0 and round numbers are named.
pub(crate) fn first(values: &Values, every: usize) -> usize {
    let Values::Numbers(numbers) = values else {
        return 0;
    };
    let step = i64::try_from(every).unwrap_or(1);
    let mut start = numbers.iter().take(every);
    let zero = numbers
        .iter()
        .position(|n| *n == 0)
        .map(|place| place % every);
    zero.or_else(|| start.position(|n| n % step == 0))
        .unwrap_or(0)
}

impl XAxis {
    /// Values side by side, each in the middle of a slot.
    pub(crate) fn even(values: &Values, width: f64) -> Self {
        let count = values.len().max(1) as f64;
        let at = (0..values.len())
            .map(|i| (i as f64 + 0.5) / count)
            .collect();
        Self::new(values, at, 1.0 / count, width)
    }

    /// Numbers to scale with `margin` of the width free on either side; labels, and what stands alone, evenly.
    pub(crate) fn to_scale(values: &Values, width: f64, margin: f64) -> Self {
        let Values::Numbers(numbers) = values else {
            return Self::even(values, width);
        };
        let low = numbers.iter().copied().min().unwrap_or(0) as f64;
        let high = numbers.iter().copied().max().unwrap_or(0) as f64;
        if high <= low {
            return Self::even(values, width);
        }
        let place = |n: f64| margin + (1.0 - 2.0 * margin) * ((n - low) / (high - low));
        let at: Vec<f64> = numbers.iter().map(|n| place(*n as f64)).collect();
        let mut sorted = at.clone();
        sorted.sort_by(f64::total_cmp);
        let gaps = sorted.windows(2).map(|pair| pair[1] - pair[0]);
        let slot = gaps.fold(1.0, f64::min);
        let mut axis = Self::new(values, at, slot, width);
        // Where some numbers do not occur, names of those that have room would lie unevenly. Round numbers are named then,
        // whether they occur or not.
        if !is_even(numbers) && axis.labels.len() < numbers.len() {
            let ends = numbers.iter().min().zip(numbers.iter().max());
            let round = ends.and_then(|(low, high)| round_ticks(*low, *high, &place, width));
            axis.labels = round.unwrap_or(axis.labels);
        }
        axis
    }

    fn new(values: &Values, at: Vec<f64>, slot: f64, width: f64) -> Self {
        let names = values.words();
        let mut axis = Self {
            at,
            slot,
            labels: Vec::new(),
            upright: false,
        };
        match values {
            Values::Numbers(numbers) => axis.name_numbers(values, numbers, &names, width),
            Values::Labels(_) => axis.name_labels(&names, width),
        }
        axis
    }

    /// Names as many numbers as fit: every second, fifth, and so on, 0 among them.
    fn name_numbers(&mut self, values: &Values, numbers: &[i64], names: &[String], width: f64) {
        let ticks: Vec<Tick> = names
            .iter()
            .zip(&self.at)
            .map(|(name, at)| Tick {
                at: *at,
                lines: vec![name.clone()],
                full: name.clone(),
            })
            .collect();
        let even = is_even(numbers);
        for every in EVERY {
            if every > 1 && !even {
                break;
            }
            let start = first(values, every);
            let some: Vec<Tick> = ticks.iter().skip(start).step_by(every).cloned().collect();
            if fit(&some, width) {
                self.labels = some;
                return;
            }
        }
        self.labels = apart(ticks, width);
    }

    /// Names across, in several lines where they need them; otherwise upright and shortened.
    fn name_labels(&mut self, names: &[String], width: f64) {
        let room = self.slot * width - 6.0;
        let across = |name: &String| font::wrapped(name, SIZE, Weight::Regular, room, MOST_LINES);
        let lines: Vec<Vec<String>> = names.iter().map(across).collect();
        let whole = names.iter().zip(&lines).all(|(name, lines)| {
            lines.join(" ") == name.split_whitespace().collect::<Vec<_>>().join(" ")
        });
        self.upright = !whole && room < BROAD;
        let lines = if self.upright {
            let short = |name: &String| vec![font::shortened(name, SIZE, Weight::Regular, LONGEST)];
            names.iter().map(short).collect()
        } else {
            lines
        };
        let ticks = names
            .iter()
            .zip(lines)
            .zip(&self.at)
            .map(|((name, lines), at)| Tick {
                at: *at,
                lines,
                full: name.clone(),
            });
        self.labels = ticks.collect();
        if self.upright {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let every = (LINE / (self.slot * width)).ceil().max(1.0) as usize;
            self.labels = std::mem::take(&mut self.labels)
                .into_iter()
                .step_by(every)
                .collect();
        }
    }

    /// How much room the names need below the axis.
    pub(crate) fn height(&self) -> f64 {
        let tick_height = |tick: &Tick| {
            if self.upright {
                font::width(&tick.lines[0], SIZE, Weight::Regular)
            } else {
                LINE * tick.lines.len() as f64
            }
        };
        DROP + self.labels.iter().map(tick_height).fold(0.0, f64::max)
    }

    /// Draws the names below a panel.
    pub(crate) fn draw(&self, scene: &mut Scene, colors: &Colors, plot: &Rect) {
        for tick in &self.labels {
            let x = plot.left + tick.at * plot.width;
            let shown = tick.lines.join(" ");
            let title = (shown.contains('…') && shown != tick.full).then(|| tick.full.clone());
            for (i, line) in tick.lines.iter().enumerate() {
                let label = if self.upright {
                    let at = (super::scene::centred(x, SIZE), plot.bottom() + DROP);
                    Label::new(at, line, SIZE).anchor(Anchor::End).upright()
                } else {
                    let at = (x, plot.bottom() + DROP + 13.0 + LINE * i as f64);
                    Label::new(at, line, SIZE).anchor(Anchor::Middle)
                };
                scene.titled(label, colors.muted, title.clone());
            }
        }
    }
}

/// Whether each number is as far from the next.
fn is_even(numbers: &[i64]) -> bool {
    let step = |pair: &[i64]| pair[1].checked_sub(pair[0]);
    let first = numbers.windows(2).next().and_then(step);
    numbers.windows(2).all(|pair| step(pair) == first)
}

/// The multiples of 2, 5, 10, 20 and so on between two numbers, to scale: of the first step that has room for all of them, if
/// there are two.
fn round_ticks(low: i64, high: i64, place: &dyn Fn(f64) -> f64, width: f64) -> Option<Vec<Tick>> {
    let powers = (0..18).map(|digits| 10_i64.pow(digits));
    let steps = powers.flat_map(|power| [2, 5, 10].map(|step| step * power));
    steps.into_iter().find_map(|every| {
        let (first, last) = (low.div_euclid(every), high.div_euclid(every));
        // The first one is not below the first number.
        let first = first + i64::from(low.rem_euclid(every) > 0);
        if last <= first || (last - first) as f64 > width {
            return None;
        }
        let ticks = (first..=last).map(|number| {
            let number = number * every;
            let name = Style::Print.whole(number);
            Tick {
                at: place(number as f64),
                lines: vec![name.clone()],
                full: name,
            }
        });
        let ticks: Vec<Tick> = ticks.collect();
        fit(&ticks, width).then_some(ticks)
    })
}

fn span(tick: &Tick, width: f64) -> (f64, f64) {
    let half = font::width(&tick.lines[0], SIZE, Weight::Regular) / 2.0 + 4.0;
    (tick.at * width - half, tick.at * width + half)
}

/// Whether no name touches the next.
fn fit(ticks: &[Tick], width: f64) -> bool {
    ticks.windows(2).all(|pair| {
        let (one, two) = (span(&pair[0], width), span(&pair[1], width));
        one.1 <= two.0 || two.1 <= one.0
    })
}

/// As many as fit from the left on, and the last one.
fn apart(mut ticks: Vec<Tick>, width: f64) -> Vec<Tick> {
    ticks.sort_by(|a, b| a.at.total_cmp(&b.at));
    let Some(last) = ticks.pop() else {
        return ticks;
    };
    let limit = span(&last, width).0;
    let mut kept: Vec<Tick> = Vec::new();
    for tick in ticks {
        let (from, to) = span(&tick, width);
        let free = kept
            .last()
            .is_none_or(|previous| span(previous, width).1 <= from);
        if free && to <= limit {
            kept.push(tick);
        }
    }
    kept.push(last);
    kept
}
