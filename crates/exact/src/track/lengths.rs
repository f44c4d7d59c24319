//! What queries ask about the number of rounds and where these end: told by how often each number leads there, with no round
//! counted in the states.
//!
//! `P(won & rolls <= 6)` of a fight is the chance to win after 0, 1, … 6 rounds. Each of these is a number of moves of the chain
//! in which the ends without a win go round for ever, so that one pass over its moves for each round tells them all. With the
//! rounds counted in its states, it would have up to eight times as many of them.

use std::collections::{BTreeMap, BTreeSet};

use oddsmith_dist::{Budget, Ends, Lengths, Moments, RBig, UBig};
use oddsmith_rules::program::{Expr, VarId};
use oddsmith_rules::{Check, Query};

use crate::Error;
use crate::evaluate::Env;
use crate::states::{Key, States};
use crate::track::chain::{Laid, Layout, Start};
use crate::track::parts::Track;
use crate::track::sums::{EndQuery, EndView, Limits};
use crate::track::tally::{Asked, Own, Tally, count_never};

/// So many classes of ends are gone through one after the other; where there are more of them, rounds are counted in the states.
const MOST_CLASSES: usize = 32;

/// Whether queries with these limits read of all running sums the number of rounds alone, and compare that with numbers.
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
    check.rounds.is_some_and(|rounds| view.is_sum(rounds, sum))
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
}

/// Ends that are the same to the queries.
struct EndClass {
    /// Of the variables.
    values: Key,
    ends: Vec<usize>,
    /// How often each start leads to one of them.
    shares: Vec<RBig>,
    /// For each start, how often it does after each number of rounds up to the horizon; nothing if that is not known yet.
    lengths: Vec<Lengths>,
    horizon: usize,
}

impl EndClasses {
    /// The ends of a chain, which come with their weights from each start; none if they are of too many classes, or if dice are
    /// rolled after the last round.
    pub(super) fn new(
        env: &mut Env<'_>,
        view: &EndView,
        chain: &Laid,
        queries: &[&EndQuery],
        from_each: &[Ends],
    ) -> Result<Option<Self>, Error> {
        let finals = view.after.final_vars(&view.head);
        let parts = queries.iter().flat_map(|query| query.parts());
        let reads: Vec<VarId> = parts.flat_map(|part| env.scope.reads_of(part)).collect();
        let is_read = |var: &VarId| reads.contains(var) && !view.sums.contains(var);
        let places: Vec<usize> = (0..finals.len())
            .filter(|at| is_read(&finals[*at]))
            .collect();
        let all = from_each.iter().flat_map(|ends| &ends.ends);
        let all: BTreeSet<usize> = all.map(|end| end.state).collect();
        let mut classes: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
        for end in all {
            let (key, _) = chain.state(end);
            let last = env.run(&view.after, &view.head, States::certain(key))?;
            let mut last = last.keys();
            let (Some(last), None) = (last.next(), last.next()) else {
                return Ok(None);
            };
            let values = places.iter().map(|place| last[*place]).collect();
            classes.entry(values).or_default().push(end);
            if classes.len() > MOST_CLASSES {
                return Ok(None);
            }
        }
        let classes = classes.into_iter();
        Ok(Some(Self {
            vars: places.iter().map(|place| finals[*place]).collect(),
            classes: classes
                .map(|class| EndClass::new(class, from_each))
                .collect(),
            never: from_each.iter().map(Ends::never).collect(),
        }))
    }

