//! What steps are worth as a picture.

use anyhow::Result;
use oddsmith_analysis::levers::Step;
use oddsmith_analysis::value::Summary;
use oddsmith_exact::RBig;
use oddsmith_report::{Axis, Figure, Grid, Heatmap, Lines, Plot, Unit, Values};

use crate::advice::Advice;
use crate::format::value_view::{column, swept};
use oddsmith::valuation::{Shift, Valuation, ValuedLever};

/// Of a single number that is moved, a line for each band along its steps up; of several levers a heat map, with a row
/// for each step that changes something and a column for each band.
///
/// # Errors
/// Where nothing changes.
pub(super) fn figure(valuation: &Valuation) -> Result<Figure> {
    let drawing = Drawing::of(valuation);
    let (what, plot) = match valuation.levers.as_slice() {
        [only] if !only.is_label() && steps_up(only).count() > 1 => {
            let what = format!("What each step of {} is worth", only.values.title);
            (what, Plot::Lines(drawing.lines(only)))
        }
        levers => {
            let what = "What one step is worth".to_owned();
            (what, Plot::Heatmap(drawing.heatmap(levers)?))
        }
    };
    let title = match valuation.axes.is_empty() {
        true => what,
        false => format!("{what}, typically"),
    };
    Ok(Figure {
        title,
        subtitle: subtitle(valuation),
        plot,
    })
}

/// The game and the check, what is set, and what is swept.
fn subtitle(valuation: &Valuation) -> String {
    let mut swept = swept(valuation);
    if !swept.is_empty() {
        swept += "; medians over those that a step changes, no answer where these go both ways";
    }
    let parts = [valuation.settings.clone(), swept];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    match parts.is_empty() {
        true => valuation.title.clone(),
        false => format!("{}: {}", valuation.title, parts.join("; ")),
    }
}

/// The steps of a number that go up, in their order.
fn steps_up(moved: &ValuedLever) -> impl Iterator<Item = (&Step, &Summary)> {
    let steps = moved.lever.steps.iter().zip(&moved.steps);
    steps.filter(|(step, _)| moved.lever.is_up(**step))
}

/// What is drawn of each step.
struct Drawing<'v> {
    valuation: &'v Valuation,
    /// The columns that are of the same kind as the yardstick.
    columns: Vec<usize>,
    unit: Unit,
}

impl<'v> Drawing<'v> {
    fn of(valuation: &'v Valuation) -> Self {
        let is_probability = |at: &usize| valuation.columns[*at].kind.is_probability();
        let wanted = is_probability(&valuation.yardstick);
        let columns = valuation.main_columns().into_iter();
        Self {
            valuation,
            columns: columns.filter(|at| is_probability(at) == wanted).collect(),
            unit: if wanted {
                Unit::Points
            } else {
                Unit::Difference
            },
        }
    }

    /// The typical change of a column; nothing is typical of what goes both ways.
    fn change(&self, summary: &Summary, column: usize) -> Option<RBig> {
        let change = summary.changes[column].as_ref()?;
        (!change.goes_both_ways()).then(|| change.typical.clone())
    }

    /// What is drawn, in words.
    fn number(&self) -> &'static str {
        match self.unit {
            Unit::Points => "change in points",
            _ => "change",
        }
    }

    fn names(&self) -> Vec<String> {
        self.columns
            .iter()
            .map(|&at| column(self.valuation, at))
            .collect()
    }

    /// A line for each column, along the values to which the steps lead.
    fn lines(&self, moved: &ValuedLever) -> Lines {
        let values = steps_up(moved).map(|(step, _)| moved.lever.values[step.to]);
        let line = |&column: &usize| {
            let changes = steps_up(moved).map(|(_, summary)| self.change(summary, column));
            changes.collect()
        };
        Lines {
            x: Axis {
                name: format!("the step to {}", moved.values.title),
                values: Values::Numbers(values.collect()),
            },
            unit: self.unit,
            y: self.number().to_owned(),
            by: String::new(),
            series: self.names(),
            values: Grid::of(self.columns.iter().map(line).collect()),
        }
    }

    /// The first lever on top.
    fn heatmap(&self, levers: &[ValuedLever]) -> Result<Heatmap> {
        let shifts = levers.iter().flat_map(ValuedLever::shifts);
        let mut shifts: Vec<_> = shifts
            .filter(|shift| shift.changes(&self.columns))
            .collect();
        shifts.reverse();
        if shifts.is_empty() {
            let message = "there is nothing to draw: no step changes anything";
            return Err(Advice::error(
                message,
                "set what they depend on, or name others with `--lever`",
            ));
        }
        let row = |summary: &Summary| {
            let columns = self.columns.iter();
            columns
                .map(|&column| self.change(summary, column))
                .collect()
        };
        Ok(Heatmap {
            x: Axis {
                name: "reached".to_owned(),
                values: Values::Labels(self.names()),
            },
            y: Axis {
                name: "step".to_owned(),
                values: Values::Labels(shifts.iter().map(Shift::told).collect()),
            },
            unit: self.unit,
            number: self.number().to_owned(),
            cells: Grid::of(shifts.iter().map(|shift| row(shift.summary)).collect()),
        })
    }
}
