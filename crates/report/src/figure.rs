//! What a picture holds.

use oddsmith_numbers::{Form, RBig, Style, difference};

/// A picture: odds to be looked at, and the words that say what was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What was asked: `What a Boon is worth`.
    pub title: String,
    /// Of what, and in which configuration: `Stars & Signs, check: skill_rank=5 state=ok`. May be empty.
    pub subtitle: String,
    /// The odds.
    pub plot: Plot,
}

/// The kinds of picture. All panels of one share their scales.
#[derive(Clone, Debug, PartialEq)]
pub enum Plot {
    /// The shares of ordered bands along an axis, stacked to 100 %.
    Bands(Bands),
    /// Numbers along an axis, a line for each value of another.
    Lines(Lines),
    /// A number for every pair of values of two axes.
    Heatmap(Heatmap),
    /// The probability of every outcome.
    Pmf(Pmf),
}

/// Small multiples: one panel for each value of up to two further axes, in rows and columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid<T> {
    /// The headings of the columns, such as `ability_rank = 4`; a single empty one if there is only one column.
    pub columns: Vec<String>,
    /// The headings of the rows, likewise.
    pub rows: Vec<String>,
    /// What the panels show, row after row: `rows.len() * columns.len()` of them.
    pub panels: Vec<T>,
}

impl<T> Grid<T> {
    /// A single panel, without headings.
    #[must_use]
    pub fn of(panel: T) -> Self {
        Self {
            columns: vec![String::new()],
            rows: vec![String::new()],
            panels: vec![panel],
        }
    }
}

/// An axis of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Its name: `circ_boons`.
    pub name: String,
    /// Its values, in their order.
    pub values: Values,
}

/// The values of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Numbers, all different; in the order asked, which is mostly ascending.
    Numbers(Vec<i64>),
    /// Labels, all different.
    Labels(Vec<String>),
}

impl Values {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Labels(labels) => labels.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values as readers see them.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        match self {
            Self::Numbers(numbers) => numbers.iter().map(|n| Style::Print.whole(*n)).collect(),
            Self::Labels(labels) => labels.clone(),
        }
    }
}

/// What the numbers of a picture are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Probabilities, from 0 to 1.
    Probability,
    /// Means, variances and other numbers.
    Number,
    /// Differences of probabilities, from -1 to 1; they are shown in points, which are hundredths.
    Points,
    /// Differences of other numbers.
    Difference,
}

impl Unit {
    /// Whether 0 is the middle of such numbers, even where all of them lie on one side of it.
    pub(crate) fn is_difference(self) -> bool {
        matches!(self, Self::Points | Self::Difference)
    }

    /// A number in full, as readers see it: `41.67%`, `7.5`, `+12.35`.
    #[must_use]
    pub fn words(self, number: &RBig) -> String {
        match self {
            Self::Probability => Form::USUAL.show_ratio(number),
            Self::Number => Style::Print.value(number),
            Self::Points => points(number, 2),
            Self::Difference => Style::Print.difference(number, |size| Style::Print.value(size)),
        }
    }
}

/// A difference of probabilities in points with so many digits after the point: `+12.35`, `−<0.01`.
pub(crate) fn points(number: &RBig, digits: usize) -> String {
    Style::Print.difference(number, |size| {
        difference::points(size, Form::Percent(digits))
    })
}

/// The shares of ordered bands along an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Bands {
    /// What lies from left to right.
    pub x: Axis,
    /// The names of the bands, worst first.
    pub bands: Vec<String>,
    /// For each value of `x` the share of each band; they sum to 1. None where the rules forbid the configuration.
    pub shares: Grid<Vec<Option<Vec<RBig>>>>,
}

/// Numbers along an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// What lies from left to right.
    pub x: Axis,
    /// What the numbers are.
    pub unit: Unit,
    /// What lies from bottom to top: `P(band>=Hit)`. May be empty where the names of the series say it.
    pub y: String,
    /// What tells the series apart, such as `ability_rank`; empty if their names say it.
    pub by: String,
    /// The names of the series.
    pub series: Vec<String>,
    /// For each series a number at each value of `x`; none where there is no answer.
    pub values: Grid<Vec<Vec<Option<RBig>>>>,
}

/// A number for every pair of values of two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Heatmap {
    /// What lies from left to right.
    pub x: Axis,
    /// What lies from bottom to top.
    pub y: Axis,
    /// What the numbers are.
    pub unit: Unit,
    /// Which number it is: `P(band>=Hit)`.
    pub number: String,
    /// For each value of `y` a number at each value of `x`; none where there is no answer.
    pub cells: Grid<Vec<Vec<Option<RBig>>>>,
}

/// The probability of every outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Pmf {
    /// What lies from left to right: `total`.
    pub x: String,
    /// The names of the bands that shade the bars, worst first; empty if nothing does.
    pub bands: Vec<String>,
    /// The panels.
    pub bars: Grid<PmfBars>,
}

/// The bars of one panel of a [`Pmf`]; none if the rules forbid what it is about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PmfBars {
    /// Outcomes, ascending.
    pub outcomes: Vec<i64>,
    /// For each outcome its probability together with each band; one number if there are no bands. Probabilities of
    /// a panel sum to 1, or less if not all outcomes are shown.
    pub shares: Vec<Vec<RBig>>,
    /// For each outcome the probability of at least as much.
    pub at_least: Vec<RBig>,
}

impl Figure {
    /// The figure with its words as they are printed: minus signs are minus signs, and what is no character is a space.
    pub(crate) fn typeset(&self) -> Self {
        let mut typeset = self.clone();
        let one = |word: &mut String| *word = printable(&oddsmith_numbers::typeset(word));
        one(&mut typeset.title);
        one(&mut typeset.subtitle);
        match &mut typeset.plot {
            Plot::Bands(plot) => {
                plot.x.each_word(one);
                plot.bands.iter_mut().for_each(one);
                plot.shares.each_heading(one);
            }
            Plot::Lines(plot) => {
                plot.x.each_word(one);
                plot.series.iter_mut().for_each(one);
                plot.values.each_heading(one);
                [&mut plot.y, &mut plot.by].into_iter().for_each(one);
            }
            Plot::Heatmap(plot) => {
                plot.x.each_word(one);
                plot.y.each_word(one);
                one(&mut plot.number);
                plot.cells.each_heading(one);
            }
            Plot::Pmf(plot) => {
                one(&mut plot.x);
                plot.bands.iter_mut().for_each(one);
                plot.bars.each_heading(one);
            }
        }
        typeset
    }
}

/// The text with spaces in the place of characters that say something to machines only.
fn printable(text: &str) -> String {
    let is_printed = |c: char| !c.is_control() && !matches!(c, '\u{FFFE}' | '\u{FFFF}');
    let printed = text.chars().map(|c| if is_printed(c) { c } else { ' ' });
    printed.collect()
}

impl Axis {
    fn each_word(&mut self, change: impl Fn(&mut String)) {
        change(&mut self.name);
        if let Values::Labels(labels) = &mut self.values {
            labels.iter_mut().for_each(change);
        }
    }
}

impl<T> Grid<T> {
    fn each_heading(&mut self, change: impl Fn(&mut String)) {
        self.columns
            .iter_mut()
            .chain(&mut self.rows)
            .for_each(change);
    }
}
