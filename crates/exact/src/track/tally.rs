//! Sums over all ends of a track, for queries.

use std::collections::BTreeMap;

use oddsmith_dist::{Dist, End, Ends, IBig, Lengths, Moments, RBig, UBig};
use oddsmith_rules::program::{Expr, VarId};
use oddsmith_rules::{Check, Query, QueryKind};

use crate::evaluate::Env;
use crate::moments::{dist_of_shares, picked, statistic};
use crate::states::{Key, States};
use crate::track::chain::{Laid, Layout, Start};
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
    let mut tallies = [Tally::new(check, query, &own)];
    let mut asked = Asked::once(vec![own], &mut tallies);
    add_up(env, track, view, &mut asked)?;
    let own = asked.queries.remove(0);
    let [tally] = tallies;
    Ok((own, tally))
}

/// Queries, and a tally for each of them wherever a track may begin.
pub(super) struct Asked<'t> {
    pub(super) queries: Vec<EndQuery>,
    /// For each beginning, those of the queries.
    tallies: Vec<&'t mut [Tally]>,
}

/// Queries of the same kind about one beginning.
struct Own<'a> {
    queries: &'a [EndQuery],
    tallies: &'a mut [Tally],
    /// Which of them are of that kind.
    is_own: &'a [bool],
}

impl<'t> Asked<'t> {
    /// For a track that begins in one way.
    pub(super) fn once(queries: Vec<EndQuery>, tallies: &'t mut [Tally]) -> Self {
        let tallies = vec![tallies];
        Self { queries, tallies }
    }

    /// For one that begins in several.
    pub(super) fn each(queries: Vec<EndQuery>, tallies: &'t mut [Vec<Tally>]) -> Self {
        let tallies = tallies.iter_mut().map(Vec::as_mut_slice).collect();
        Self { queries, tallies }
    }
}

impl Own<'_> {
    fn iter_mut(&mut self) -> impl Iterator<Item = (&EndQuery, &mut Tally)> {
        let pairs = self.queries.iter().zip(&mut *self.tallies);
        let pairs = pairs.zip(self.is_own);
        pairs.filter_map(|(pair, is_own)| is_own.then_some(pair))
    }

    /// Ends the sums over some ends; see [`Tally::close`].
    fn close(&mut self, ends: &Ends, share: &RBig) {
        self.iter_mut()
            .for_each(|(_, tally)| tally.close(ends, share));
    }
}

/// Adds up what all ends are to each query. The rounds of those that count no sum are handed back.
pub(super) fn add_up(
    env: &mut Env<'_>,
    track: &Track<'_>,
    view: &EndView,
    asked: &mut Asked<'_>,
) -> Result<Option<Laid>, Error> {
    let mut layout = Layout::new(env, track, view);
    let starts = layout.starts(env)?;
    let whose = vec![0; starts.len()];
    add_up_from(env, &mut layout, view, (&starts, &whose), asked)
}

