//! Sums over all ends of a track, for queries.

use std::collections::BTreeMap;

use oddsmith_dist::{Dist, End, IBig, Moments, RBig, UBig};
use oddsmith_rules::program::{Expr, VarId};
use oddsmith_rules::{Check, Query, QueryKind};

use crate::evaluate::Env;
use crate::moments::{dist_of_shares, picked, statistic};
use crate::track::chain::Start;
use crate::track::parts::is_of_first_round;
use crate::track::sums::{EndQuery, EndView, Limits};
use crate::{Answer, Error};

/// Queries, and a tally for each of them wherever a track may begin.
pub(super) struct Asked<'t> {
    pub(super) queries: Vec<EndQuery>,
    /// For each beginning, those of the queries.
    tallies: Vec<&'t mut [Tally]>,
    /// Whether rounds are counted in states, whatever else would tell them.
    pub(super) is_counted: bool,
}

/// Queries of the same kind about one beginning.
pub(super) struct Own<'a> {
    queries: &'a [EndQuery],
    tallies: &'a mut [Tally],
    /// Which of them are of that kind.
    is_own: &'a [bool],
}

impl<'t> Asked<'t> {
    /// For a track that begins in one way.
    pub(super) fn once(queries: Vec<EndQuery>, tallies: &'t mut [Tally]) -> Self {
        Self {
            queries,
            tallies: vec![tallies],
            is_counted: false,
        }
    }

    /// For one that begins in several.
    pub(super) fn each(queries: Vec<EndQuery>, tallies: &'t mut [Vec<Tally>]) -> Self {
        let tallies = tallies.iter_mut().map(Vec::as_mut_slice);
        Self {
            queries,
            tallies: tallies.collect(),
            is_counted: false,
        }
    }

    /// Which queries have these limits.
    pub(super) fn with_limits(&self, limits: &Limits) -> Vec<bool> {
        let queries = self.queries.iter();
        queries.map(|own| own.limits == *limits).collect()
    }

    /// Whether what queries with these limits read is the number of rounds alone.
    pub(super) fn reads_rounds_alone(&self, limits: &Limits) -> bool {
        let own = self.queries.iter().zip(&*self.tallies[0]);
        let mut own = own.filter(|(own, _)| own.limits == *limits);
        own.all(|(_, tally)| tally.is_value_open && tally.is_given_open)
    }

    /// The moments that some of the queries need.
    pub(super) fn moments(&self, is_own: &[bool]) -> Moments {
        let own = self.tallies[0].iter().zip(is_own);
        let own = own.filter_map(|(tally, is_own)| is_own.then_some(tally.moments));
        own.max().unwrap_or(Moments::First)
    }

    /// Some of the queries about one beginning.
    pub(super) fn own<'a>(&'a mut self, beginning: usize, is_own: &'a [bool]) -> Own<'a> {
        Own {
            queries: &self.queries,
            tallies: &mut *self.tallies[beginning],
            is_own,
        }
    }
}

impl Own<'_> {
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (&EndQuery, &mut Tally)> {
        let pairs = self.queries.iter().zip(&mut *self.tallies);
        let pairs = pairs.zip(self.is_own);
        pairs.filter_map(|(pair, is_own)| is_own.then_some(pair))
    }

    /// Adds what has ended after so many rounds, or after more than are told apart, where all else that is read is bound.
    pub(super) fn add_rounds(
        &mut self,
        env: &mut Env<'_>,
        view: &EndView,
        rounds: Option<i64>,
        weight: &UBig,
    ) -> Result<(), Error> {
        let end = End {
            state: 0,
            weight: weight.clone(),
            first: IBig::ZERO,
            second: IBig::ZERO,
        };
        self.iter_mut().try_for_each(|(asked, tally)| {
            match rounds {
                Some(rounds) => view.bind_counted(env, &asked.limits, &[rounds]),
                None => view.bind_most(env, &asked.limits),
            }
            let added = tally.add(env, asked, &UBig::ONE, &end);
            view.unbind_counted(env);
            added
        })
    }

    /// Ends the sums over some ends, whose weights are over a total and a unit; see [`Tally::close`].
    pub(super) fn close(&mut self, below: (&UBig, &UBig), share: &RBig) {
        self.iter_mut()
            .for_each(|(_, tally)| tally.close(below, share));
    }
}

