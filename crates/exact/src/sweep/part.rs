//! One group of queries of a sweep: its cut, its tables, its rows.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use oddsmith_dist::{Dist, IBig, UBig};
use oddsmith_rules::Config;
use oddsmith_rules::program::InputId;
use rayon::prelude::*;

use crate::evaluate::Env;
use crate::question::{Group, answer, moment_count, sum_moments};
use crate::residual::{Purpose, Residual, all_known, specialise};
use crate::states::States;
use crate::sweep::Sweep;
use crate::sweep::cut::{Cut, candidates, inputs_of_script, inputs_through};
use crate::sweep::kernel::{Cell, Kernel, Scratch, Shape};
use crate::track;
use crate::{Answer, Error};

/// A group of queries and how its rows are made.
#[derive(Debug)]
pub(crate) struct Part {
    group: Group,
    residual: Residual,
    moments: usize,
    method: Method,
}

#[derive(Debug)]
enum Method {
    /// Cumulative sums of shapes meet kernels.
    Cut {
        shapes: Table<Result<Shape, Error>>,
        shifts: Table<Result<i64, Error>>,
        kernels: Table<Kernel>,
    },
    /// Every combination of what the script reads, in a table.
    Whole(Table<Cell>),
    /// Row by row: no two rows share anything.
    Each,
    /// The rounds of a track or a contest: in a table as [`Method::Whole`], or row by row.
    Rounds(Option<Table<Result<Vec<Answer>, Error>>>),
}

/// Something for each combination of some of the swept inputs.
#[derive(Debug)]
pub(crate) struct Table<T> {
    /// For each swept input, how far apart its values are; 0 where it does not matter.
    strides: Vec<usize>,
    cells: Vec<T>,
}

impl<T> Table<Option<T>> {
    /// The table, if every cell is there.
    fn complete(self) -> Option<Table<T>> {
        let cells: Option<Vec<T>> = self.cells.into_iter().collect();
        Some(Table {
            strides: self.strides,
            cells: cells?,
        })
    }
}

impl<T: Send> Table<T> {
    /// Fills a table over the inputs in `axes`, in parallel; `make` gets the places of all swept inputs.
    fn fill(sweep: &Sweep<'_>, axes: &[InputId], make: impl Fn(&[usize]) -> T + Sync) -> Self {
        let lens: Vec<usize> = sweep
            .ranges
            .iter()
            .map(|range| range.values.len())
            .collect();
        let used: Vec<bool> = sweep
            .ranges
            .iter()
            .map(|range| axes.contains(&range.input))
            .collect();
        let mut strides = vec![0; lens.len()];
        let mut size = 1;
        for at in (0..lens.len()).rev().filter(|&at| used[at]) {
            strides[at] = size;
            size *= lens[at];
        }
        let places = |cell: usize| -> Vec<usize> {
            (0..lens.len())
                .map(|at| {
                    if used[at] {
                        cell / strides[at] % lens[at]
                    } else {
                        0
                    }
                })
                .collect()
        };
        let cells = (0..size)
            .into_par_iter()
            .map(|cell| make(&places(cell)))
            .collect();
        Self { strides, cells }
    }

    /// The same table of something else.
    fn map<U>(self, change: impl Fn(T) -> U) -> Table<U> {
        Table {
            strides: self.strides,
            cells: self.cells.into_iter().map(change).collect(),
        }
    }

    pub(crate) fn at(&self, places: &[usize]) -> &T {
        let cell: usize = self
            .strides
            .iter()
            .zip(places)
            .map(|(stride, place)| stride * place)
            .sum();
        &self.cells[cell]
    }
}

/// Tables with more cells than this are not worth their memory.
const MOST_CELLS: u128 = 1 << 20;

/// Tables of distributions with more bytes than this are not worth their memory: 256 MB.
const MOST_KEPT: u64 = 1 << 28;

/// A kernel cell is taken to cost as much as this many rows: a script run against a few products.
const KERNEL_ROWS: u128 = 20;

