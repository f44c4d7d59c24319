//! One group of queries of a sweep: its cut, its tables, its rows.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use oddsmith_dist::{Budget, Dist};
use oddsmith_rules::program::{Expr, InputId, Program};
use oddsmith_rules::{Config, Query};

use crate::Error;
use crate::evaluate::Env;
use crate::inputs::{inputs_of_script, inputs_through};
use crate::moments::Group;
use crate::residual::{Purpose, Residual, narrowed, specialise};
use crate::states::States;
use crate::sweep::cut::{Cut, candidates};
use crate::sweep::input_table::{InputTable, MOST_CELLS};
use crate::sweep::kernel::Kernel;
use crate::sweep::memo::Memo;
use crate::sweep::moment_sums::Scratch;
use crate::sweep::row::{LineAnswers, Made};
use crate::sweep::shape::Shape;
use crate::sweep::space::{ROW_STEPS, Space, over_budget};

/// A group of queries and how its rows are made.
#[derive(Debug)]
pub(crate) struct QueryGroup {
    pub(super) group: Group,
    pub(super) residual: Residual,
    /// Of a track, and of a script that may choose.
    pub(super) specialised: Option<Specialised>,
    pub(super) method: Method,
    /// Steps that rows which are played together are predicted to take, from the beginning: most often one row.
    pub(super) steps: u64,
    /// The swept inputs that say where a track begins and nothing else. Rows that differ in these alone are played together.
    pub(super) starts: Vec<InputId>,
    /// What was played together to learn its cost, by its places.
    pub(super) tried: Vec<(Vec<usize>, Vec<Made>)>,
    /// The groups that this one joins, if it does: they are asked where it fails. See [`super::played_together`].
    pub(super) apart: Vec<QueryGroup>,
}

/// A script whose inputs are put in row by row.
#[derive(Debug)]
pub(super) struct Specialised {
    /// The script with everything put in that no row changes.
    pub(super) script: Program,
    pub(super) memo: Memo,
}

#[derive(Debug)]
pub(super) enum Method {
    /// Cumulative sums of shapes meet kernels.
    Cut(CutTables),
    /// Every combination of what is read, in a table.
    Whole(InputTable<Made>),
    /// The same, where many combinations are the same number of dice.
    Grown(Grown),
    /// The same, where many combinations are starts of the same rounds.
    Begun(Begun),
    /// Row by row: no two rows share anything.
    Each,
}

/// The answers of rows that differ in how many equal dice are rolled.
#[derive(Debug)]
pub(super) struct Grown {
    /// For each combination of what matters, the place of its answers.
    pub(super) places: InputTable<usize>,
    pub(super) made: Vec<Made>,
}

/// The answers of rows of a track that differ in where it begins.
#[derive(Debug)]
pub(super) struct Begun {
    /// For each combination of what else matters the answers from each start.
    pub(super) rounds: InputTable<Vec<Made>>,
}

#[derive(Debug)]
pub(super) struct CutTables {
    shapes: InputTable<Result<Shape, Error>>,
    shifts: InputTable<Result<i64, Error>>,
    kernels: InputTable<Kernel>,
}

/// Tables of distributions with more bytes than this are not worth their memory: 256 MB.
const MOST_KEPT: u64 = 1 << 28;

/// A kernel cell is taken to cost as much as this many rows: a script run against a few products.
const KERNEL_ROWS: u128 = 17;

impl QueryGroup {
    /// Played from the beginning, row by row.
    pub(super) fn played(space: &Space<'_>, group: &Group) -> Self {
        let is_track = space.check.rounds.is_some();
        let purpose = if is_track { Purpose::Cut } else { Purpose::Run };
        Self::of(space, group, purpose)
    }

    pub(super) fn of(space: &Space<'_>, group: &Group, purpose: Purpose) -> Self {
        let known = |id: InputId| {
            if space.is_swept(id) {
                None
            } else {
                Some(space.base[id])
            }
        };
        let program = group.script(space.check);
        let residual = specialise(&program, &known, &group.outcomes, purpose);
        let is_specialised = space.check.rounds.is_some() || !residual.script.goals().is_empty();
        Self {
            specialised: is_specialised.then(|| {
                let script = narrowed(&program, &known, &group.outcomes);
                let queries = group.queries.iter().map(|&place| &space.queries[place]);
                let memo = Memo::new(&script, &group.outcomes, queries);
                Specialised { script, memo }
            }),
            residual,
            group: group.clone(),
            method: Method::Each,
            steps: 0,
            starts: Vec::new(),
            tried: Vec::new(),
            apart: Vec::new(),
        }
    }