    /// Adds up what each number of rounds and each end is to queries with these limits.
    pub(super) fn count(
        &mut self,
        env: &mut Env<'_>,
        view: &EndView,
        chain: &Laid,
        (starts, whose): (&[Start], &[usize]),
        limits: &Limits,
        asked: &mut Asked<'_>,
    ) -> Result<(), Error> {
        let (is_own, horizon) = (asked.with_limits(limits), horizon_of(limits));
        for class in &mut self.classes {
            class.reach(chain, horizon, env.account.budget)?;
            env.bind_all(&self.vars, &class.values);
            let counted = (0..starts.len()).try_for_each(|at| {
                let lengths = class.of_start(at, horizon);
                let mut own = asked.own(whose[at], &is_own);
                count_lengths(env, view, &starts[at], &lengths, &mut own)
            });
            env.unbind_all(&self.vars);
            counted?;
        }
        for (at, start) in starts.iter().enumerate() {
            if self.never[at] != RBig::ZERO {
                let never = &self.never[at] * &start.probability;
                count_never(env, view, start, &never, &mut asked.own(whose[at], &is_own))?;
            }
        }
        Ok(())
    }
}

impl EndClass {
    fn new((values, ends): (Key, Vec<usize>), from_each: &[Ends]) -> Self {
        let share = |from: &Ends| {
            let own = from.ends.iter();
            let own = own.filter(|end| ends.binary_search(&end.state).is_ok());
            let weight: UBig = own.map(|end| &end.weight).sum();
            RBig::from_parts(weight.into(), from.total.clone())
        };
        Self {
            shares: from_each.iter().map(share).collect(),
            values,
            ends,
            lengths: Vec::new(),
            horizon: 0,
        }
    }

    /// Finds out how often it ends after each number of rounds up to a horizon, unless that is known.
    fn reach(&mut self, chain: &Laid, horizon: usize, budget: &Budget) -> Result<(), Error> {
        if self.lengths.is_empty() || self.horizon < horizon {
            self.lengths = chain.lengths_to(&self.ends, horizon, budget)?;
            self.horizon = horizon;
        }
        Ok(())
    }

    /// How often a start leads to one of the ends after each number of rounds up to a horizon that is reached.
    fn of_start(&self, at: usize, horizon: usize) -> Counted<'_> {
        Counted::new(&self.lengths[at], horizon, self.shares[at].clone())
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
        let mut from_each = Vec::new();
        chain.ends_from_each(&[], Moments::First, env.account.budget, |_, ends| {
            from_each.push(ends);
            Ok(())
        })?;
        let classes = EndClasses::new(env, view, &chain, &[query], &from_each)?;
        Ok(classes.map(|classes| Self {
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
        let limits = own.limits.clone();
        let mut asked = Asked::once(vec![own], &mut tallies);
        let whose = vec![0; self.starts.len()];
        let from = (self.starts.as_slice(), whose.as_slice());
        self.classes
            .count(env, view, &self.chain, from, &limits, &mut asked)?;
        let own = asked.queries.remove(0);
        let [tally] = tallies;
        Ok((own, tally))
    }
}

/// How often rounds come to an end, by their number.
pub(super) struct Counted<'l> {
    /// After none, after one and so on, over the total.
    weights: &'l [UBig],
    total: &'l UBig,
    /// The probability of more rounds.
    later: RBig,
}

impl<'l> Counted<'l> {
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

/// Adds up what each number of rounds is to queries, where all else that they read is bound; more rounds than are told apart count
/// as one more.
pub(super) fn count_lengths(
    env: &mut Env<'_>,
    view: &EndView,
    start: &Start,
    counted: &Counted<'_>,
    own: &mut Own<'_>,
) -> Result<(), Error> {
    let (later, total) = counted.later.clone().into_parts();
    let rounds = (0_i64..).map(Some).zip(counted.weights);
    for (rounds, weight) in rounds.filter(|(_, weight)| !weight.is_zero()) {
        own.add_rounds(env, view, rounds, weight)?;
    }
    own.close((counted.total, &UBig::ONE), &start.probability);
    let later = UBig::try_from(later).expect("a part is not more than all");
    if !later.is_zero() {
        own.add_rounds(env, view, None, &later)?;
        own.close((&total, &UBig::ONE), &start.probability);
    }
    Ok(())
}
