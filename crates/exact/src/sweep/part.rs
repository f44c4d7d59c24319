//! One group of queries of a sweep: its cut, its tables, its rows.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use oddsmith_dist::{Budget, Dist};
use oddsmith_rules::program::{Expr, InputId};
use oddsmith_rules::{Config, Query};

use crate::evaluate::Env;
use crate::question::{Group, answers_of};
use crate::residual::{Purpose, Residual, all_known, specialise};
use crate::states::States;
use crate::sweep::cut::{Cut, candidates, inputs_of_script, inputs_through};
use crate::sweep::kernel::Kernel;
use crate::sweep::meet::Scratch;
use crate::sweep::row::{LineAnswers, Stored};
use crate::sweep::rows::set_last;
use crate::sweep::shape::Shape;
use crate::sweep::table::Table;
use crate::sweep::{Sweep, Work};
use crate::track;
use crate::{Answer, Error};

/// A group of queries and how its rows are made.
#[derive(Debug)]
pub(crate) struct Part {
    pub(super) group: Group,
    pub(super) residual: Residual,
    method: Method,
    /// What was played to learn its cost, by its places.
    tried: Vec<(Vec<usize>, Made)>,
}

#[derive(Debug)]
enum Method {
    /// Cumulative sums of shapes meet kernels.
    Cut(CutTables),
    /// Every combination of what is read, in a table.
    Whole(Table<Made>),
    /// Row by row: no two rows share anything.
    Each,
}

#[derive(Debug)]
struct CutTables {
    shapes: Table<Result<Shape, Error>>,
    shifts: Table<Result<i64, Error>>,
    kernels: Table<Kernel>,
}

/// The answers of a configuration that is played from the beginning.
type Made = Result<Vec<Stored>, Error>;

/// Tables with more cells than this are not worth their memory.
const MOST_CELLS: u128 = 1 << 20;

/// Tables of distributions with more bytes than this are not worth their memory: 256 MB.
const MOST_KEPT: u64 = 1 << 28;

/// A kernel cell is taken to cost as much as this many rows: a script run against a few products.
const KERNEL_ROWS: u128 = 20;

impl Part {
    /// Chooses the cheapest method and fills its tables; of all that is played from the beginning only where all rows
    /// are wanted.
    pub(crate) fn plan(sweep: &Sweep<'_>, group: &Group, work: Work) -> Result<Self, Error> {
        let is_swept = |id: InputId| sweep.ranges.iter().any(|range| range.input == id);
        let known = |id: InputId| {
            if is_swept(id) {
                None
            } else {
                Some(sweep.base.0[id.0])
            }
        };
        let for_purpose = |purpose| specialise(sweep.check, &known, &group.outcomes, purpose);
        let mut part = Self {
            residual: for_purpose(Purpose::Cut),
            group: group.clone(),
            method: Method::Each,
            tried: Vec::new(),
        };
        let rows = sweep.combinations(sweep.ranges.iter().map(|range| range.input));
        let whole_axes = part.whole_axes(sweep);
        let whole = sweep.combinations(whole_axes.iter().copied());
        if sweep.check.rounds.is_none() {
            let best = candidates(&part.residual)
                .into_iter()
                .map(|cut| (part.cut_cost(sweep, &cut), cut))
                .min_by_key(|(cost, _)| *cost);
            if let Some((cost, cut)) = best
                && cost < whole
                && let Some(method) = part.fill_cut(sweep, &cut, rows)?
            {
                part.method = method;
                return Ok(part);
            }
            part.residual = for_purpose(Purpose::Run);
        }
        if work == Work::SomeRows {
            return Ok(part);
        }
        let has_table = whole <= MOST_CELLS && whole < rows;
        part.predict(sweep, &whole_axes, if has_table { whole } else { rows })?;
        if has_table {
            part.method = Method::Whole(Table::fill(sweep, &whole_axes, |places| {
                part.made(sweep, places)
            }));
        }
        Ok(part)
    }

    /// Whether no row is played from the beginning any more.
    pub(crate) fn is_shared(&self) -> bool {
        !matches!(self.method, Method::Each)
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
        let Some(shapes) = self.shapes(sweep, cut, &before) else {
            return Ok(None);
        };
        let Some(intervals) = cut_values(&shapes, &shifts) else {
            return Ok(None);
        };
        let values: u128 = intervals
            .iter()
            .map(|(low, high)| u128::from(high.abs_diff(*low)) + 1)
            .sum();
        let kernels = sweep.combinations(after.iter().copied());
        let cells = kernels.saturating_mul(values);
        // A row from the beginning goes through what follows once for each outcome of what leads there.
        let outcomes = shapes.cells.iter().flatten().map(Shape::outcomes);
        let average = (outcomes.sum::<usize>() / shapes.cells.len()).max(1) as u128;
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
        Ok(Some(Method::Cut(CutTables {
            shapes,
            shifts,
            kernels,
        })))
    }

