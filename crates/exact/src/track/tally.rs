//! Sums over all ends of a track, for queries.

use std::collections::BTreeMap;

use oddsmith_dist::{Dist, End, Ends, IBig, RBig, UBig};
use oddsmith_rules::program::{Expr, VarId};
use oddsmith_rules::{Check, Query, QueryKind};

use crate::evaluate::Env;
use crate::moments::{dist_of_shares, picked, statistic};
use crate::states::{Key, States};
use crate::track::chain::{Laid, Layout, Moments, Start};
use crate::track::parts::{Track, is_of_first_round};
use crate::track::sums::{EndQuery, EndView, Limits};
use crate::{Answer, Error};

/// The sums over all ends for one query.
pub(super) fn tally_of(
    check: &Check,
    env: &mut Env<'_>,
    track: &Track<'_>,
    view: &EndView,
    query: &Query,
) -> Result<(EndQuery, Tally), Error> {
    let own = view.ask(env, query)?;
    let tally = Tally::new(check, query, &own);
    let mut asked = vec![(own, tally)];
    add_up(env, track, view, &mut asked)?;
    Ok(asked.remove(0))
}

/// Adds up what all ends are to each query. The rounds of those that count no sum are handed back.
pub(super) fn add_up(
    env: &mut Env<'_>,
    track: &Track<'_>,
    view: &EndView,
    asked: &mut [(EndQuery, Tally)],
) -> Result<Option<Laid>, Error> {
    let mut plain = None;
    let mut layout = Layout::new(env, track, view);
    let starts = layout.starts(env)?;
    let mut kinds: Vec<Limits> = asked
        .iter()
        .map(|(asked, _)| asked.limits.clone())
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    let last = kinds.len().saturating_sub(1);
    for (number, limits) in kinds.into_iter().enumerate() {
        let chain = layout.chain(env, &starts, &limits, number == last)?;
        let alike = asked.iter_mut().filter(|(asked, _)| asked.limits == limits);
        let mut rest: Vec<&mut (EndQuery, Tally)> = alike.collect();
        let mut forms: Vec<Vec<i64>> = rest.iter().map(|pair| pair.0.counts.clone()).collect();
        forms.sort_unstable();
        forms.dedup();
        // Who reads no sum needs the chances alone, which come with every form.
        let is_none = |form: &[i64]| form.iter().all(|count| *count == 0);
        if forms.len() > 1 {
            forms.retain(|form| !is_none(form));
        }
        for form in forms {
            let (mut own, others): (Vec<_>, Vec<_>) = rest
                .into_iter()
                .partition(|pair| pair.0.counts == form || is_none(&pair.0.counts));
            rest = others;
            let moments = own.iter().map(|pair| pair.1.moments).max();
            let moments = moments.expect("a form is that of a query");
            for (at, start) in starts.iter().enumerate() {
                let ends = chain.ends(at, &form, moments, env.account.budget)?;
                for end in &ends.ends {
                    count_end(
                        env,
                        view,
                        chain.state(end.state),
                        start,
                        (&ends, end),
                        &mut own,
                    )?;
                }
                let rest = own.iter_mut().map(|pair| &mut pair.1);
                rest.for_each(|tally| tally.close(&ends, &start.probability));
                if !ends.never.is_zero() {
                    let never = ends.never() * &start.probability;
                    count_never(env, view, start, &never, &mut own)?;
                }
            }
        }
        if limits.iter().all(Option::is_none) {
            plain = Some(chain);
        }
    }
    Ok(plain)
}

/// Adds up what a track that never ends is to each query: it goes on for more rounds than any number.
fn count_never(
    env: &mut Env<'_>,
    view: &EndView,
    start: &Start,
    never: &RBig,
    asked: &mut [&mut (EndQuery, Tally)],
) -> Result<(), Error> {
    for (asked, tally) in asked.iter_mut().map(|pair| &mut **pair) {
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

/// Adds up what one end of a chain is to each query.
fn count_end(
    env: &mut Env<'_>,
    view: &EndView,
    (key, counted): (&Key, &[i64]),
    start: &Start,
    (ends, end): (&Ends, &End),
    asked: &mut [&mut (EndQuery, Tally)],
) -> Result<(), Error> {
    let finals = env.run(&view.after, &view.head, States::certain(key))?;
    let vars = view.after.final_vars(&view.head);
    for (last, weight) in finals.iter() {
        // Most often an end is certain to lead to one final state.
        let share = (*weight != finals.total)
            .then(|| RBig::from_parts(IBig::from(weight.clone()), finals.total.clone()));
        let close = |asked: &mut [&mut (EndQuery, Tally)], share: &RBig| {
            let tallies = asked.iter_mut().map(|pair| &mut pair.1);
            tallies.for_each(|tally| tally.close(ends, share));
        };
        if share.is_some() {
            close(asked, &start.probability);
        }
        env.bind_all(vars, last);
        env.bind_all(&view.shown, &start.shown);
        let found = asked.iter_mut().try_for_each(|pair| {
            let (asked, tally) = &mut **pair;
            view.bind_counted(env, &asked.limits, counted);
            let added = tally.add(env, asked, &ends.unit, end);
            view.unbind_counted(env);
            added
        });
        env.unbind_all(&view.shown);
        env.unbind_all(vars);
        found?;
        if let Some(share) = share {
            close(asked, &(share * &start.probability));
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
    fn add(
        &mut self,
        env: &mut Env<'_>,
        asked: &EndQuery,
        unit: &UBig,
        end: &End,
    ) -> Result<(), Error> {
        if let Some(given) = &asked.given
            && env.number(given)? == 0
        {
            return Ok(());
        }
        let value = env.number(&asked.value)?;
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

    /// Ends the sums over some ends, which are met with this probability.
    fn close(&mut self, ends: &Ends, share: &RBig) {
        let Sums {
            given,
            first,
            second,
            values,
        } = std::mem::take(&mut self.open);
        for (value, weight) in values {
            let met = RBig::from_parts(weight.into(), ends.total.clone()) * share;
            *self.values.entry(value).or_insert(RBig::ZERO) += met;
        }
        let add = |sum: &mut RBig, weight: IBig, unit: UBig| {
            if weight.is_zero() {
                return;
            }
            let met = RBig::from_parts(weight, &ends.total * unit);
            *sum += if share.is_one() { met } else { met * share };
        };
        let unit = match self.reads_sums {
            true => ends.unit.clone(),
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
            && env.number(given)? == 0
        {
            return Ok(());
        }
        self.endless += never;
        self.given += never;
        if self.has_values && self.is_value_open {
            let value = env.number(&asked.value)?;
            *self.values.entry(value).or_insert(RBig::ZERO) += never;
        } else if self.is_value_open {
            self.first += RBig::from(env.number(&asked.value)?) * never;
            self.second += RBig::from(env.number(&asked.value)?).sqr() * never;
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