/// Adds up what a track that never ends is to each query: it goes on for more rounds than any number.
pub(super) fn add_never(
    env: &mut Env<'_>,
    view: &EndView,
    start: &Start,
    never: &RBig,
    own: &mut Own<'_>,
) -> Result<(), Error> {
    for (asked, tally) in own.iter_mut() {
        tally.never += never;
        if tally.is_given_open {
            env.bind_all(&view.shown, &start.shown);
            view.bind_most(env, &asked.limits);
            let found = tally.add_endless(env, asked, never);
            view.unbind_counted(env);
            env.unbind_all(&view.shown);
            found?;
        }
    }
    Ok(())
}

/// Sums over some ends of a chain, over the denominators of its ends: those of moments hold the unit only if a running sum
/// is read.
#[derive(Default)]
struct Sums {
    given: UBig,
    first: IBig,
    second: IBig,
    values: BTreeMap<i64, UBig>,
}

/// Sums over all ends, for one query.
pub(super) struct Tally {
    /// Whether what is asked reads nothing but the number of rounds and what the first round shows: then a track
    /// that never ends has an answer too.
    is_value_open: bool,
    /// The same of its condition.
    is_given_open: bool,
    /// The second moment is summed for variances alone.
    moments: Moments,
    /// Whether the probability of each value is wanted, in place of moments.
    has_values: bool,
    /// Whether the answer is over `given`, not over everything.
    is_conditional: bool,
    /// Whether running sums count towards its value.
    reads_sums: bool,
    /// The ends that have come since the last [`Self::close`].
    open: Sums,
    first: RBig,
    second: RBig,
    values: BTreeMap<i64, RBig>,
    /// The probability of the condition, or of all that ends.
    given: RBig,
    never: RBig,
    /// The part of `never` in which the condition holds.
    endless: RBig,
}

impl Tally {
    pub(super) fn new(check: &Check, query: &Query, asked: &EndQuery) -> Self {
        let is_one = |var: &VarId| is_of_first_round(check, *var) || check.rounds == Some(*var);
        let is_open = |expr: &Expr| check.outcomes_in([expr].into_iter()).iter().all(is_one);
        let mut parts = query.parts();
        Self {
            is_value_open: parts.next().is_some_and(is_open),
            is_given_open: parts.all(is_open),
            moments: match query.kind {
                QueryKind::Variance(_) | QueryKind::Deviation(_) => Moments::Second,
                QueryKind::Probability(_) | QueryKind::Mean(_) | QueryKind::Statistic(..) => {
                    Moments::First
                }
            },
            has_values: statistic(query).is_some(),
            is_conditional: query.given.is_some()
                || !matches!(query.kind, QueryKind::Probability(_)),
            reads_sums: asked.reads_sums(),
            open: Sums::default(),
            first: RBig::ZERO,
            second: RBig::ZERO,
            values: BTreeMap::new(),
            given: RBig::ZERO,
            never: RBig::ZERO,
            endless: RBig::ZERO,
        }
    }

    /// Adds an end of a chain whose running sums have this unit; the values at the end are bound.
    pub(super) fn add(
        &mut self,
        env: &mut Env<'_>,
        asked: &EndQuery,
        unit: &UBig,
        end: &End,
    ) -> Result<(), Error> {
        if let Some(given) = &asked.given
            && asked.number(env, given)? == 0
        {
            return Ok(());
        }
        let value = asked.number(env, &asked.value)?;
        let open = &mut self.open;
        if self.is_conditional {
            open.given += &end.weight;
        }
        if self.has_values {
            *open.values.entry(value).or_default() += &end.weight;
            return Ok(());
        }
        // An event is 0 or 1 wherever it ends, and most queries read no running sum.
        if !self.reads_sums && matches!(value, 0 | 1) {
            if value == 1 {
                open.first += &end.weight;
                open.second += &end.weight;
            }
            return Ok(());
        }
        let value = IBig::from(value);
        if !self.reads_sums {
            let first = &value * &end.weight;
            open.second += &value * &first;
            open.first += first;
            return Ok(());
        }
        let value = value * unit;
        if self.moments == Moments::Second {
            let both = &value * &end.weight + &end.first * IBig::from(2);
            open.second += &value * both + &end.second;
        }
        open.first += value * &end.weight + &end.first;
        Ok(())
    }