    pub(super) fn env<'e>(&'e self, sweep: &'e Sweep<'_>, config: &'e Config) -> Env<'e> {
        Env::new(
            &sweep.check.source,
            config,
            sweep.budget,
            &sweep.cache,
            &self.residual,
        )
    }

    /// What leads to the cut value, without its shift; none if that is more than memory should hold.
    fn shapes(
        &self,
        sweep: &Sweep<'_>,
        cut: &Cut,
        axes: &[InputId],
    ) -> Option<Table<Result<Shape, Error>>> {
        let kept = AtomicU64::new(0);
        // More than everything is not counted, so that the sum can't wrap.
        let bytes = |dist: &Dist| Shape::bytes(dist).min(MOST_KEPT + 1);
        let keep = |dist: &Dist| kept.fetch_add(bytes(dist), Ordering::Relaxed);
        let is_full = || kept.load(Ordering::Relaxed) > MOST_KEPT;
        let term_table = |term: &Expr| {
            let axes = inputs_through(term, &self.residual.fixed);
            Table::fill(sweep, &axes, |places| {
                let config = sweep.config_at(places);
                let term = (!is_full()).then(|| self.env(sweep, &config).roll(term));
                let dist = term?.ok()?.into_dist();
                keep(&dist);
                Some(dist)
            })
        };
        let terms: Vec<Table<Option<Dist>>> = cut.terms.iter().map(term_table).collect();
        let shapes = Table::fill(sweep, axes, |places| {
            if is_full() {
                return None;
            }
            // Whatever can't be done so is done, or refused, the usual way.
            let roll = sum_at(&terms, places, sweep.budget)
                .map_or_else(|| self.roll_cut(sweep, cut, &sweep.config_at(places)), Ok);
            // A shape has room for every number between its ends: it is made only if that is not too much.
            roll.map(|dist| {
                keep(&dist);
                (!is_full()).then(|| Shape::new(&dist))
            })
            .transpose()
        });
        shapes.complete()
    }

