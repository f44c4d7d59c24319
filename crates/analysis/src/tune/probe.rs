//! Questions about candidates, each asked only of what it can tell apart.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use oddsmith_exact::{Budget, Error, Row, Sweep, directions, inputs_that_matter, meets};
use oddsmith_rules::program::{Expr, InputId, Kind};
use oddsmith_rules::{Check, Config, Direction, Goal, InputRange, Model, Query};
use rayon::prelude::*;

use crate::memory;
use crate::number::Value;
use crate::tune::asked::FoundAsked;
use crate::tune::bisect::BisectDim;
use crate::tune::cost::Costs;
use crate::tune::diagram::{Halt, TableDim};
use crate::tune::distance::{Distance, Want};
use crate::tune::scope::{Layout, Scope};
use crate::tune::space::Space;

/// A probe keeps what it has found if that is no more than so many cells, and fewer than there are candidates.
const MOST_KEPT: u128 = 1 << 18;

/// A question, and where its parts are kept while it is asked.
#[derive(Debug)]
pub(crate) struct QuestionPlan {
    /// The check without requirements: those are questions of their own.
    check: Check,
    base: Config,
    scope: Scope,
    asked: Asked,
    /// For each dim of the scope the direction in which the answer goes with it, if that is proved; empty if the question is
    /// asked in all cells.
    directions: Vec<Option<Direction>>,
}

/// Cells from which on a goal is halved rather than asked in all of them.
pub(crate) const BISECT_FROM: u128 = 1 << 14;

#[derive(Debug)]
enum Asked {
    /// Whether a condition holds.
    Rule(Expr),
    /// The answers to some goals of one check in one configuration.
    Goals {
        goals: Vec<usize>,
        queries: Vec<Query>,
        bases: Vec<Config>,
        ranges: Vec<InputRange>,
    },
}

impl QuestionPlan {
    /// The questions that goals at these places are, those of one configuration together.
    pub(crate) fn of_goals(
        space: &Space<'_>,
        model: &Model,
        goals: &[Goal],
        places: &[usize],
    ) -> Vec<Self> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for &place in places {
            let goal = &goals[place];
            let is_same = |group: &&mut Vec<usize>| {
                let first = &goals[group[0]];
                first.check == goal.check && first.config == goal.config
            };
            match groups.iter_mut().find(is_same) {
                Some(group) => group.push(place),
                None => groups.push(vec![place]),
            }
        }
        let plan = |group: Vec<usize>| {
            let first = &goals[group[0]];
            let mut check = check_of(model, first).clone();
            check.requires.clear();
            let base = first_of(space, &first.config);
            let queries: Vec<Query> = group.iter().map(|&at| goals[at].query.clone()).collect();
            let matter = inputs_that_matter(&check, &base, &queries, &space.inputs());
            let scope = Scope::new(space, &matter);
            let (bases, ranges) = (scope.bases(&base), scope.ranges());
            let is_hard = group.len() == 1 && first.aim.is_hard();
            let directions = directions_of(&check, &base, &queries[0], &scope);
            let asked = Asked::Goals {
                goals: group,
                queries,
                bases,
                ranges,
            };
            Self {
                directions: if is_hard { directions } else { Vec::new() },
                check,
                base,
                scope,
                asked,
            }
        };
        groups.into_iter().map(plan).collect()
    }

    /// The questions whether a candidate is legal: the requirements of every goal's check in its configuration, each
    /// once.
    pub(crate) fn of_rules(space: &Space<'_>, model: &Model, goals: &[Goal]) -> Vec<Self> {
        let mut plans: Vec<Self> = Vec::new();
        let mut seen: Vec<(&str, Vec<(InputId, i64)>)> = Vec::new();
        for goal in goals {
            let check = check_of(model, goal);
            let base = first_of(space, &goal.config);
            for requirement in &check.requires {
                let inputs = inputs_of(&requirement.condition);
                let values = inputs.iter().map(|id| (*id, base[*id])).collect();
                let key = (requirement.text.as_str(), values);
                if seen.contains(&key) {
                    continue;
                }
                seen.push(key);
                plans.push(Self {
                    check: check.clone(),
                    base: base.clone(),
                    scope: Scope::new(space, &inputs),
                    asked: Asked::Rule(requirement.condition.clone()),
                    directions: Vec::new(),
                });
            }
        }
        plans
    }
}

