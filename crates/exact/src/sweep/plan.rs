//! A sweep, planned: which work its rows share.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use oddsmith_dist::Budget;
use oddsmith_rules::program::{Expr, InputId};
use oddsmith_rules::{Check, Config, InputRange, Query};

use crate::Error;
use crate::carried::{Unsure, bounds_of, inputs_that_decide};
use crate::inputs::{inputs_of, inputs_of_script, inputs_through};
use crate::moments::{Group, group};
use crate::requirements::{check_requirements, holds};
use crate::residual::{Purpose, specialise};
use crate::sweep::played_together;
use crate::sweep::query_group::{Method, QueryGroup};
use crate::sweep::space::{ROW_STEPS, Space, count, is_swept, over_budget};
use crate::track;

/// A planned sweep: the work that rows share is done.
#[derive(Debug)]
pub struct Sweep<'a> {
    pub(super) space: Space<'a>,
    /// One per group of queries that read the same outcomes.
    pub(super) parts: Vec<QueryGroup>,
    /// Requirements that the swept inputs can break.
    pub(super) requires: Vec<&'a Expr>,
    /// Which configurations can be carried out; none if all can.
    pub(super) unsure: Option<Unsure>,
    pub(super) configurations: u64,
}

/// How many rows a sweep is planned for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    /// All that are wanted will be asked for.
    AllRows,
    /// Few may be.
    SomeRows,
}

impl<'a> Sweep<'a> {
    /// Plans a sweep of `ranges` (the last fastest) around `base` and does the work that rows share.
    ///
    /// # Errors
    /// As [`crate::answers`]; the budget is for the whole sweep.
    pub fn new(
        check: &'a Check,
        base: &'a Config,
        ranges: &'a [InputRange],
        queries: &'a [Query],
        budget: &'a Budget,
    ) -> Result<Self, Error> {
        let all = every(ranges);
        Self::within(check, base, ranges, (queries, budget), all)
    }

    /// The same for some of the rows: those of the configurations with these numbers, the last swept input fastest. Their
    /// answers are weight for weight those of the whole sweep, since it is planned as a whole; what rows share is done
    /// for them alone where it can be told apart.
    ///
    /// # Errors
    /// As [`Sweep::new`]; the budget is for these rows.
    ///
    /// # Panics
    /// If there are not so many configurations.
    pub fn within(
        check: &'a Check,
        base: &'a Config,
        ranges: &'a [InputRange],
        (queries, budget): (&'a [Query], &'a Budget),
        wanted: Range<u64>,
    ) -> Result<Self, Error> {
        assert!(
            u128::from(wanted.end) <= count(ranges),
            "rows of this sweep"
        );
        let all = count(ranges);
        let rows = match u64::try_from(all) {
            Ok(_) => u128::from(wanted.end.saturating_sub(wanted.start)),
            Err(_) => all,
        };
        let predicted = rows.saturating_mul(u128::from(ROW_STEPS));
        budget
            .charge(predicted)
            .map_err(|_| over_budget(check, ranges, predicted, budget))?;
        budget.announce(predicted);
        let asked = (queries, budget);
        Self::planned(check, base, ranges, asked, (Work::AllRows, wanted))
    }

    /// The same for [`Sweep::rows`]: only work that makes rows a few sums each is done beforehand, and nothing else is
    /// predicted or charged until a row is asked for. So rows that nobody asks for cost nothing.
    ///
    /// # Errors
    /// As [`Sweep::new`], of that work.
    pub fn on_demand(
        check: &'a Check,
        base: &'a Config,
        ranges: &'a [InputRange],
        queries: &'a [Query],
        budget: &'a Budget,
    ) -> Result<Self, Error> {
        let work = (Work::SomeRows, every(ranges));
        Self::planned(check, base, ranges, (queries, budget), work)
    }

    fn planned(
        check: &'a Check,
        base: &'a Config,
        ranges: &'a [InputRange],
        (queries, budget): (&'a [Query], &'a Budget),
        (work, wanted): (Work, Range<u64>),
    ) -> Result<Self, Error> {
        let is_swept = |id: InputId| is_swept(ranges, id);
        let mut requires = Vec::new();
        for requirement in &check.requires {
            if inputs_of(&requirement.condition).into_iter().any(is_swept) {
                requires.push(&requirement.condition);
            }
        }
        // What no swept input can change must hold now, or no row would be left.
        let mut constant = check.clone();
        constant
            .requires
            .retain(|requirement| !requires.contains(&&requirement.condition));
        check_requirements(&constant, base)?;
        let space = Space {
            check,
            base,
            ranges,
            queries,
            budget,
            wanted,
            is_on_demand: work == Work::SomeRows,
            cache: Arc::default(),
        };
        let unsure = Self::unsure(&space);
        let groups = track::joined(check, base, group(check, queries), &|one, other| {
            read_alike(&space, one, other)
        });
        let parts = groups.iter().map(|group| plan(&space, group, work));
        let mut parts = parts.collect::<Result<Vec<QueryGroup>, Error>>()?;
        if work == Work::AllRows {
            parts = played_together::fill(&space, parts)?;
        }
        Ok(Self {
            space,
            parts,
            requires,
            unsure,
            configurations: every(ranges).end,
        })
    }

