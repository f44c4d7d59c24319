//! What is asked about the whole of a track: sums over all its ends.

use oddsmith_dist::{End, Ends, IBig, RBig, UBig};
use oddsmith_rules::program::{Expr, VarId};
use oddsmith_rules::{Check, Query, QueryKind};

use crate::evaluate::Env;
use crate::states::{Key, States};
use crate::track::chain::{Layout, Moments, Start};
use crate::track::parts::{Track, is_of_first_round};
use crate::track::sums::{EndQuery, EndView, Limits};
use crate::{Answer, Error};

/// The answers to queries about the whole of a track.
pub(super) fn end_answers(
    check: &Check,
    env: &mut Env<'_>,
    track: &Track<'_>,
    view: &EndView,
    queries: &[&Query],
) -> Result<Vec<Answer>, Error> {
    let mut asked: Vec<(EndQuery, Tally)> = Vec::with_capacity(queries.len());
    for query in queries {
        let own = view.ask(env, query)?;
        let tally = Tally::new(check, query, &own);
        asked.push((own, tally));
    }
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
    }
    let tallies = queries.iter().zip(asked);
    tallies
        .map(|(query, (asked, tally))| tally.answer(check, query, &asked))
        .collect()
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
}

/// Sums over all ends, for one query.
struct Tally {
    /// Whether what is asked reads nothing but the number of rounds and what the first round shows: then a track
    /// that never ends has an answer too.
    is_value_open: bool,
    /// The same of its condition.
    is_given_open: bool,
    /// The second moment is summed for variances alone.
    moments: Moments,
    /// Whether the answer is over `given`, not over everything.
    is_conditional: bool,
    /// Whether running sums count towards its value.
    reads_sums: bool,
    /// The ends that have come since the last [`Self::close`].
    open: Sums,
    first: RBig,
    second: RBig,
    /// The probability of the condition, or of all that ends.
    given: RBig,
    never: RBig,
    /// The part of `never` in which the condition holds.
    endless: RBig,
}

impl Tally {
    fn new(check: &Check, query: &Query, asked: &EndQuery) -> Self {
        let is_one = |var: &VarId| is_of_first_round(check, *var) || check.rounds == Some(*var);
        let is_open = |expr: &Expr| check.outcomes_in([expr].into_iter()).iter().all(is_one);
        let mut parts = query.parts();
        Self {
            is_value_open: parts.next().is_some_and(is_open),
            is_given_open: parts.all(is_open),
            moments: match query.kind {
                QueryKind::Probability(_) | QueryKind::Mean(_) => Moments::First,
                QueryKind::Variance(_) => Moments::Second,
            },
            is_conditional: query.given.is_some()
                || !matches!(query.kind, QueryKind::Probability(_)),
            reads_sums: asked.counts.iter().any(|count| *count != 0),
            open: Sums::default(),
            first: RBig::ZERO,
            second: RBig::ZERO,
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
        } = std::mem::take(&mut self.open);
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
        if self.is_value_open {
            self.first += RBig::from(env.number(&asked.value)?) * never;
            self.second += RBig::from(env.number(&asked.value)?).sqr() * never;
        }
        Ok(())
    }

    fn answer(self, check: &Check, query: &Query, asked: &EndQuery) -> Result<Answer, Error> {
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
            return Err(Error::NeverEnds {
                track: check.name.clone(),
                query: query.text.clone(),
                chance: self.never.to_string(),
            });
        }
        let given = if self.is_conditional {
            self.given
        } else {
            RBig::ONE
        };
        if given == RBig::ZERO {
            return Ok(Answer::nothing());
        }
        let mean = self.first / &given;
        Ok(Answer::from_ratio(match query.kind {
            QueryKind::Probability(_) | QueryKind::Mean(_) => mean,
            QueryKind::Variance(_) => self.second / given - &mean * &mean,
        }))
    }
}