/// The directions of a query whose cells are many; empty if none is proved.
fn directions_of(
    check: &Check,
    base: &Config,
    query: &Query,
    scope: &Scope,
) -> Vec<Option<Direction>> {
    let within = scope.bounds().filter(|_| scope.cells() >= BISECT_FROM);
    let found = within.map(|within| directions(check, base, query, &within));
    let found = found.unwrap_or_default();
    match found.iter().any(Option::is_some) {
        true => found,
        false => Vec::new(),
    }
}

/// The check of a goal.
pub(crate) fn check_of<'m>(model: &'m Model, goal: &Goal) -> &'m Check {
    let check = model.check_or_track(&goal.check);
    check.expect("a goal is about a check or a track of its ruleset")
}

/// A configuration with every dial at its first option.
fn first_of(space: &Space<'_>, config: &Config) -> Config {
    space.config(config, &vec![0; space.dials.len()])
}

/// The inputs that a condition reads.
fn inputs_of(condition: &Expr) -> Vec<InputId> {
    let mut inputs = Vec::new();
    condition.any(&mut |part| {
        match part.kind {
            Kind::Input(id) if !inputs.contains(&id) => inputs.push(id),
            _ => {}
        }
        false
    });
    inputs
}

/// The kind of answer that a probe gives of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tells {
    /// The goals that are met.
    Met,
    /// How far each goal is missed.
    Off,
}

/// A question that is ready to be asked.
#[derive(Debug)]
pub(crate) struct Probe<'p> {
    plan: &'p QuestionPlan,
    wants: &'p [Want],
    tells: Tells,
    /// One for each of the plan's bases; none of a rule.
    sweeps: Vec<Sweep<'p>>,
    layout: Layout<'p>,
    /// The answers that were found, by keys, if they are kept.
    kept: Vec<OnceLock<Arc<Found>>>,
    /// How many candidates were asked about where nothing is kept.
    asked: AtomicU64,
    costs: Costs<'p>,
}

/// The answers in the cells of a key.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// For each cell a bit for each goal that is missed, if that is told; 1 if it breaks a rule.
    missed: Vec<u64>,
    /// For each cell how far each goal is missed, if that is told.
    off: Vec<Distance>,
    /// Cells without an answer, in order.
    errors: Vec<(usize, Error)>,
}

impl<'p> Probe<'p> {
    /// Plans the question, and does the work that its cells share.
    pub(crate) fn new(
        plan: &'p QuestionPlan,
        (wants, tells): (&'p [Want], Tells),
        space: &Space<'_>,
        budget: &'p Budget,
    ) -> Result<Self, Error> {
        let mut sweeps = Vec::new();
        if let Asked::Goals {
            queries,
            bases,
            ranges,
            ..
        } = &plan.asked
        {
            for base in bases {
                sweeps.push(Sweep::on_demand(
                    &plan.check,
                    base,
                    ranges,
                    queries,
                    budget,
                )?);
            }
        }
        let is_each = !sweeps.iter().all(Sweep::is_shared);
        let layout = Layout::new(&plan.scope, space, is_each);
        let cells = plan.scope.cells();
        let mut kept = Vec::new();
        if cells <= MOST_KEPT && !plan.scope.is_whole(space) {
            let rows = u64::try_from(cells).unwrap_or(u64::MAX);
            memory::charge(budget, rows, plan.goals().len(), || {
                format!("a search over {} candidates", space.candidates)
            })?;
            kept.resize_with(usize::try_from(layout.keys).unwrap_or(0), OnceLock::new);
        }
        Ok(Self {
            plan,
            wants,
            tells,
            sweeps,
            layout,
            kept,
            asked: AtomicU64::new(0),
            costs: Costs::new(space, budget),
        })
    }

    /// The places of the goals that it is about.
    pub(crate) fn goals(&self) -> &'p [usize] {
        self.plan.goals()
    }