    /// Ends the sums over some ends, which are met with this probability; the weights are over a total and a unit, as those of
    /// [`oddsmith_dist::Ends`].
    fn close(&mut self, (total, unit): (&UBig, &UBig), share: &RBig) {
        let Sums {
            given,
            first,
            second,
            values,
        } = std::mem::take(&mut self.open);
        for (value, weight) in values {
            let met = RBig::from_parts(weight.into(), total.clone()) * share;
            *self.values.entry(value).or_insert(RBig::ZERO) += met;
        }
        let add = |sum: &mut RBig, weight: IBig, unit: UBig| {
            if weight.is_zero() {
                return;
            }
            let met = RBig::from_parts(weight, total * unit);
            *sum += if share.is_one() { met } else { met * share };
        };
        let unit = match self.reads_sums {
            true => unit.clone(),
            false => UBig::ONE,
        };
        add(&mut self.given, given.into(), UBig::ONE);
        if self.moments == Moments::Second {
            add(&mut self.second, second, unit.sqr());
        }
        add(&mut self.first, first, unit);
    }

    /// Adds a track that goes on for ever: an event about its end does not happen.
    fn add_endless(
        &mut self,
        env: &mut Env<'_>,
        asked: &EndQuery,
        never: &RBig,
    ) -> Result<(), Error> {
        if let Some(given) = &asked.given
            && asked.number(env, given)? == 0
        {
            return Ok(());
        }
        self.endless += never;
        self.given += never;
        if self.has_values && self.is_value_open {
            let value = asked.number(env, &asked.value)?;
            *self.values.entry(value).or_insert(RBig::ZERO) += never;
        } else if self.is_value_open {
            let value = RBig::from(asked.number(env, &asked.value)?);
            self.second += value.sqr() * never;
            self.first += value * never;
        }
        Ok(())
    }

    /// The share of tracks that never end among those in which the condition holds; none if it never does.
    pub(super) fn endless_share(&self) -> Option<RBig> {
        (self.given != RBig::ZERO).then(|| &self.endless / &self.given)
    }

    /// Refuses a query that has no answer where a track never ends.
    pub(super) fn demand_open(&self, check: &Check, query: &Query) -> Result<(), Error> {
        let is_one = |var: &VarId| is_of_first_round(check, *var) || check.rounds == Some(*var);
        if check
            .outcomes_in([query.subject()].into_iter())
            .iter()
            .all(is_one)
        {
            return Ok(());
        }
        Err(self.never_ends(check, query))
    }

    /// The whole distribution of the number that a query picks a value of.
    pub(super) fn distribution(self, check: &Check, query: &Query) -> Result<Dist, Error> {
        if self.never != RBig::ZERO {
            return Err(self.never_ends(check, query));
        }
        Ok(dist_of_shares(self.values.into_iter().collect()))
    }

    fn never_ends(&self, check: &Check, query: &Query) -> Error {
        Error::NeverEnds {
            track: check.name.clone(),
            query: query.text.clone(),
            chance: self.never.to_string(),
        }
    }

    pub(super) fn answer(
        self,
        check: &Check,
        query: &Query,
        asked: &EndQuery,
    ) -> Result<Answer, Error> {
        let is_chance = matches!(query.kind, QueryKind::Probability(_));
        // Of what is asked about endless tracks only the number of rounds is a running sum.
        let count = asked.counts.iter().find(|count| **count != 0);
        if self.is_value_open
            && self.endless != RBig::ZERO
            && let Some(count) = count
        {
            let falls = *count < 0 && matches!(query.kind, QueryKind::Mean(_));
            return Ok(Answer::infinite(falls));
        }
        if !is_chance && !self.is_value_open && self.endless != RBig::ZERO {
            return Err(self.never_ends(check, query));
        }
        let given = if self.is_conditional {
            self.given
        } else {
            RBig::ONE
        };
        if given == RBig::ZERO {
            return Ok(Answer::nothing());
        }
        if let Some(statistic) = statistic(query) {
            let values: Vec<(i64, RBig)> = self.values.into_iter().collect();
            return Ok(picked(statistic, &dist_of_shares(values)));
        }
        let mean = self.first / &given;
        let variance = || Answer::from(self.second / given - &mean * &mean);
        Ok(match query.kind {
            QueryKind::Variance(_) => variance(),
            QueryKind::Deviation(_) => variance().root(),
            _ => Answer::from(mean),
        })
    }
}