impl Part {
    /// Chooses the cheapest method and fills its tables.
    pub(crate) fn plan(sweep: &Sweep<'_>, group: &Group) -> Result<Self, Error> {
        let is_swept = |id: InputId| sweep.ranges.iter().any(|range| range.input == id);
        let known = |id: InputId| {
            if is_swept(id) {
                None
            } else {
                Some(sweep.base.0[id.0])
            }
        };
        let for_purpose = |purpose| specialise(sweep.check, &known, &group.outcomes, purpose);
        let moments = group
            .queries
            .iter()
            .map(|&place| moment_count(&sweep.queries[place]))
            .sum();
        let mut part = Self {
            residual: for_purpose(Purpose::Cut),
            group: group.clone(),
            moments,
            method: Method::Each,
        };
        let rows = sweep.combinations(sweep.ranges.iter().map(|range| range.input));
        let whole_axes = part.whole_axes(sweep);
        let whole = sweep.combinations(whole_axes.iter().copied());
        if sweep.check.rounds.is_some() {
            let has_table = whole <= MOST_CELLS && whole < rows;
            part.method = Method::Rounds(None);
            part.predict(sweep, if has_table { whole } else { rows })?;
            let table = has_table.then(|| {
                Table::fill(sweep, &whole_axes, |places| {
                    part.rounds(sweep, &sweep.config_at(places))
                })
            });
            part.method = Method::Rounds(table);
            return Ok(part);
        }
        let best = candidates(&part.residual)
            .into_iter()
            .map(|cut| (part.cut_cost(sweep, &cut), cut))
            .min_by_key(|(cost, _)| *cost);
        let cut = match best {
            Some((cost, cut)) if cost < whole => part.fill_cut(sweep, &cut, rows)?,
            _ => None,
        };
        if cut.is_none() {
            part.residual = for_purpose(Purpose::Run);
        }
        part.method = match cut {
            Some(method) => method,
            None if whole <= MOST_CELLS && whole < rows => {
                part.predict(sweep, whole)?;
                Method::Whole(Table::fill(sweep, &whole_axes, |places| {
                    part.cell(sweep, &sweep.config_at(places))
                }))
            }
            None => {
                part.predict(sweep, rows)?;
                Method::Each
            }
        };
        Ok(part)
    }

    /// The swept inputs that matter at all.
    fn whole_axes(&self, sweep: &Sweep<'_>) -> Vec<InputId> {
        let mut axes = inputs_of_script(&self.residual.script, &self.residual.fixed);
        axes.extend(self.end_axes(sweep));
        axes
    }

    /// The inputs that results and queries read at the end.
    fn end_axes(&self, sweep: &Sweep<'_>) -> Vec<InputId> {
        let queries = self
            .group
            .queries
            .iter()
            .flat_map(|&place| sweep.queries[place].parts());
        let exprs = self.residual.results.iter().chain(queries);
        exprs
            .flat_map(|expr| inputs_through(expr, &self.residual.fixed))
            .collect()
    }

    /// The combinations that the tables of a cut would hold, as rows of work.
    fn cut_cost(&self, sweep: &Sweep<'_>, cut: &Cut) -> u128 {
        let (before, after) = self.cut_axes(sweep, cut);
        let shapes = sweep.combinations(before.into_iter());
        let kernels = sweep.combinations(after.into_iter());
        let shifts =
            sweep.combinations(inputs_through(&cut.shift, &self.residual.fixed).into_iter());
        if shapes.max(kernels).max(shifts) > MOST_CELLS {
            return u128::MAX;
        }
        shapes.saturating_add(kernels.saturating_mul(KERNEL_ROWS))
    }

    fn cut_axes(&self, sweep: &Sweep<'_>, cut: &Cut) -> (Vec<InputId>, Vec<InputId>) {
        let before = inputs_of_script(&cut.before, &self.residual.fixed);
        let mut after = inputs_of_script(&cut.after, &self.residual.fixed);
        after.extend(self.end_axes(sweep));
        (before, after)
    }

    /// The tables of a cut; none if its kernels would be more work than the rows themselves, or its rolls more
    /// than memory should hold.
    fn fill_cut(&self, sweep: &Sweep<'_>, cut: &Cut, rows: u128) -> Result<Option<Method>, Error> {
        let (before, after) = self.cut_axes(sweep, cut);
        let shift_axes = inputs_through(&cut.shift, &self.residual.fixed);
        let shifts = Table::fill(sweep, &shift_axes, |places| {
            let config = sweep.config_at(places);
            self.env(sweep, &config).number(&cut.shift)
        });
        let kept = AtomicU64::new(0);
        let rolls = Table::fill(sweep, &before, |places| {
            if kept.load(Ordering::Relaxed) > MOST_KEPT {
                return None;
            }
            let roll = self.roll_cut(sweep, cut, &sweep.config_at(places));
            let bytes = roll.as_ref().map_or(0, Shape::bytes);
            kept.fetch_add(bytes, Ordering::Relaxed);
            Some(roll)
        });
        let Some(rolls) = rolls.complete() else {
            return Ok(None);
        };
        let intervals = cut_values(&rolls, &shifts);
        let values: u128 = intervals
            .iter()
            .map(|(low, high)| u128::from(high.abs_diff(*low)) + 1)
            .sum();
        let kernels = sweep.combinations(after.iter().copied());
        let cells = kernels.saturating_mul(values);
        // A row from the beginning goes through what follows once for each outcome of what leads there.
        let outcomes = rolls
            .cells
            .iter()
            .filter_map(|roll| roll.as_ref().ok())
            .map(Dist::len);
        let average = (outcomes.sum::<usize>() / rolls.cells.len()).max(1) as u128;
        if cells > rows.saturating_mul(average) || cells > MOST_CELLS {
            return Ok(None);
        }
        let steps = cells.saturating_mul(u128::from(super::ROW_STEPS) * KERNEL_ROWS);
        sweep
            .budget
            .charge(steps)
            .map_err(|_| super::over_budget(sweep.check, sweep.ranges, steps, sweep.budget))?;
        let kernels = Table::fill(sweep, &after, |places| {
            self.kernel(sweep, cut, &intervals, &sweep.config_at(places))
        });
        let shapes = rolls.map(|roll| roll.map(|dist| Shape::new(&dist)));
        Ok(Some(Method::Cut {
            shapes,
            shifts,
            kernels,
        }))
    }