    /// What was asked, candidate by candidate.
    pub(crate) fn asked(&self) -> FoundAsked {
        let goals = self.goals().len() as u64;
        let mut asked = FoundAsked {
            goal: self.goals().first().copied().unwrap_or(0),
            each: self.layout.cells as u64 * goals,
            of_candidates: self.asked.load(Ordering::Relaxed) * goals,
            ..FoundAsked::default()
        };
        let found = |key: &usize| self.kept[*key].get().is_some();
        let keys = (0..self.kept.len()).filter(found);
        keys.for_each(|key| asked.push(key as u64..key as u64 + 1));
        asked
    }

    /// The order in which probes are asked: first what costs less and can't tell as much apart; no two are alike.
    pub(crate) fn order(&self) -> (bool, u128, usize) {
        let is_dear = !self.sweeps.iter().all(Sweep::is_shared);
        let first = self.goals().first().copied().unwrap_or(0);
        (is_dear, self.plan.scope.cells(), first)
    }

    /// The steps that the probe's questions take if every cell is asked for once. What is asked to learn that is charged.
    ///
    /// # Errors
    /// If one of these questions is over the budget.
    pub(crate) fn predict(&mut self) -> Result<u128, Error> {
        let mut sweeps = self.sweeps.iter_mut().map(Sweep::predict);
        sweeps.try_fold(0, |sum: u128, steps| Ok(sum.saturating_add(steps?)))
    }

    /// The probe's answers about the candidates of a block, which is the one with these options.
    pub(crate) fn in_block(&self, space: &Space<'_>, options: &[usize]) -> Asking<'_, 'p> {
        Asking {
            probe: self,
            block_key: self.layout.block_key(space, options),
            last: None,
            asked: 0,
        }
    }

    fn found(&self, key: u64) -> Result<Arc<Found>, Error> {
        let kept = usize::try_from(key).ok().and_then(|at| self.kept.get(at));
        if let Some(found) = kept.and_then(OnceLock::get) {
            return Ok(Arc::clone(found));
        }
        let found = Arc::new(self.find(key)?);
        if let Some(kept) = kept {
            // Another thread may have found the same.
            let _ = kept.set(Arc::clone(&found));
        }
        Ok(found)
    }

    fn find(&self, key: u64) -> Result<Found, Error> {
        let mut found = Found::default();
        match &self.plan.asked {
            Asked::Rule(condition) => {
                self.costs.rule(self.layout.cells)?;
                for config in self.layout.configs(key, &self.plan.base) {
                    found.judge(&self.plan.check, &config, condition);
                }
            }
            Asked::Goals { .. } => {
                for (sweep, rows) in self.layout.rows(key) {
                    self.sweeps[sweep].rows(rows, |_, row| self.take(row, &mut found))?;
                }
            }
        }
        Ok(found)
    }

    /// Takes the answers of one cell after the other.
    fn take(&self, row: Result<Row<'_>, Error>, found: &mut Found) {
        let answers = row.as_ref().ok().map(|row| row.answers);
        let mut missed = 0;
        for (at, &goal) in self.goals().iter().enumerate() {
            let (want, answer) = (&self.wants[goal], answers.map(|answers| answers.get(at)));
            match self.tells {
                Tells::Met => {
                    let is_missed = answer.is_some_and(|answer| !want.is_met(answer));
                    missed |= u64::from(is_missed) << at;
                }
                Tells::Off => found.off.push(match answer {
                    Some(answer) => want.distance(answer),
                    None => Distance::of(Value::Infinite),
                }),
            }
        }
        let cell = found.missed.len();
        found.errors.extend(row.err().map(|error| (cell, error)));
        found.missed.push(missed);
    }
}

