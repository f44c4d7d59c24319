//! What queries ask about the number of rounds and where these end: told by how often each number leads there, with no round
//! counted in the states.
//!
//! `P(won & rolls <= 6)` of a fight is the chance to win after 0, 1, … 6 rounds. Each of these is a number of moves of the chain
//! in which the ends without a win go round for ever, so that one pass over its moves for each round tells them all. With the
//! rounds counted in its states, it would have up to eight times as many of them.

use std::collections::BTreeMap;

use oddsmith_dist::{Budget, Ends, Lengths, Moments, RBig, UBig};
use oddsmith_rules::program::{Expr, VarId};
use oddsmith_rules::{Check, Query};

use crate::Error;
use crate::evaluate::Env;
use crate::residual::Step;
use crate::states::{Key, States};
use crate::track::chain::{Laid, Layout, Start};
use crate::track::parts::{Track, over_budget};
use crate::track::sums::{EndQuery, EndView, Limits};
use crate::track::tally::{Asked, Own, Tally, add_never};

/// So many classes of ends are gone through one after the other; where there are more of them, rounds are counted in the states.
const MOST_CLASSES: usize = 32;

/// What a number takes beside its digits.
const NUMBER_BYTES: u128 = 32;

/// Whether queries with these limits read of all running sums the number of rounds alone, and compare that with numbers; and no dice
/// are rolled after the last round.
pub(super) fn is_about_rounds(
    check: &Check,
    view: &EndView,
    queries: &[EndQuery],
    limits: &Limits,
) -> bool {
    let limited = limits.iter().zip(&view.sums);
    let mut limited = limited.filter_map(|(limit, sum)| Some(((*limit)?, *sum)));
    let (Some((0.., sum)), None) = (limited.next(), limited.next()) else {
        return false;
    };
    let mut own = queries.iter().filter(|own| own.limits == *limits);
    let is_plain = |step: &Step| match step {
        Step::Let { value, .. } | Step::Set { value, .. } => !value.rolls_dice(),
        _ => false,
    };
    view.after.steps.iter().all(is_plain)
        && check.rounds.is_some_and(|rounds| view.is_sum(rounds, sum))
        && view.shown.is_empty()
        && own.all(|query| !query.reads_sums() && !query.parts().any(Expr::rolls_dice))
}

/// The ends of a track, by what queries read of them.
pub(super) struct EndClasses {
    /// What the queries read.
    vars: Vec<VarId>,
    classes: Vec<EndClass>,
    /// How often each start has no end.
    never: Vec<RBig>,
    /// Whether the numbers of rounds of all classes are kept, as more queries are to come.
    keeps_lengths: bool,
}

/// Ends that are the same to the queries.
struct EndClass {
    /// Of the variables.
    values: Key,
    ends: Vec<usize>,
    /// How often each start leads to one of them.
    shares: Vec<RBig>,
    /// How often it does after each number of rounds, as far as that is known.
    known: Option<Known>,
}

/// How often each start leads to an end after each number of rounds up to a horizon.
struct Known {
    lengths: Vec<Lengths>,
    horizon: usize,
    /// What the numbers take, until they are dropped.
    _memory: Budget,
}

impl EndClasses {
    /// The ends of a chain; none if they are of too many classes.
    pub(super) fn new(
        env: &mut Env<'_>,
        view: &EndView,
        chain: &Laid,
        queries: &[&EndQuery],
    ) -> Result<Option<Self>, Error> {
        let finals = view.after.final_vars(&view.head);
        let parts = queries.iter().flat_map(|query| query.parts());
        let reads: Vec<VarId> = parts.flat_map(|part| env.scope.reads_of(part)).collect();
        let is_read = |var: &VarId| reads.contains(var) && !view.sums.contains(var);
        let places = 0..finals.len();
        let places: Vec<usize> = places.filter(|at| is_read(&finals[*at])).collect();
        let mut classes: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
        for end in chain.ends() {
            let (key, _) = chain.state(*end);
            let last = env.run(&view.after, &view.head, States::certain(key))?;
            let last = last.keys().next().expect("no dice are rolled");
            let values = places.iter().map(|place| last[*place]).collect();
            classes.entry(values).or_default().push(*end);
            if classes.len() > MOST_CLASSES {
                return Ok(None);
            }
        }
        let class = |(values, ends)| EndClass {
            values,
            ends,
            shares: Vec::new(),
            known: None,
        };
        Ok(Some(Self {
            vars: places.iter().map(|place| finals[*place]).collect(),
            classes: classes.into_iter().map(class).collect(),
            never: Vec::new(),
            keeps_lengths: false,
        }))
    }

