//! Rows that differ in how many equal dice are rolled: all of them at once, one die after the other.
//!
//! A script that begins by rolling some equal dice and reading them, and in which nothing else depends on a swept input,
//! has three parts that rows share. What is read of `n` dice follows from what is read of `n - 1` ([`Growth`]); what
//! follows from a state of the readings is played once for each state; and a row is a few sums over the states.
//!
//! [`Growth`]: oddsmith_dist::Growth

use oddsmith_dist::{Growth, IBig, UBig, least_common_multiple};
use oddsmith_rules::evaluate::{NoValue, PlainValue};
use oddsmith_rules::program::{Expr, InputId, Kind, Statement, VarId};

use crate::Error;
use crate::evaluate::Env;
use crate::hash::Map;
use crate::inputs::{inputs_of_script, inputs_through};
use crate::moments::answers_from;
use crate::pools::joint::Growing;
use crate::residual::{Script, Step};
use crate::states::Key;
use crate::sweep::after_cut::Rest;
use crate::sweep::cut::keep_to_the_end;
use crate::sweep::input_table::{InputTable, MOST_CELLS};
use crate::sweep::kernel::Cell;
use crate::sweep::query_group::{Grown, QueryGroup};
use crate::sweep::row::{Made, Stored};
use crate::sweep::space::Space;

/// Up to so many dice for each row that asks for some: all numbers of dice below the highest are gone through.
const MOST_DICE_PER_ROW: usize = 4;

/// Steps of one sum over the states, and of what is made of it.
const SUM_STEPS: u128 = 60;
/// Steps of a number of dice that is asked for: its weight, its rows.
const COUNT_STEPS: u128 = 800;

/// Up to so many rows may roll something else and be played by themselves.
const MOST_ALONE: usize = 8;

/// What is known of a configuration before anything is rolled.
struct Inputs<'s> {
    space: &'s Space<'s>,
    places: &'s [usize],
    fixed: &'s Map<VarId, Expr>,
}

impl PlainValue for Inputs<'_> {
    type Error = NoValue;

    fn input(&self, id: InputId) -> Option<i64> {
        let mut swept = self.space.ranges.iter().zip(self.places);
        match swept.find(|(range, _)| range.input == id) {
            Some((range, place)) => Some(range.values[*place]),
            None => self.space.base.get(id),
        }
    }

    fn bound(&self, var: VarId) -> Option<i64> {
        self.plain(self.fixed.get(&var)?)
    }

    fn block(&self, _: &Expr, _: &[Statement], _: &Expr) -> Result<i64, NoValue> {
        Err(NoValue)
    }
}

impl Inputs<'_> {
    /// The equal dice that a pool turns out to be, and how many of them; none if it may be something else, or that can't
    /// be told.
    fn equal_dice<'e>(&self, pool: &'e Expr) -> Option<(&'e Expr, u32)> {
        match &pool.kind {
            Kind::Dice { count, .. } => Some((pool, u32::try_from(self.plain(count)?).ok()?)),
            _ => self.equal_dice(self.taken(pool).ok()?),
        }
    }
}

/// A script that reads a pool first, and the rest of it.
struct Opening<'p> {
    pool_var: VarId,
    pool: &'p Expr,
    readings: &'p [(VarId, Expr)],
    /// What is still known after the readings.
    live: &'p [VarId],
    rest: Script,
}

impl QueryGroup {
    /// The answers of every combination of what matters, if all but a few of them roll some of the same dice.
    pub(super) fn grow(&self, space: &Space<'_>) -> Option<Grown> {
        let opening = self.opening(space)?;
        if self.distinct(space) > MOST_CELLS {
            return None;
        }
        let axes = self.whole_axes(space);
        let pools = InputTable::fill(space, &axes, |places| {
            let inputs = Inputs {
                space,
                places,
                fixed: &self.residual.fixed,
            };
            inputs.equal_dice(opening.pool)
        });
        let dice = most_frequent(pools.cells.iter().flatten().map(|(dice, _)| *dice))?;
        let count = |pool: &Option<(&Expr, u32)>| {
            let (own, count) = (*pool)?;
            std::ptr::eq(own, dice).then_some(count as usize)
        };
        let counts: Vec<usize> = pools.cells.iter().filter_map(count).collect();
        let most = counts.iter().copied().max()?;
        let is_dense = most < MOST_DICE_PER_ROW * counts.len();
        let alone = pools.cells.len() - counts.len();
        if !is_dense || alone > MOST_ALONE || self.is_swept_die(space, dice) {
            return None;
        }
        let mut asked = vec![false; most + 1];
        counts.into_iter().for_each(|count| asked[count] = true);
        let mut made = self.by_count(space, &opening, dice, &asked)?;
        let places = pools.map(|cell, pool| {
            count(pool).unwrap_or_else(|| {
                made.push(self.made(space, &pools.places(space, cell)));
                made.len() - 1
            })
        });
        Some(Grown { places, made })
    }