/// The answers in all cells of a question.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// For each cell a bit for each goal that is missed, if that is told; 1 if it breaks a rule. Of a cell that nobody
    /// needs, and of one without an answer, this says nothing.
    pub(crate) missed: Vec<u64>,
    /// For each cell and each goal the place of how far it is missed, if that is told.
    pub(crate) off: Vec<u32>,
    /// For each goal these distances, ascending, none twice.
    pub(crate) distances: Vec<Vec<Distance>>,
    /// Cells without an answer, in order.
    pub(crate) errors: Vec<usize>,
    /// The cells that were asked for, in order.
    pub(crate) asked: Vec<Range<usize>>,
}

/// Cells that one task asks for where each is a few sums, and where it is a script that is played.
const CHUNK: usize = 2048;
const PLAYED_CHUNK: usize = 16;

impl Probe<'_> {
    /// How many cells there are.
    pub(crate) fn cells(&self) -> u128 {
        self.plan.scope.cells()
    }

    /// Whether every answer is a few sums.
    pub(crate) fn is_cheap(&self) -> bool {
        self.sweeps.iter().all(Sweep::is_shared)
    }

    /// The dials that it tells apart.
    pub(crate) fn dials(&self) -> Vec<usize> {
        self.plan.scope.dials()
    }

    /// The dims of its table, by the levels of the dials.
    pub(crate) fn table_dims(&self, levels: &[usize]) -> Vec<TableDim<'_>> {
        self.plan.scope.table_dims(levels)
    }

    /// Whether it is halved.
    pub(crate) fn is_halved(&self) -> bool {
        !self.plan.directions.is_empty()
    }

    /// The dims in which it is halved, in the order of levels.
    pub(crate) fn bisect_dims(&self, levels: &[usize]) -> Vec<BisectDim<'_>> {
        let scope = &self.plan.scope;
        let tables = scope.table_dims(levels);
        let both = scope.ascending().into_iter().zip(&self.plan.directions);
        let dims = both.enumerate().map(|(at, (mut order, direction))| {
            let level = levels[scope.dial(at)];
            let table = tables.iter().find(|table| table.level == level);
            let table = table.expect("every dim has a level");
            if *direction == Some(Direction::Down) {
                order.reverse();
            }
            BisectDim {
                level,
                places: table.places,
                order,
                is_monotone: direction.is_some(),
                stride: table.stride,
            }
        });
        let mut dims: Vec<BisectDim<'_>> = dims.collect();
        dims.sort_by_key(|dim| dim.level);
        dims
    }

    /// On which side of its only goal a cell lies.
    ///
    /// # Errors
    /// If that is over the budget, or there is no answer after all.
    pub(crate) fn side(&self, cell: usize) -> Result<u32, Halt> {
        let want = &self.wants[self.goals()[0]];
        let mut side = None;
        self.sweeps[0].rows(cell as u64..cell as u64 + 1, |_, row| {
            side = row.ok().and_then(|row| want.side(row.answers.get(0)));
        })?;
        side.ok_or(Halt::Full)
    }

    /// The answers in all cells, or in those that are needed; `go_on` is asked from time to time.
    ///
    /// # Errors
    /// If that is over the budget, or ended.
    pub(crate) fn ask(
        &self,
        needed: Option<&[bool]>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Table, Halt> {
        let cells = usize::try_from(self.cells()).map_err(|_| Halt::Full)?;
        let chunks = self.chunks(cells, needed);
        let mut making = Making::new(self.goals().len(), cells, self.costs);
        for batch in chunks.chunks(8 * rayon::current_num_threads()) {
            let asked = batch.par_iter().map(|chunk| self.find_cells(chunk.clone()));
            let asked: Vec<Result<Found, Error>> = asked.collect();
            for (chunk, found) in batch.iter().zip(asked) {
                making.take(chunk, found?)?;
            }
            if !go_on() {
                return Err(Halt::Ended);
            }
        }
        Ok(making.table())
    }

    /// Stretches of cells that are asked for together, each of one sweep.
    fn chunks(&self, cells: usize, needed: Option<&[bool]>) -> Vec<Range<usize>> {
        let most = if self.is_cheap() { CHUNK } else { PLAYED_CHUNK };
        let sweep = self.sweep_cells().unwrap_or(cells);
        let is_needed = |cell: usize| needed.is_none_or(|needed| needed[cell]);
        let mut chunks: Vec<Range<usize>> = Vec::new();
        for cell in (0..cells).filter(|cell| is_needed(*cell)) {
            match chunks.last_mut() {
                Some(last) if last.end == cell && cell - last.start < most && cell % sweep != 0 => {
                    last.end += 1;
                }
                _ => chunks.push(cell..cell + 1),
            }
        }
        chunks
    }

    /// How many cells each sweep has; none if nothing is swept.
    fn sweep_cells(&self) -> Option<usize> {
        let cells = self.sweeps.first()?.configurations();
        usize::try_from(cells).ok()
    }

    /// The answers in some cells, of one sweep if it is about goals.
    fn find_cells(&self, cells: Range<usize>) -> Result<Found, Error> {
        let mut found = Found::default();
        match &self.plan.asked {
            Asked::Rule(condition) => {
                self.costs.rule(cells.len())?;
                let configs = cells.map(|cell| self.plan.scope.config(cell, &self.plan.base));
                configs.for_each(|config| found.judge(&self.plan.check, &config, condition));
            }
            Asked::Goals { .. } => {
                let len = self.sweep_cells().unwrap_or(1);
                let sweep = cells.start / len;
                let row = |cell: usize| (cell - sweep * len) as u64;
                let rows = row(cells.start)..row(cells.end);
                self.sweeps[sweep].rows(rows, |_, row| self.take(row, &mut found))?;
            }
        }
        Ok(found)
    }
}

