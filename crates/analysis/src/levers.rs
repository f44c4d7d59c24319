//! Levers: inputs that can be moved step by step, and what a check answers on either side of each step.

use oddsmith_exact::{Answer, Budget, Error, Row};
use oddsmith_rules::program::{Expr, InputId, Kind};
use oddsmith_rules::{Check, Config, Domain, InputRange, Query};

use crate::memory;
use crate::rows::Rows;

/// An input with values in their order, and the steps between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lever {
    /// The input that is moved.
    pub input: InputId,
    /// The values; all different.
    pub values: Vec<i64>,
    /// The steps that are looked at.
    pub steps: Vec<Step>,
}

/// A step from one value of a lever to another: their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The place of the value from which it starts.
    pub from: usize,
    /// The place of the value to which it leads.
    pub to: usize,
}

impl Lever {
    /// The steps from each value of a sweep to the next one.
    #[must_use]
    pub fn swept(range: &InputRange) -> Self {
        let starts = 1..range.values.len();
        Self {
            input: range.input,
            values: range.values.clone(),
            steps: starts.map(|to| Step { from: to - 1, to }).collect(),
        }
    }

    /// The steps away from the value that `config` has: from label to every other label; of a number up to `reach` steps
    /// up, then as many down, each from where the one before has led. Their values are those that the ruleset sweeps, if
    /// this one is among them, and else all whole numbers of the domain. None if there is nowhere to go.
    #[must_use]
    pub fn held(check: &Check, input: InputId, config: &Config, reach: usize) -> Option<Self> {
        let declared = &check.inputs[input.0];
        let value = config[input];
        let (values, steps) = match &declared.domain {
            Domain::Choice(choice) => {
                let values: Vec<i64> = (0..).take(choice.labels().len()).collect();
                let from = values.iter().position(|own| *own == value)?;
                let others = (0..values.len()).filter(|to| *to != from);
                let steps = others.map(|to| Step { from, to }).collect();
                (values, steps)
            }
            Domain::Range(low, high) => {
                let values = around(&declared.sweep, (*low, *high), value, reach);
                let from = values.iter().position(|own| *own == value)?;
                let up = (from + 1..values.len()).map(|to| Step { from: to - 1, to });
                let down = (0..from).rev().map(|to| Step { from: to + 1, to });
                let steps: Vec<Step> = up.chain(down).collect();
                (values, steps)
            }
        };
        (!steps.is_empty()).then_some(Self {
            input,
            values,
            steps,
        })
    }

    /// Whether a step goes up, to a later value.
    #[must_use]
    pub fn is_up(&self, step: Step) -> bool {
        step.to > step.from
    }
}

/// The configuration of a number in the sweep of some ranges, the last one fastest; all else is as in `base`.
///
/// # Panics
/// As [`Config::put`].
#[must_use]
pub fn configuration(base: &Config, ranges: &[InputRange], number: u64) -> Config {
    let (mut config, mut rest) = (base.clone(), number);
    for range in ranges.iter().rev() {
        let len = range.values.len() as u64;
        let place = usize::try_from(rest % len).expect("less than a length");
        config.put(range.input, range.values[place]);
        rest /= len;
    }
    config
}

/// Whether a check looks at an input: in its script, in what it requires, or in what its choices strive for.
#[must_use]
pub fn is_read(check: &Check, input: InputId) -> bool {
    let reads =
        |expr: &Expr| expr.any(&mut |part| matches!(part.kind, Kind::Input(id) if id == input));
    let mut is_read = check
        .requires
        .iter()
        .any(|required| reads(&required.condition));
    for statement in check.program().statements() {
        statement.for_each_part(&mut |part| is_read = is_read || reads(part));
    }
    is_read || check.goal.iter().any(|goal| reads(&goal.value))
}

/// The values nearest to one, up to `reach` on either side, ascending.
fn around(sweep: &[i64], (low, high): (i64, i64), value: i64, reach: usize) -> Vec<i64> {
    let mut values: Vec<i64> = if sweep.contains(&value) {
        sweep.to_vec()
    } else {
        let reach = i64::try_from(reach).unwrap_or(i64::MAX);
        (low.max(value.saturating_sub(reach))..=high.min(value.saturating_add(reach))).collect()
    };
    values.sort_unstable();
    let at = values.partition_point(|own| *own < value);
    let end = values.len().min(at.saturating_add(reach).saturating_add(1));
    values[at.saturating_sub(reach)..end].to_vec()
}

/// The answers in every configuration of a sweep, held in memory.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    /// The check that is rolled.
    pub check: &'a Check,
    /// The values of all inputs that are not swept.
    pub config: &'a Config,
    /// The inputs that are swept; the last one is the fastest.
    pub ranges: &'a [InputRange],
    /// The queries that are asked.
    pub queries: &'a [Query],
    budget: &'a Budget,
    grid: Grid,
}

/// An answer to each query in each configuration; none where the rules forbid it.
type Grid = Vec<Option<Vec<Answer>>>;

impl<'a> Field<'a> {
    /// Asks in every configuration of the sweep.
    ///
    /// # Errors
    /// As [`oddsmith_exact::answers`].
    pub fn of(
        check: &'a Check,
        config: &'a Config,
        ranges: &'a [InputRange],
        queries: &'a [Query],
        budget: &'a Budget,
    ) -> Result<Self, Error> {
        let mut field = Self {
            check,
            config,
            ranges,
            queries,
            budget,
            grid: Vec::new(),
        };
        field.grid = field.grid_around(config)?;
        Ok(field)
    }