    /// The script as an opening, if nothing but its pool depends on a swept input.
    fn opening(&self, space: &Space<'_>) -> Option<Opening<'_>> {
        let script = &self.residual.script;
        let Step::Read { pools, readings } = script.steps.first()? else {
            return None;
        };
        let [(pool_var, pool)] = pools.as_slice() else {
            return None;
        };
        let live = script.live[0].as_slice();
        if live.is_empty() {
            return None;
        }
        let mut rest = Script {
            steps: script.steps[1..].to_vec(),
            live: script.live[1..].to_vec(),
        };
        let mut read = inputs_of_script(&rest, &self.residual.fixed);
        read.extend(self.end_axes(space));
        for (_, reading) in readings {
            read.extend(inputs_through(reading, &self.residual.fixed));
        }
        if read.into_iter().any(|input| space.is_swept(input)) || !script.goals().is_empty() {
            return None;
        }
        live.iter().for_each(|var| keep_to_the_end(*var, &mut rest));
        Some(Opening {
            pool_var: *pool_var,
            pool,
            readings,
            live,
            rest,
        })
    }

    /// Whether the die that is rolled depends on a swept input, besides how often.
    fn is_swept_die(&self, space: &Space<'_>, dice: &Expr) -> bool {
        let mut is_swept = false;
        if let Kind::Dice { die, .. } = &dice.kind {
            die.for_each_part(&mut |part| {
                let read = inputs_through(part, &self.residual.fixed);
                is_swept |= read.into_iter().any(|input| space.is_swept(input));
            });
        }
        is_swept
    }

    /// The answers for each number of dice up to the highest, of which only those that are asked for are told; none if the
    /// readings can't be grown.
    fn by_count(
        &self,
        space: &Space<'_>,
        opening: &Opening<'_>,
        dice: &Expr,
        asked: &[bool],
    ) -> Option<Vec<Made>> {
        let mut env = self.env(space, space.base);
        let most = u32::try_from(asked.len() - 1).ok()?;
        let growing = env.growing(opening.pool_var, dice, opening.readings, most)?;
        // Also where nothing comes of it, and where merged states take less by then.
        let bytes = growing.growth.bytes();
        let grown = self.grown(&mut env, space, opening, growing, asked);
        space.budget.release_memory(bytes);
        grown
    }

    /// The same from readings of no dice yet.
    fn grown(
        &self,
        env: &mut Env<'_>,
        space: &Space<'_>,
        opening: &Opening<'_>,
        mut growing: Growing,
        asked: &[bool],
    ) -> Option<Vec<Made>> {
        let follows = self.follows(env, space, opening, &mut growing)?;
        let mut growth = growing.growth;
        let rows = asked.iter().filter(|is_asked| **is_asked).count();
        let sums = COUNT_STEPS * rows as u128 + SUM_STEPS * (rows * follows.moments.len()) as u128;
        space.budget.charge(growth.steps() + sums).ok()?;
        let mut by_count = Vec::with_capacity(asked.len());
        for (count, is_asked) in asked.iter().enumerate() {
            if count > 0 {
                growth.add_die();
            }
            by_count.push(if *is_asked {
                self.sums(space, &growth, &follows)
            } else {
                Ok(Vec::new())
            });
        }
        Some(by_count)
    }

    /// What follows from each state of the readings; states that lead to the same are merged.
    fn follows(
        &self,
        env: &mut Env<'_>,
        space: &Space<'_>,
        opening: &Opening<'_>,
        growing: &mut Growing,
    ) -> Option<Follows> {
        let place = |var: &VarId| opening.readings.iter().position(|(own, _)| own == var);
        let places: Option<Vec<usize>> = opening.live.iter().map(place).collect();
        let places = places?;
        let key = |row: &Key| -> Key { places.iter().map(|at| row[*at]).collect() };
        let keys: Vec<Key> = growing.rows.iter().map(key).collect();
        let mut distinct = keys.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let rest = Rest {
            script: &opening.rest,
            vars: opening.live,
        };
        let cells = self.cells(env, space, rest, &distinct.concat());
        let first_like = |cell: &Cell| cells.iter().position(|other| is_same(cell, other));
        let kinds = keys.iter().map(|key| {
            let own = distinct.binary_search(key).expect("it is one of them");
            first_like(&cells[own]).unwrap_or(own)
        });
        let kinds: Vec<usize> = kinds.collect();
        let left = growing.growth.merge(&kinds, space.budget).ok()?;
        let left = left.iter().map(|state| &cells[kinds[*state]]);
        Some(Follows::new(left, self.moment_count(space)))
    }

    /// The answers for as many dice as there are.
    fn sums(&self, space: &Space<'_>, growth: &Growth, follows: &Follows) -> Made {
        let failed = follows.failures.iter();
        let mut failed = failed.filter(|(state, _)| growth.weight(&[*state]) != UBig::ZERO);
        if let Some((_, error)) = failed.next() {
            return Err(error.clone());
        }
        let moments = follows.moments.iter();
        let sums: Vec<IBig> = moments.map(|moment| moment.sum(growth)).collect();
        let total = growth.total() * &follows.total;
        let answers = answers_from(sums, &self.group, space.queries, &total);
        Ok(answers.map(Stored::from).collect())
    }
}

/// The one that comes most often.
fn most_frequent<'e>(all: impl Iterator<Item = &'e Expr>) -> Option<&'e Expr> {
    let mut counts: Vec<(&Expr, usize)> = Vec::new();
    for expr in all {
        match counts.iter_mut().find(|(own, _)| std::ptr::eq(*own, expr)) {
            Some((_, count)) => *count += 1,
            None => counts.push((expr, 1)),
        }
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    most.map(|(expr, _)| expr)
}