    fn env<'e>(&'e self, sweep: &'e Sweep<'_>, config: &'e Config) -> Env<'e> {
        Env::new(
            &sweep.check.source,
            config,
            sweep.budget,
            &sweep.cache,
            &self.residual,
        )
    }

    /// What leads to the cut value, without its shift.
    fn roll_cut(&self, sweep: &Sweep<'_>, cut: &Cut, config: &Config) -> Result<Dist, Error> {
        let mut env = self.env(sweep, config);
        let states = env.run(&cut.before, &[], States::certain(Vec::new()))?;
        let pairs = states
            .entries
            .into_iter()
            .map(|(key, weight)| (key[0], weight));
        Ok(Dist::from_weights(pairs).expect("what happens has a positive weight"))
    }

    fn kernel(
        &self,
        sweep: &Sweep<'_>,
        cut: &Cut,
        intervals: &[(i64, i64)],
        config: &Config,
    ) -> Kernel {
        let mut env = self.env(sweep, config);
        let before = [cut.var];
        let vars = cut.after.final_vars(&before);
        let values = intervals.iter().flat_map(|&(low, high)| low..=high);
        let cells = values.map(|value| {
            let states = env.run(&cut.after, &before, States::certain(vec![value]));
            let cell = states.and_then(|states| {
                let moments = sum_moments(
                    &mut env,
                    &self.residual.results,
                    vars,
                    &self.group,
                    sweep.queries,
                    &states,
                )?;
                Ok((moments, states.total))
            });
            (value, cell)
        });
        Kernel::new(cells.collect())
    }

    /// The answers of one configuration of a track or a contest.
    fn rounds(&self, sweep: &Sweep<'_>, config: &Config) -> Result<Vec<Answer>, Error> {
        let ask = |group: &Group| {
            let means = (sweep.budget, &sweep.cache);
            track::group_answers(sweep.check, config, sweep.queries, group, means)
        };
        match ask(&self.group) {
            // One question may have no answer where the others have.
            Err(Error::NeverEnds { .. }) => {}
            made => return made,
        }
        let alone = |&place: &usize| {
            let group = Group {
                outcomes: self.group.outcomes.clone(),
                queries: vec![place],
            };
            match ask(&group) {
                Ok(mut answers) => Ok(answers.remove(0)),
                Err(Error::NeverEnds { .. }) => Ok(Answer::nothing()),
                Err(error) => Err(error),
            }
        };
        self.group.queries.iter().map(alone).collect()
    }

    /// The moments of one configuration, from the beginning.
    fn cell(&self, sweep: &Sweep<'_>, config: &Config) -> Cell {
        if self.residual.script.goals().is_empty() {
            return self.play(sweep, config, &self.residual);
        }
        // Most configurations leave nothing to choose, and that shows only when all of them is known.
        let (outcomes, purpose) = (&self.group.outcomes, Purpose::Run);
        let residual = specialise(sweep.check, &all_known(config), outcomes, purpose);
        self.play(sweep, config, &residual)
    }

    /// The moments of a script that is played from the beginning.
    fn play(&self, sweep: &Sweep<'_>, config: &Config, residual: &Residual) -> Cell {
        let (source, cache) = (&sweep.check.source, &sweep.cache);
        let mut env = Env::new(source, config, sweep.budget, cache, residual);
        let states = env.run(&residual.script, &[], States::certain(Vec::new()))?;
        let moments = sum_moments(
            &mut env,
            &residual.results,
            residual.script.final_vars(&[]),
            &self.group,
            sweep.queries,
            &states,
        )?;
        Ok((moments, states.total))
    }