impl Found {
    /// Takes whether a configuration breaks a rule.
    fn judge(&mut self, check: &Check, config: &Config, condition: &Expr) {
        let is_met = meets(check, config, condition);
        let cell = self.missed.len();
        self.missed
            .push(u64::from(!*is_met.as_ref().unwrap_or(&true)));
        self.errors.extend(is_met.err().map(|error| (cell, error)));
    }
}

/// A table while it is made.
struct Making<'p> {
    table: Table,
    goals: usize,
    /// For each goal the number of each distance, in the order in which they were met.
    known: Vec<BTreeMap<Distance, u32>>,
    costs: Costs<'p>,
}

impl<'p> Making<'p> {
    fn new(goals: usize, cells: usize, costs: Costs<'p>) -> Self {
        let table = Table {
            missed: vec![0; cells],
            ..Table::default()
        };
        Self {
            table,
            goals,
            known: Vec::new(),
            costs,
        }
    }

    fn take(&mut self, cells: &Range<usize>, found: Found) -> Result<(), Error> {
        self.table.asked.push(cells.clone());
        let errors = found.errors.iter();
        let errors = errors.map(|(at, _)| cells.start + at);
        self.table.errors.extend(errors);
        self.table.missed[cells.clone()].copy_from_slice(&found.missed);
        if found.off.is_empty() {
            return Ok(());
        }
        if self.known.is_empty() {
            self.known.resize_with(self.goals, BTreeMap::new);
            self.table.off = vec![0; self.table.missed.len() * self.goals];
        }
        self.costs.distances(found.off.len())?;
        let first = cells.start * self.goals;
        for (at, off) in found.off.into_iter().enumerate() {
            let known = &mut self.known[at % self.goals];
            let next = u32::try_from(known.len()).expect("a table is small");
            self.table.off[first + at] = *known.entry(off).or_insert(next);
        }
        Ok(())
    }