/// What follows from the states of the readings.
struct Follows {
    /// What all moments are over.
    total: UBig,
    moments: Vec<Moment>,
    /// The states from which nothing follows, and why.
    failures: Vec<(usize, Error)>,
}

/// What one moment is in each state: states that have the same, together.
#[derive(Default)]
struct Moment(Vec<(IBig, Vec<usize>)>);

impl Follows {
    /// From what follows from each state.
    fn new<'c>(cells: impl Iterator<Item = &'c Cell> + Clone, count: usize) -> Self {
        let good = cells.clone().flatten();
        let total = least_common_multiple(good.map(|(_, total)| total));
        let mut follows = Self {
            total,
            moments: (0..count).map(|_| Moment::default()).collect(),
            failures: Vec::new(),
        };
        for (state, cell) in cells.enumerate() {
            match cell {
                Ok((numbers, own)) => {
                    let scale = IBig::from(&follows.total / own);
                    for (moment, number) in follows.moments.iter_mut().zip(numbers) {
                        moment.add(number * &scale, state);
                    }
                }
                Err(error) => follows.failures.push((state, error.clone())),
            }
        }
        follows
    }
}

/// Whether the same follows. Failures are taken to be different.
fn is_same(one: &Cell, other: &Cell) -> bool {
    match (one, other) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

impl Moment {
    fn add(&mut self, number: IBig, state: usize) {
        if number == IBig::ZERO {
            return;
        }
        match self.0.iter_mut().find(|(own, _)| *own == number) {
            Some((_, states)) => states.push(state),
            None => self.0.push((number, vec![state])),
        }
    }

    /// Its sum over the weights of all states.
    fn sum(&self, growth: &Growth) -> IBig {
        let term = |(number, states): &(IBig, Vec<usize>)| {
            let weight = IBig::from(growth.weight(states));
            if *number == IBig::ONE {
                weight
            } else {
                weight * number
            }
        };
        let terms = self.0.iter().map(term);
        terms.reduce(|sum, term| sum + term).unwrap_or(IBig::ZERO)
    }
}