    /// What leads to the cut value in one configuration.
    fn roll_cut(&self, sweep: &Sweep<'_>, cut: &Cut, config: &Config) -> Result<Dist, Error> {
        let mut env = self.env(sweep, config);
        let states = env.run(&cut.before, &[], States::certain(&[]))?;
        let pairs = states.iter().map(|(key, weight)| (key[0], weight.clone()));
        Ok(Dist::from_weights(pairs).expect("what happens has a positive weight"))
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

    /// The answers of one configuration of a check.
    fn cell(&self, sweep: &Sweep<'_>, config: &Config) -> Result<Vec<Answer>, Error> {
        if self.residual.script.goals().is_empty() {
            return self.play(sweep, config, &self.residual);
        }
        // Most configurations leave nothing to choose, and that shows only when all of them is known.
        let (outcomes, purpose) = (&self.group.outcomes, Purpose::Run);
        let residual = specialise(sweep.check, &all_known(config), outcomes, purpose);
        self.play(sweep, config, &residual)
    }

    /// The answers of a script that is played from the beginning.
    fn play(
        &self,
        sweep: &Sweep<'_>,
        config: &Config,
        residual: &Residual,
    ) -> Result<Vec<Answer>, Error> {
        let (source, cache) = (&sweep.check.source, &sweep.cache);
        let mut env = Env::new(source, config, sweep.budget, cache, residual);
        let states = env.run(&residual.script, &[], States::certain(&[]))?;
        let (vars, results) = (residual.script.final_vars(&[]), &residual.results);
        answers_of(&mut env, results, vars, &self.group, sweep.queries, &states)
    }

    /// The answers of one configuration, from the beginning.
    fn made(&self, sweep: &Sweep<'_>, places: &[usize]) -> Made {
        if let Some((_, made)) = self.tried.iter().find(|(tried, _)| tried == places) {
            return made.clone();
        }
        let config = sweep.config_at(places);
        let answers = if sweep.check.rounds.is_some() {
            self.rounds(sweep, &config)
        } else {
            self.cell(sweep, &config)
        };
        Ok(answers?.into_iter().map(Stored::from).collect())
    }

    /// Plays the first and the last configuration to learn their cost, and refuses if so many like the dearer
    /// one are over the budget.
    fn predict(&mut self, sweep: &Sweep<'_>, axes: &[InputId], cells: u128) -> Result<(), Error> {
        let last = sweep.ranges.iter().map(|range| {
            let matters = axes.contains(&range.input);
            if matters { range.values.len() - 1 } else { 0 }
        });
        let mut dearest = super::ROW_STEPS;
        for places in [vec![0; sweep.ranges.len()], last.collect()] {
            let spent = sweep.budget.spent();
            // A rule that fails is its row's to report.
            let made = self.made(sweep, &places);
            if let Err(error @ Error::OverBudget { .. }) = made {
                return Err(error);
            }
            self.tried.push((places, made));
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

    /// Answers the group's queries for rows in which only the last swept input varies, with these places; or says how
    /// many are done and why the next is not.
    pub(crate) fn answer(
        &self,
        sweep: &Sweep<'_>,
        (places, last): (&mut [usize], &[usize]),
        scratch: &mut Scratch,
        answers: &mut LineAnswers,
    ) -> Result<(), (usize, Error)> {
        let own = &self.group.queries;
        let mut put = |row: usize, made: &Made| {
            let made = made.as_ref().map_err(|error| (row, error.clone()))?;
            let answers = answers.each(row);
            for (&place, answer) in own.iter().zip(made) {
                answers[place].clone_from(answer);
            }
            Ok(())
        };
        match &self.method {
            Method::Cut(cut) => cut.answer((sweep.queries, own), (places, last), scratch, answers),
            Method::Whole(table) => {
                let line = table.along_last(places);
                let mut rows = last.iter().enumerate();
                rows.try_for_each(|(row, &place)| put(row, line.at(place)))
            }
            Method::Each => {
                let mut rows = last.iter().enumerate();
                rows.try_for_each(|(row, &place)| {
                    set_last(places, place);
                    put(row, &self.made(sweep, places))
                })
            }
        }
    }
}

impl CutTables {
    /// As [`Part::answer`], for the queries at some places.
    fn answer(
        &self,
        asked: (&[Query], &[usize]),
        (places, last): (&[usize], &[usize]),
        scratch: &mut Scratch,
        answers: &mut LineAnswers,
    ) -> Result<(), (usize, Error)> {
        let shapes = self.shapes.along_last(places);
        let shifts = self.shifts.along_last(places);
        let kernels = self.kernels.along_last(places);
        // Most often the last input only shifts.
        let alike = if shapes.varies() || kernels.varies() {
            1
        } else {
            last.len().max(1)
        };
        let mut done = 0;
        for last in last.chunks(alike) {
            let shape = shapes.at(last[0]).as_ref();
            let shape = shape.map_err(|error| (done, error.clone()))?;
            let shifts = last.iter().map(|&place| shifts.at(place));
            let (sums, stop) = kernels.at(last[0]).meet(shape, shifts, scratch);
            done += answers.put(asked, &sums, done);
            stop.map_err(|error| (done, error))?;
        }
        Ok(())
    }
}

/// The sum of what terms roll in one configuration.
fn sum_at(terms: &[Table<Option<Dist>>], places: &[usize], budget: &Budget) -> Option<Dist> {
    let mut terms = terms.iter().map(|term| term.at(places).as_ref());
    let first = terms.next()??.clone();
    terms.try_fold(first, |sum, term| sum.convolve(term?, budget).ok())
}

/// Every value that the cut variable can have in some row, as disjoint intervals in ascending order; none if one
/// leaves the range of 64 bits.
fn cut_values(
    shapes: &Table<Result<Shape, Error>>,
    shifts: &Table<Result<i64, Error>>,
) -> Option<Vec<(i64, i64)>> {
    let ends = shapes.cells.iter().flatten().map(Shape::ends);
    let Some((low, high)) = ends.reduce(|all, own| (all.0.min(own.0), all.1.max(own.1))) else {
        return Some(Vec::new());
    };
    let shifts: BTreeSet<i64> = shifts.cells.iter().flatten().copied().collect();
    let mut intervals: Vec<(i64, i64)> = Vec::new();
    for shift in shifts {
        let (from, to) = (low.checked_add(shift)?, high.checked_add(shift)?);
        match intervals.last_mut() {
            Some((_, end)) if from <= end.saturating_add(1) => *end = to.max(*end),
            _ => intervals.push((from, to)),
        }
    }
    Some(intervals)
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