    /// Runs the first and the last configuration to learn their cost, and refuses if so many like the dearer
    /// one are over the budget.
    fn predict(&self, sweep: &Sweep<'_>, cells: u128) -> Result<(), Error> {
        let last: Vec<usize> = sweep
            .ranges
            .iter()
            .map(|range| range.values.len() - 1)
            .collect();
        let mut dearest = super::ROW_STEPS;
        for places in [vec![0; sweep.ranges.len()], last] {
            let spent = sweep.budget.spent();
            // A rule that fails is its row's to report.
            let config = sweep.config_at(&places);
            let tried = match self.method {
                Method::Rounds(_) => self.rounds(sweep, &config).map(|_| ()),
                _ => self.cell(sweep, &config).map(|_| ()),
            };
            if let Err(error @ Error::OverBudget { .. }) = tried {
                return Err(error);
            }
            dearest = dearest.max(sweep.budget.spent() - spent);
        }
        let predicted = u128::from(dearest).saturating_mul(cells);
        if predicted.saturating_add(u128::from(sweep.budget.spent()))
            > u128::from(sweep.budget.limit())
        {
            return Err(super::over_budget(
                sweep.check,
                sweep.ranges,
                predicted,
                sweep.budget,
            ));
        }
        Ok(())
    }

    /// Room for one row's sums.
    pub(crate) fn scratch(&self) -> Scratch {
        Scratch::new(self.moments)
    }

    /// Answers the group's queries for one row.
    pub(crate) fn answer(
        &self,
        sweep: &Sweep<'_>,
        places: &[usize],
        scratch: &mut Scratch,
        sums: &mut Vec<IBig>,
        answers: &mut [Answer],
    ) -> Result<(), Error> {
        let total: UBig = match &self.method {
            Method::Rounds(table) => {
                let made = match table {
                    Some(table) => table.at(places).clone()?,
                    None => self.rounds(sweep, &sweep.config_at(places))?,
                };
                for (&place, answer) in self.group.queries.iter().zip(made) {
                    answers[place] = answer;
                }
                return Ok(());
            }
            Method::Cut {
                shapes,
                shifts,
                kernels,
            } => {
                let shape = shapes.at(places).as_ref().map_err(Clone::clone)?;
                let shift = *shifts.at(places).as_ref().map_err(Clone::clone)?;
                let kernel = kernels.at(places);
                kernel.meet(shape, shift, scratch)?;
                scratch.sums(sums);
                &shape.total * &kernel.total
            }
            Method::Whole(table) => {
                let (moments, total) = table.at(places).as_ref().map_err(Clone::clone)?;
                sums.clone_from(moments);
                total.clone()
            }
            Method::Each => {
                let (moments, total) = self.cell(sweep, &sweep.config_at(places))?;
                *sums = moments;
                total
            }
        };
        let mut at = 0;
        for &place in &self.group.queries {
            let count = moment_count(&sweep.queries[place]);
            answers[place] = answer(&sweep.queries[place], &sums[at..at + count], &total);
            at += count;
        }
        Ok(())
    }
}

/// Every value that the cut variable can have in some row, as disjoint intervals in ascending order.
fn cut_values(
    rolls: &Table<Result<Dist, Error>>,
    shifts: &Table<Result<i64, Error>>,
) -> Vec<(i64, i64)> {
    let good = || rolls.cells.iter().filter_map(|roll| roll.as_ref().ok());
    let (Some(low), Some(high)) = (good().map(Dist::min).min(), good().map(Dist::max).max()) else {
        return Vec::new();
    };
    let shifts: BTreeSet<i64> = shifts
        .cells
        .iter()
        .filter_map(|shift| shift.as_ref().ok().copied())
        .collect();
    let mut intervals: Vec<(i64, i64)> = Vec::new();
    for shift in shifts {
        let (from, to) = (low.saturating_add(shift), high.saturating_add(shift));
        match intervals.last_mut() {
            Some((_, end)) if from <= end.saturating_add(1) => *end = to.max(*end),
            _ => intervals.push((from, to)),
        }
    }
    intervals
}

impl Sweep<'_> {
    /// The combinations of the swept inputs among `axes`, which may repeat.
    fn combinations(&self, axes: impl Iterator<Item = InputId>) -> u128 {
        let axes: BTreeSet<InputId> = axes.collect();
        let used = self
            .ranges
            .iter()
            .filter(|range| axes.contains(&range.input));
        used.fold(1, |product, range| {
            product.saturating_mul(range.values.len() as u128)
        })
    }
}
