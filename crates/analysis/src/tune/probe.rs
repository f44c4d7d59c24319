//! Questions about candidates, each asked only of what it can tell apart.

use std::sync::{Arc, OnceLock};

use oddsmith_exact::{Budget, Error, Row, Sweep, inputs_that_matter, meets};
use oddsmith_rules::program::{Expr, InputId, Kind};
use oddsmith_rules::{Check, Config, Goal, InputRange, Model, Query};

use crate::memory;
use crate::number::Value;
use crate::tune::cost::Costs;
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
}

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
            let asked = Asked::Goals {
                goals: group,
                queries,
                bases,
                ranges,
            };
            Self {
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
                });
            }
        }
        plans
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
            costs: Costs::new(space, budget),
        })
    }

    /// The places of the goals that it is about.
    pub(crate) fn goals(&self) -> &'p [usize] {
        self.plan.goals()
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
                    let is_met = meets(&self.plan.check, &config, condition);
                    let cell = found.missed.len();
                    found
                        .missed
                        .push(u64::from(!*is_met.as_ref().unwrap_or(&true)));
                    found.errors.extend(is_met.err().map(|error| (cell, error)));
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

impl QuestionPlan {
    /// How many goals it is about.
    pub(crate) fn len(&self) -> usize {
        self.goals().len()
    }

    fn goals(&self) -> &[usize] {
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
}

impl<'p> Asking<'_, 'p> {
    pub(crate) fn goals(&self) -> &'p [usize] {
        self.probe.goals()
    }

    /// The answers about the candidate at a place of the block, and its cell there.
    fn at(&mut self, at: usize) -> Result<(&Found, usize), Error> {
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