    /// Takes in where the next start ends.
    pub(super) fn add_start(&mut self, from: &Ends) {
        let share = |weight: UBig| RBig::from_parts(weight.into(), from.total.clone());
        for class in &mut self.classes {
            let own = from.ends.iter();
            let own = own.filter(|end| class.ends.binary_search(&end.state).is_ok());
            class
                .shares
                .push(share(own.map(|end| &end.weight).sum::<UBig>()));
        }
        self.never.push(from.never());
    }

    /// Adds up what each number of rounds and each end is to queries with some limits.
    pub(super) fn add_up(
        &mut self,
        env: &mut Env<'_>,
        view: &EndView,
        chain: &Laid,
        (starts, whose): (&[Start], &[usize]),
        told: &[Limits],
        asked: &mut Asked<'_>,
    ) -> Result<(), Error> {
        let horizon = told.iter().map(horizon_of).max().unwrap_or(0);
        for class in &mut self.classes {
            class.reach(chain, horizon, env.account.budget)?;
            env.bind_all(&self.vars, &class.values);
            let added = told.iter().try_for_each(|limits| {
                let by_rounds = |at: usize| class.of_start(at, horizon_of(limits));
                add_lengths(env, view, (starts, whose), limits, &by_rounds, asked)
            });
            env.unbind_all(&self.vars);
            added?;
            if !self.keeps_lengths {
                class.known = None;
            }
        }
        for (at, start) in starts.iter().enumerate() {
            if self.never[at] != RBig::ZERO {
                let never = &self.never[at] * &start.probability;
                for limits in told {
                    let is_own = asked.with_limits(limits);
                    add_never(env, view, start, &never, &mut asked.own(whose[at], &is_own))?;
                }
            }
        }
        Ok(())
    }
}

impl EndClass {
    /// Finds out how often it ends after each number of rounds up to a horizon, unless that is known.
    fn reach(&mut self, chain: &Laid, horizon: usize, budget: &Budget) -> Result<(), Error> {
        if self
            .known
            .as_ref()
            .is_some_and(|known| known.horizon >= horizon)
        {
            return Ok(());
        }
        self.known = None;
        let lengths = chain.lengths_to(&self.ends, horizon, budget)?;
        let bytes = lengths.iter().map(|own| {
            let number = 8 * own.total.as_words().len() as u128 + NUMBER_BYTES;
            own.weights.len() as u128 * number
        });
        let memory = budget.part();
        memory.charge_memory(bytes.sum()).map_err(over_budget)?;
        self.known = Some(Known {
            lengths,
            horizon,
            _memory: memory,
        });
        Ok(())
    }

    /// How often a start leads to one of the ends after each number of rounds up to a horizon that is reached.
    fn of_start(&self, at: usize, horizon: usize) -> ByRounds<'_> {
        let known = self.known.as_ref().expect("it is reached");
        ByRounds::new(&known.lengths[at], horizon, self.shares[at].clone())
    }
}

/// A track's rounds without sums in their states, for one comparison of their number after the other.
pub(super) struct ToldRounds {
    starts: Vec<Start>,
    chain: Laid,
    classes: EndClasses,
}