    /// The cheapest cut, if one is cheaper than rows from the beginning.
    pub(super) fn cut(&self, space: &Space<'_>) -> Result<Option<Method>, Error> {
        let best = candidates(&self.residual)
            .into_iter()
            .map(|cut| (self.cut_cost(space, &cut), cut))
            .min_by_key(|(cost, _)| *cost);
        match best {
            Some((cost, cut)) if cost < self.distinct(space) => self.fill_cut(space, &cut),
            _ => Ok(None),
        }
    }

    /// The combinations of the swept inputs that matter.
    pub(super) fn distinct(&self, space: &Space<'_>) -> u128 {
        space.combinations(self.whole_axes(space).into_iter())
    }

    /// Whether no row is played from the beginning any more.
    pub(crate) fn is_shared(&self) -> bool {
        !matches!(self.method, Method::Each)
    }

    /// The swept inputs that matter at all.
    pub(super) fn whole_axes(&self, space: &Space<'_>) -> Vec<InputId> {
        let mut axes = inputs_of_script(&self.residual.script, &self.residual.fixed);
        axes.extend(self.end_axes(space));
        axes
    }

    /// The inputs that results and queries read at the end.
    pub(super) fn end_axes(&self, space: &Space<'_>) -> Vec<InputId> {
        let queries = self
            .group
            .queries
            .iter()
            .flat_map(|&place| space.queries[place].parts());
        let exprs = self.residual.results.iter().chain(queries);
        exprs
            .flat_map(|expr| inputs_through(expr, &self.residual.fixed))
            .collect()
    }

    /// The combinations that the tables of a cut would hold, as rows of work.
    fn cut_cost(&self, space: &Space<'_>, cut: &Cut) -> u128 {
        let (before, after) = self.cut_axes(space, cut);
        let shapes = space.combinations(before.into_iter());
        let kernels = space.combinations(after.into_iter());
        let shifts =
            space.combinations(inputs_through(&cut.shift, &self.residual.fixed).into_iter());
        if shapes.max(kernels).max(shifts) > MOST_CELLS {
            return u128::MAX;
        }
        shapes.saturating_add(kernels.saturating_mul(KERNEL_ROWS))
    }

    fn cut_axes(&self, space: &Space<'_>, cut: &Cut) -> (Vec<InputId>, Vec<InputId>) {
        let before = inputs_of_script(&cut.before, &self.residual.fixed);
        let mut after = inputs_of_script(&cut.after, &self.residual.fixed);
        after.extend(self.end_axes(space));
        (before, after)
    }

    /// The tables of a cut; none if its kernels would be more work than the rows themselves, or its rolls more
    /// than memory should hold.
    fn fill_cut(&self, space: &Space<'_>, cut: &Cut) -> Result<Option<Method>, Error> {
        let (before, after) = self.cut_axes(space, cut);
        let shift_axes = inputs_through(&cut.shift, &self.residual.fixed);
        let shifts = InputTable::fill(space, &shift_axes, |places| {
            let config = space.config_at(places);
            self.env(space, &config).number(&cut.shift)
        });
        let Some(shapes) = self.shapes(space, cut, &before) else {
            return Ok(None);
        };
        let Some(intervals) = cut_values(&shapes, &shifts) else {
            return Ok(None);
        };
        let values: u128 = intervals
            .iter()
            .map(|(low, high)| u128::from(high.abs_diff(*low)) + 1)
            .sum();
        let kernels = space.combinations(after.iter().copied());
        let cells = kernels.saturating_mul(values);
        // A row from the beginning goes through what follows once for each outcome of what leads there.
        let outcomes = shapes.cells.iter().flatten().map(Shape::outcomes);
        let average = (outcomes.sum::<usize>() / shapes.cells.len()).max(1) as u128;
        if cells > space.all_rows().saturating_mul(average) || cells > MOST_CELLS {
            return Ok(None);
        }
        let steps = space.share(cells.saturating_mul(u128::from(ROW_STEPS) * KERNEL_ROWS));
        space
            .budget
            .charge(steps)
            .map_err(|_| over_budget(space.check, space.ranges, steps, space.budget))?;
        let kernel =
            |places: &[usize]| self.kernel(space, cut, &intervals, &space.config_at(places));
        let nothing = |_: &[usize]| Kernel::new(Vec::new(), 0);
        let kernels = InputTable::fill_wanted(space, &after, kernel, nothing);
        Ok(Some(Method::Cut(CutTables {
            shapes,
            shifts,
            kernels,
        })))
    }