    /// The table, with distances in order.
    fn table(self) -> Table {
        let Self {
            mut table,
            goals,
            known,
            ..
        } = self;
        let mut places = Vec::new();
        for known in known {
            let mut own = vec![0; known.len()];
            for (place, number) in known.values().enumerate() {
                own[*number as usize] = u32::try_from(place).expect("a table is small");
            }
            places.push(own);
            table.distances.push(known.into_keys().collect());
        }
        for (at, off) in table.off.iter_mut().enumerate() {
            // Of a cell that nobody needs this is some distance.
            *off = places[at % goals][*off as usize];
        }
        table
    }
}

impl QuestionPlan {
    /// How many cells there are.
    pub(crate) fn cells(&self) -> u128 {
        self.scope.cells()
    }

    /// How many cells are asked for at the most: for a goal that is halved, twice the logarithm of one dial's values in
    /// place of that dial.
    pub(crate) fn most_asked(&self) -> u128 {
        let sizes = self.scope.sizes();
        let both = sizes.iter().zip(&self.directions);
        let proved = both.filter(|(_, own)| own.is_some());
        let longest = proved.map(|(size, _)| *size as u128).max().unwrap_or(1);
        let halvings = u128::from(2 * (longest.ilog2() + 2));
        self.cells().min(self.cells() / longest * halvings)
    }

    /// How many goals it is about.
    pub(crate) fn len(&self) -> usize {
        self.goals().len()
    }

    /// The places of the goals that it is about.
    pub(crate) fn goals(&self) -> &[usize] {
        match &self.asked {
            Asked::Rule(_) => &[],
            Asked::Goals { goals, .. } => goals,
        }
    }
}

/// A probe in a block of candidates.
pub(crate) struct Asking<'a, 'p> {
    probe: &'a Probe<'p>,
    block_key: u64,
    /// The answers for the last key, most often that of all candidates of the block.
    last: Option<(u64, Arc<Found>)>,
    /// How many candidates were asked about.
    asked: u64,
}

impl Drop for Asking<'_, '_> {
    fn drop(&mut self) {
        if self.probe.kept.is_empty() {
            self.probe.asked.fetch_add(self.asked, Ordering::Relaxed);
        }
    }
}

impl<'p> Asking<'_, 'p> {
    pub(crate) fn goals(&self) -> &'p [usize] {
        self.probe.goals()
    }

    /// The answers about the candidate at a place of the block, and its cell there.
    fn at(&mut self, at: usize) -> Result<(&Found, usize), Error> {
        self.asked += 1;
        let layout = &self.probe.layout;
        let (key, cell) = (layout.key(self.block_key, at), layout.cell(at));
        if self.last.as_ref().is_none_or(|(last, _)| *last != key) {
            self.last = None;
        }
        let last = match &mut self.last {
            Some((_, found)) => found,
            none => &mut none.insert((key, self.probe.found(key)?)).1,
        };
        match last.errors.binary_search_by_key(&cell, |(cell, _)| *cell) {
            Ok(error) => Err(last.errors[error].1.clone()),
            Err(_) => Ok((last, cell)),
        }
    }

    /// The first of its goals, by its place among them, that the candidate misses.
    pub(crate) fn first_missed(&mut self, at: usize) -> Result<Option<usize>, Error> {
        let (found, cell) = self.at(at)?;
        let missed = found.missed[cell];
        Ok((missed != 0).then_some(missed.trailing_zeros() as usize))
    }

    /// How far the candidate misses each of its goals.
    pub(crate) fn off(&mut self, at: usize) -> Result<&[Distance], Error> {
        let goals = self.goals().len();
        let (found, cell) = self.at(at)?;
        Ok(&found.off[cell * goals..][..goals])
    }
}