    /// The numbers of the configurations whose rows are wanted.
    #[must_use]
    pub fn wanted(&self) -> Range<u64> {
        self.space.wanted.clone()
    }

    /// The product of the ranges; configurations that break a requirement count, though they give no row.
    #[must_use]
    pub fn configurations(&self) -> u64 {
        self.configurations
    }

    /// Whether every row is a few sums, nanoseconds, because what rows share is done; or some row is a script that is
    /// played from the beginning, microseconds and more.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.parts.iter().all(QueryGroup::is_shared)
    }

    /// Steps that a row is predicted to take once all tables are filled.
    pub(super) fn row_steps(&self) -> u64 {
        let played = self.parts.iter().filter(|part| !part.is_shared());
        played.fold(ROW_STEPS, |sum, part| sum.saturating_add(part.steps))
    }

    /// What is known of configurations in which something may fail; none if nothing can.
    fn unsure(space: &Space<'_>) -> Option<Unsure> {
        let mut bounds = bounds_of(space.base);
        for range in space.ranges {
            let ends = range.values.iter().min().zip(range.values.iter().max());
            let (low, high) = ends?;
            bounds[range.input.0] = (*low, *high);
        }
        Unsure::within(space.check, &bounds)
    }
}

/// The numbers of all configurations, as far as they can be counted.
fn every(ranges: &[InputRange]) -> Range<u64> {
    0..u64::try_from(count(ranges)).unwrap_or(u64::MAX)
}

/// Whether the answers of two groups differ by the same swept inputs, so that they have as many rows to be played.
fn read_alike(space: &Space<'_>, one: &Group, other: &Group) -> bool {
    let read = |group: &Group| {
        let axes = QueryGroup::played(space, group).whole_axes(space);
        axes.into_iter().collect::<BTreeSet<_>>()
    };
    read(one) == read(other)
}

/// Grows the dice of all rows if only their number differs; cuts the script if that is cheaper than to play it from the
/// beginning, and fills the tables of the cut.
fn plan(space: &Space<'_>, group: &Group, work: Work) -> Result<QueryGroup, Error> {
    let mut played = QueryGroup::played(space, group);
    if work == Work::AllRows {
        played.find_starts(space);
    }
    if space.check.rounds.is_some() || !group.has_moments_alone(space.queries) {
        return Ok(played);
    }
    if work == Work::AllRows
        && let Some(grown) = played.grow(space)
    {
        let method = Method::Grown(grown);
        return Ok(QueryGroup { method, ..played });
    }
    let part = QueryGroup::of(space, group, Purpose::Cut);
    Ok(match part.cut(space)? {
        Some(method) => QueryGroup { method, ..part },
        None => played,
    })
}

/// Those of the inputs in `open` on which the answers to `queries` can depend where all others are as in `base`, in
/// ascending order: every input that is left in the script once the others are known. Some of them may turn out not to
/// matter; an input that is not among them does not.
///
/// ```
/// use oddsmith_exact::inputs_that_matter;
///
/// let rules = r#"
/// name = "Ladder"
/// [params]
/// ladder = { default = [4, 6, 8], domain = "2..=12" }
/// [checks.check]
/// axes.rank = { default = 1, domain = "0..=2" }
/// rules = "show total = 1d(ladder[rank])"
/// "#;
/// let model = oddsmith_rules::load("ladder.toml", rules.as_bytes()).unwrap();
/// let check = model.check("check").unwrap();
/// let query = check.query("mean(total)", "<query>").unwrap();
/// let ladder: Vec<_> = (0..3).map(|at| check.input(&format!("ladder[{at}]")).unwrap()).collect();
/// let matter = inputs_that_matter(check, &check.defaults(), &[query], &ladder);
/// assert_eq!(matter, [ladder[1]]);
/// ```
#[must_use]
pub fn inputs_that_matter(
    check: &Check,
    base: &Config,
    queries: &[Query],
    open: &[InputId],
) -> Vec<InputId> {
    let known = |id: InputId| (!open.contains(&id)).then(|| base[id]);
    let mut matter = Vec::new();
    for group in group(check, queries) {
        let residual = specialise(&group.script(check), &known, &group.outcomes, Purpose::Run);
        matter.extend(inputs_of_script(&residual.script, &residual.fixed));
        let asked = group.queries.iter().flat_map(|&at| queries[at].parts());
        for expr in residual.results.iter().chain(asked) {
            matter.extend(inputs_through(expr, &residual.fixed));
        }
    }
    matter.extend(inputs_that_decide(check, base, open));
    matter.retain(|id| open.contains(id));
    matter.sort_unstable();
    matter.dedup();
    matter
}

/// Whether a configuration meets a condition on inputs, such as that of a requirement.
///
/// # Errors
/// If that can't be told, as where it divides by zero.
pub fn meets(check: &Check, config: &Config, condition: &Expr) -> Result<bool, Error> {
    holds(check, config, condition)
}