/// [`add_up`] from starts, each of which belongs to the beginning with that number.
pub(super) fn add_up_from(
    env: &mut Env<'_>,
    layout: &mut Layout<'_>,
    view: &EndView,
    (starts, whose): (&[Start], &[usize]),
    asked: &mut Asked<'_>,
) -> Result<Option<Laid>, Error> {
    let mut plain = None;
    let Asked { queries, tallies } = asked;
    let mut kinds: Vec<Limits> = queries.iter().map(|own| own.limits.clone()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let is_short = |limits: &Limits| is_about_rounds(view, queries, tallies[0], limits);
    let (short, mut kinds): (Vec<Limits>, Vec<Limits>) = kinds.into_iter().partition(is_short);
    let nothing = vec![None; view.sums.len()];
    if !short.is_empty() && !kinds.contains(&nothing) {
        kinds.push(nothing);
    }
    let last = kinds.len().saturating_sub(1);
    for (number, limits) in kinds.into_iter().enumerate() {
        let chain = layout.chain(env, starts, &limits, number == last)?;
        for (form, is_own) in forms(queries, &limits) {
            let own = tallies[0].iter().zip(&is_own).filter(|(_, own)| **own);
            let moments = own.map(|(tally, _)| tally.moments).max();
            let moments = moments.expect("a form is that of a query");
            let budget = env.account.budget;
            chain.ends_from_each(&form, moments, budget, |at, ends| {
                let mut own = Own {
                    queries,
                    tallies: &mut *tallies[whose[at]],
                    is_own: &is_own,
                };
                count_ends(env, view, &chain, &starts[at], &ends, &mut own)
            })?;
        }
        if limits.iter().all(Option::is_none) {
            for limits in &short {
                let is_own: Vec<bool> = queries.iter().map(|own| own.limits == *limits).collect();
                for (at, lengths) in lengths_up_to(&chain, limits, env)?.into_iter().enumerate() {
                    let mut own = Own {
                        queries,
                        tallies: &mut *tallies[whose[at]],
                        is_own: &is_own,
                    };
                    count_lengths(env, view, &starts[at], lengths, &mut own)?;
                }
            }
            plain = Some(chain);
        }
    }
    Ok(plain)
}

/// Whether queries with these limits read nothing but how many rounds there are, and compare that with a number: then there is
/// no need to count rounds in the states.
fn is_about_rounds(
    view: &EndView,
    queries: &[EndQuery],
    tallies: &[Tally],
    limits: &Limits,
) -> bool {
    let mut limited = limits.iter().flatten();
    let (Some(0..), None) = (limited.next(), limited.next()) else {
        return false;
    };
    let own = queries.iter().zip(tallies);
    let mut own = own.filter(|(own, _)| own.limits == *limits);
    view.shown.is_empty()
        && own.all(|(query, tally)| {
            let mut parts = query.given.iter().chain([&query.value]);
            let reads_rounds = tally.is_value_open && tally.is_given_open;
            reads_rounds && !query.reads_sums() && !parts.any(Expr::rolls_dice)
        })
}

/// How many rounds there are from each start, up to what they are compared with.
fn lengths_up_to(chain: &Laid, limits: &Limits, env: &Env<'_>) -> Result<Vec<Lengths>, Error> {
    let limit = limits.iter().flatten().next().copied().unwrap_or(0);
    // As many as are beyond memory are over any budget.
    let horizon = usize::try_from(limit - 1).unwrap_or(0);
    chain.lengths_from_each(horizon, env.account.budget)
}

/// Adds up what each number of rounds is to queries that read no more; one that goes on counts as what is just beyond.
fn count_lengths(
    env: &mut Env<'_>,
    view: &EndView,
    start: &Start,
    lengths: Lengths,
    own: &mut Own<'_>,
) -> Result<(), Error> {
    let ends = Ends {
        ends: Vec::new(),
        never: UBig::ZERO,
        total: lengths.total,
        unit: UBig::ONE,
    };
    let beyond = [(None, lengths.beyond)];
    let rounds = (0_i64..).map(Some).zip(lengths.weights);
    for (rounds, weight) in rounds.chain(beyond) {
        if weight.is_zero() {
            continue;
        }
        let end = End {
            state: 0,
            weight,
            first: IBig::ZERO,
            second: IBig::ZERO,
        };
        own.iter_mut().try_for_each(|(asked, tally)| {
            match rounds {
                Some(rounds) => view.bind_counted(env, &asked.limits, &[rounds]),
                None => view.bind_most(env, &asked.limits),
            }
            let added = tally.add(env, asked, &ends.unit, &end);
            view.unbind_counted(env);
            added
        })?;
    }
    own.close(&ends, &start.probability);
    Ok(())
}

/// How often queries with these limits count each running sum: each way with the queries that do so.
fn forms(queries: &[EndQuery], limits: &Limits) -> Vec<(Vec<i64>, Vec<bool>)> {
    let of_kind = queries.iter().filter(|own| own.limits == *limits);
    let mut forms: Vec<Vec<i64>> = of_kind.map(|own| own.counts.clone()).collect();
    forms.sort_unstable();
    forms.dedup();
    // Who reads no sum needs the chances alone, which come with every form.
    let is_none = |form: &[i64]| form.iter().all(|count| *count == 0);
    if forms.len() > 1 {
        forms.retain(|form| !is_none(form));
    }
    let with_queries = |(at, form): (usize, Vec<i64>)| {
        let is_own = |own: &EndQuery| {
            own.limits == *limits && (own.counts == form || at == 0 && is_none(&own.counts))
        };
        let is_own = queries.iter().map(is_own).collect();
        (form, is_own)
    };
    forms.into_iter().enumerate().map(with_queries).collect()
}

/// Adds up what all ends from a start are to each query.
fn count_ends(
    env: &mut Env<'_>,
    view: &EndView,
    chain: &Laid,
    start: &Start,
    ends: &Ends,
    own: &mut Own<'_>,
) -> Result<(), Error> {
    for end in &ends.ends {
        count_end(env, view, chain.state(end.state), start, (ends, end), own)?;
    }
    own.close(ends, &start.probability);
    if !ends.never.is_zero() {
        let never = ends.never() * &start.probability;
        count_never(env, view, start, &never, own)?;
    }
    Ok(())
}

/// Adds up what a track that never ends is to each query: it goes on for more rounds than any number.
fn count_never(
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

/// Adds up what one end of a chain is to each query.
fn count_end(
    env: &mut Env<'_>,
    view: &EndView,
    (key, counted): (&Key, &[i64]),
    start: &Start,
    (ends, end): (&Ends, &End),
    own: &mut Own<'_>,
) -> Result<(), Error> {
    let finals = env.run(&view.after, &view.head, States::certain(key))?;
    let vars = view.after.final_vars(&view.head);
    for (last, weight) in finals.iter() {
        // Most often an end is certain to lead to one final state.
        let share = (*weight != finals.total)
            .then(|| RBig::from_parts(IBig::from(weight.clone()), finals.total.clone()));
        if share.is_some() {
            own.close(ends, &start.probability);
        }
        env.bind_all(vars, last);
        env.bind_all(&view.shown, &start.shown);
        let found = own.iter_mut().try_for_each(|(asked, tally)| {
            view.bind_counted(env, &asked.limits, counted);
            let added = tally.add(env, asked, &ends.unit, end);
            view.unbind_counted(env);
            added
        });
        env.unbind_all(&view.shown);
        env.unbind_all(vars);
        found?;
        if let Some(share) = share {
            own.close(ends, &(share * &start.probability));
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