    /// The number of configurations, with those that the rules forbid.
    #[must_use]
    pub fn len(&self) -> usize {
        self.grid.len()
    }

    /// Whether there are none: a sweep has no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.grid.is_empty()
    }

    /// The answers in a configuration; none if the rules forbid it.
    #[must_use]
    pub fn answers(&self, at: usize) -> Option<&[Answer]> {
        self.grid[at].as_deref()
    }

    /// The configuration at a place of the sweep.
    #[must_use]
    pub fn config_at(&self, at: usize) -> Config {
        configuration(self.config, self.ranges, at as u64)
    }

    /// Asks what is not known yet of a lever: where it is not swept, a sweep for each of its values.
    ///
    /// # Errors
    /// As [`oddsmith_exact::answers`].
    pub fn line<'f>(&'f self, lever: &'f Lever) -> Result<Line<'f>, Error> {
        let mut ranges = self.ranges.iter();
        if let Some(axis) = ranges.position(|range| range.input == lever.input) {
            let lengths = self.ranges.iter().map(|range| range.values.len());
            return Ok(Line {
                field: self,
                lever,
                rows: self.len() / lever.values.len().max(1),
                stride: lengths.skip(axis + 1).product(),
                elsewhere: Vec::new(),
            });
        }
        let mut line = Line {
            field: self,
            lever,
            rows: self.len(),
            stride: 1,
            elsewhere: Vec::new(),
        };
        for value in &lever.values {
            let mut config = self.config.clone();
            config.put(lever.input, *value);
            let grid = (config != *self.config).then(|| self.grid_around(&config));
            line.elsewhere.push(grid.transpose()?);
        }
        Ok(line)
    }

    /// The answers in every configuration of the sweep around another one.
    fn grid_around(&self, config: &Config) -> Result<Grid, Error> {
        let Self {
            check,
            ranges,
            queries,
            budget,
            ..
        } = self;
        let rows = Rows::of(check, config, ranges, queries, budget);
        if let Err(Error::Requirement { .. }) = rows
            && *config != *self.config
        {
            // A neighbour that the rules forbid altogether is like one that they forbid somewhere.
            return self.grid_of(self.len() as u64);
        }
        let rows = rows?;
        let mut grid = self.grid_of(rows.configurations())?;
        let keep = |row: &Row<'_>, rows: &mut Vec<(u64, Vec<Answer>)>| {
            rows.push((row.number, row.answers.iter().map(Answer::from).collect()));
        };
        rows.run(keep, |rows| {
            for (number, answers) in rows {
                let at = usize::try_from(number).expect("a place in the grid");
                grid[at] = Some(answers);
            }
            Ok::<(), Error>(())
        })?;
        Ok(grid)
    }

    /// Room for the answers in so many configurations.
    fn grid_of(&self, configurations: u64) -> Result<Grid, Error> {
        let what = || format!("to hold the answers in {configurations} configurations");
        memory::charge(self.budget, configurations, self.queries.len(), what)?;
        Ok(vec![
            None;
            usize::try_from(configurations).unwrap_or(usize::MAX)
        ])
    }
}

/// A lever across a field: a row for each configuration of all else, in the order of the sweep, and in each row the
/// answers at every value of the lever.
#[derive(Debug)]
pub struct Line<'f> {
    field: &'f Field<'f>,
    /// The lever that is moved.
    pub lever: &'f Lever,
    /// How many rows there are.
    pub rows: usize,
    /// How far apart neighbouring values are in the field, if the lever is swept.
    stride: usize,
    /// If it is not: the answers at each of its values; none at the one that the field has.
    elsewhere: Vec<Option<Grid>>,
}

/// Memory that a lever alone has needed is free again.
impl Drop for Line<'_> {
    fn drop(&mut self) {
        for grid in self.elsewhere.iter().flatten() {
            memory::release(
                self.field.budget,
                grid.len() as u64,
                self.field.queries.len(),
            );
        }
    }
}

impl Line<'_> {
    /// The answers in a row at a value; none if the rules forbid it.
    #[must_use]
    pub fn answers(&self, row: usize, place: usize) -> Option<&[Answer]> {
        match self.elsewhere.get(place) {
            Some(Some(grid)) => grid[row].as_deref(),
            _ => self.field.answers(self.place(row, place)?),
        }
    }

    /// The place of a row in the field at a value; none if that value is not in the field.
    #[must_use]
    pub fn place(&self, row: usize, place: usize) -> Option<usize> {
        match self.elsewhere.get(place) {
            None => {
                let (before, after) = (row / self.stride, row % self.stride);
                Some((before * self.lever.values.len() + place) * self.stride + after)
            }
            Some(None) => Some(row),
            Some(Some(_)) => None,
        }
    }

    /// The configuration of a row at a value.
    #[must_use]
    pub fn config_at(&self, row: usize, place: usize) -> Config {
        let mut config = self.field.config_at(self.place(row, place).unwrap_or(row));
        config.put(self.lever.input, self.lever.values[place]);
        config
    }
}