impl ToldRounds {
    /// For queries that read what this one reads; none if they can't be told.
    pub(super) fn new(
        env: &mut Env<'_>,
        track: &Track<'_>,
        view: &EndView,
        query: &EndQuery,
    ) -> Result<Option<Self>, Error> {
        let mut layout = Layout::new(env, track, view);
        let starts = layout.starts(env)?;
        let chain = layout.chain(env, &starts, &vec![None; view.sums.len()], true)?;
        let Some(mut classes) = EndClasses::new(env, view, &chain, &[query])? else {
            return Ok(None);
        };
        classes.keeps_lengths = true;
        chain.ends_from_each(&[], Moments::First, env.account.budget, |_, ends| {
            classes.add_start(&ends);
            Ok(())
        })?;
        Ok(Some(Self {
            starts,
            chain,
            classes,
        }))
    }

    /// The sums over all ends for a query.
    pub(super) fn tally(
        &mut self,
        check: &Check,
        env: &mut Env<'_>,
        view: &EndView,
        (query, own): (&Query, EndQuery),
    ) -> Result<(EndQuery, Tally), Error> {
        let mut tallies = [Tally::new(check, query, &own)];
        let told = [own.limits.clone()];
        let mut asked = Asked::once(vec![own], &mut tallies);
        let whose = vec![0; self.starts.len()];
        let from = (self.starts.as_slice(), whose.as_slice());
        self.classes
            .add_up(env, view, &self.chain, from, &told, &mut asked)?;
        let own = asked.queries.remove(0);
        let [tally] = tallies;
        Ok((own, tally))
    }
}

/// How often rounds come to an end, by their number.
pub(super) struct ByRounds<'l> {
    /// After none, after one and so on, over the total.
    weights: &'l [UBig],
    total: &'l UBig,
    /// The probability of more rounds.
    later: RBig,
}

impl<'l> ByRounds<'l> {
    /// Up to a horizon that the lengths reach, of what happens with this probability.
    pub(super) fn new(lengths: &'l Lengths, horizon: usize, share: RBig) -> Self {
        let Lengths { weights, total, .. } = lengths;
        let weights = &weights[..weights.len().min(horizon.saturating_add(1))];
        let sum: UBig = weights.iter().sum();
        Self {
            weights,
            total,
            later: share - RBig::from_parts(sum.into(), total.clone()),
        }
    }
}

/// The most rounds that are told from more of them.
pub(super) fn horizon_of(limits: &Limits) -> usize {
    let limit = limits.iter().flatten().next().copied().unwrap_or(0);
    // As many as are beyond memory are over any budget.
    usize::try_from(limit - 1).unwrap_or(0)
}

/// Adds up what each number of rounds from each start, which are told by its place, is to queries with these limits.
pub(super) fn add_lengths<'l>(
    env: &mut Env<'_>,
    view: &EndView,
    (starts, whose): (&[Start], &[usize]),
    limits: &Limits,
    by_rounds: &dyn Fn(usize) -> ByRounds<'l>,
    asked: &mut Asked<'_>,
) -> Result<(), Error> {
    let is_own = asked.with_limits(limits);
    (0..starts.len()).try_for_each(|at| {
        let mut own = asked.own(whose[at], &is_own);
        add_lengths_of(env, view, &starts[at], &by_rounds(at), &mut own)
    })
}

/// Adds up what each number of rounds is to queries, where all else that they read is bound; more rounds than are told apart count
/// as one more.
fn add_lengths_of(
    env: &mut Env<'_>,
    view: &EndView,
    start: &Start,
    by_rounds: &ByRounds<'_>,
    own: &mut Own<'_>,
) -> Result<(), Error> {
    let (later, total) = by_rounds.later.clone().into_parts();
    let rounds = (0_i64..).map(Some).zip(by_rounds.weights);
    for (rounds, weight) in rounds.filter(|(_, weight)| !weight.is_zero()) {
        own.add_rounds(env, view, rounds, weight)?;
    }
    own.close((by_rounds.total, &UBig::ONE), &start.probability);
    let later = UBig::try_from(later).expect("a part is not more than all");
    if !later.is_zero() {
        own.add_rounds(env, view, None, &later)?;
        own.close((&total, &UBig::ONE), &start.probability);
    }
    Ok(())
}