    pub(super) fn env<'e>(&'e self, space: &'e Space<'_>, config: &'e Config) -> Env<'e> {
        Env::new(
            &space.check.source,
            config,
            space.budget,
            &space.cache,
            &self.residual,
        )
    }

    /// What leads to the cut value, without its shift; none if that is more than memory should hold. What was tried in vain
    /// is not charged: how much that was hangs on which thread came first.
    fn shapes(
        &self,
        space: &Space<'_>,
        cut: &Cut,
        axes: &[InputId],
    ) -> Option<InputTable<Result<Shape, Error>>> {
        let cache = || Arc::clone(&space.cache);
        let tried = |budget: &Budget| self.tried_shapes(&space.beside(budget, cache()), cut, axes);
        let shapes = space.budget.attempt(tried);
        if shapes.is_none() {
            // What was read in vain has not been paid for.
            space.cache.pools.clear();
        }
        shapes
    }

    fn tried_shapes(
        &self,
        space: &Space<'_>,
        cut: &Cut,
        axes: &[InputId],
    ) -> Option<InputTable<Result<Shape, Error>>> {
        let kept = AtomicU64::new(0);
        // More than everything is not counted, so that the sum can't wrap.
        let bytes = |dist: &Dist| Shape::bytes(dist).min(MOST_KEPT + 1);
        let keep = |dist: &Dist| kept.fetch_add(bytes(dist), Ordering::Relaxed);
        let is_full = || kept.load(Ordering::Relaxed) > MOST_KEPT;
        let term_table = |term: &Expr| {
            let axes = inputs_through(term, &self.residual.fixed);
            InputTable::fill(space, &axes, |places| {
                let config = space.config_at(places);
                let term = (!is_full()).then(|| self.env(space, &config).roll(term));
                let dist = term?.ok()?.into_dist();
                keep(&dist);
                Some(dist)
            })
        };
        let terms: Vec<InputTable<Option<Dist>>> = cut.terms.iter().map(term_table).collect();
        let shape = |places: &[usize]| {
            if is_full() {
                return None;
            }
            // Whatever can't be done so is done, or refused, the usual way.
            let roll = sum_at(&terms, places, space.budget)
                .map_or_else(|| self.roll_cut(space, cut, &space.config_at(places)), Ok);
            // A shape has room for every number between its ends: it is made only if that is not too much.
            roll.map(|dist| {
                keep(&dist);
                (!is_full()).then(|| Shape::new(&dist))
            })
            .transpose()
        };
        // What no wanted row reads is not added up, but its ends are those of some value at the cut.
        let outline = |places: &[usize]| {
            let terms: Option<Vec<&Dist>> =
                terms.iter().map(|term| term.at(places).as_ref()).collect();
            let terms = terms.filter(|terms| !terms.is_empty());
            let outline = terms.and_then(|terms| Shape::outline(terms.into_iter()));
            let Some(outline) = outline else {
                return shape(places);
            };
            let bytes = outline.bytes_of_outline().min(MOST_KEPT + 1);
            kept.fetch_add(bytes, Ordering::Relaxed);
            (!is_full()).then_some(Ok(outline))
        };
        InputTable::fill_wanted(space, axes, shape, outline).complete()
    }

    /// What leads to the cut value in one configuration.
    fn roll_cut(&self, space: &Space<'_>, cut: &Cut, config: &Config) -> Result<Dist, Error> {
        let mut env = self.env(space, config);
        let states = env.run(&cut.before, &[], States::certain(&[]))?;
        let pairs = states.iter().map(|(key, weight)| (key[0], weight.clone()));
        Ok(Dist::from_weights(pairs).expect("what happens has a positive weight"))
    }
}

impl CutTables {
    /// As [`QueryGroup::answer`], for the queries at some places.
    pub(super) fn answer(
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
            let (sums, stop) = kernels.at(last[0]).sum_moments(shape, shifts, scratch);
            done += answers.put(asked, sums, done);
            stop.map_err(|error| (done, error))?;
        }
        Ok(())
    }
}

/// The sum of what terms roll in one configuration.
fn sum_at(terms: &[InputTable<Option<Dist>>], places: &[usize], budget: &Budget) -> Option<Dist> {
    let mut terms = terms.iter().map(|term| term.at(places).as_ref());
    let first = terms.next()??.clone();
    terms.try_fold(first, |sum, term| sum.convolve(term?, budget).ok())
}

/// Every value that the cut variable can have in some row, as disjoint intervals in ascending order; none if one
/// leaves the range of 64 bits.
fn cut_values(
    shapes: &InputTable<Result<Shape, Error>>,
    shifts: &InputTable<Result<i64, Error>>,
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
