//! All ends of a track, added up for queries: with the rounds laid out as often as these count sums in the states.

use std::collections::VecDeque;

use oddsmith_dist::{End, Ends, IBig, RBig};
use oddsmith_rules::{Check, Query};

use crate::Error;
use crate::evaluate::Env;
use crate::states::{Key, States};
use crate::track::chain::{Laid, Layout, Start};
use crate::track::lengths::{ByRounds, EndClasses, add_lengths, horizon_of, is_about_rounds};
use crate::track::parts::Track;
use crate::track::sums::{EndQuery, EndView, Limits};
use crate::track::tally::{Asked, Own, Tally, add_never};

/// The sums over all ends for one query.
pub(super) fn tally_of(
    check: &Check,
    env: &mut Env<'_>,
    track: &Track<'_>,
    view: &EndView,
    query: &Query,
) -> Result<(EndQuery, Tally), Error> {
    let own = view.ask(env, query)?;
    tally(check, env, (track, view), (query, own), false)
}

/// [`tally_of`] a query in terms of what an end has. Where it is known that rounds can't be told, all that is compared is counted in
/// the states of the track.
pub(super) fn tally(
    check: &Check,
    env: &mut Env<'_>,
    (track, view): (&Track<'_>, &EndView),
    (query, own): (&Query, EndQuery),
    is_counted: bool,
) -> Result<(EndQuery, Tally), Error> {
    let mut tallies = [Tally::new(check, query, &own)];
    let mut asked = Asked::once(vec![own], &mut tallies);
    asked.is_counted = is_counted;
    add_up(check, env, track, view, &mut asked)?;
    let own = asked.queries.remove(0);
    let [tally] = tallies;
    Ok((own, tally))
}

/// Adds up what all ends are to each query. The rounds of those that count no sum are handed back.
pub(super) fn add_up(
    check: &Check,
    env: &mut Env<'_>,
    track: &Track<'_>,
    view: &EndView,
    asked: &mut Asked<'_>,
) -> Result<Option<Laid>, Error> {
    let mut layout = Layout::new(env, track, view);
    let starts = layout.starts(env)?;
    let whose = vec![0; starts.len()];
    add_up_from(check, env, &mut layout, view, (&starts, &whose), asked)
}

/// [`add_up`] from starts, each of which belongs to the beginning with that number.
pub(super) fn add_up_from(
    check: &Check,
    env: &mut Env<'_>,
    layout: &mut Layout<'_>,
    view: &EndView,
    (starts, whose): (&[Start], &[usize]),
    asked: &mut Asked<'_>,
) -> Result<Option<Laid>, Error> {
    let mut plain = None;
    let mut kinds: Vec<Limits> = asked.queries.iter().map(|own| own.limits.clone()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let is_told =
        |limits: &Limits| !asked.is_counted && is_about_rounds(check, view, &asked.queries, limits);
    let (told, mut kinds): (Vec<Limits>, Vec<Limits>) = kinds.into_iter().partition(is_told);
    let nothing = vec![None; view.sums.len()];
    if !told.is_empty() && kinds.first() != Some(&nothing) {
        kinds.insert(0, nothing);
    }
    let mut kinds = VecDeque::from(kinds);
    while let Some(limits) = kinds.pop_front() {
        let is_plain = limits.iter().all(Option::is_none);
        let others = if is_plain { told.as_slice() } else { &[] };
        let others = others
            .iter()
            .filter(|limits| !asked.reads_rounds_alone(limits));
        let others: Vec<Limits> = others.cloned().collect();
        let is_last = kinds.is_empty() && others.is_empty();
        let chain = layout.chain(env, starts, &limits, is_last)?;
        let mut classes = None;
        if !others.is_empty() {
            let own = asked.queries.iter();
            let own: Vec<&EndQuery> = own.filter(|own| others.contains(&own.limits)).collect();
            classes = EndClasses::new(env, view, &chain, &own)?;
        }
        add_ends(
            env,
            view,
            &chain,
            (starts, whose),
            &limits,
            classes.as_mut(),
            asked,
        )?;
        match classes {
            Some(mut classes) => {
                classes.add_up(env, view, &chain, (starts, whose), &others, asked)?;
            }
            None => kinds.extend(others),
        }
        if is_plain {
            add_rounds(env, view, &chain, (starts, whose), &told, asked)?;
            plain = Some(chain);
        }
    }
    Ok(plain)
}

/// Adds up the ends of a chain to queries with these limits, and to classes of ends if there are some.
fn add_ends(
    env: &mut Env<'_>,
    view: &EndView,
    chain: &Laid,
    (starts, whose): (&[Start], &[usize]),
    limits: &Limits,
    mut classes: Option<&mut EndClasses>,
    asked: &mut Asked<'_>,
) -> Result<(), Error> {
    let mut forms = forms(&asked.queries, limits);
    if classes.is_some() && forms.is_empty() {
        forms.push((Vec::new(), vec![false; asked.queries.len()]));
    }
    for (form, is_own) in forms {
        let moments = asked.moments(&is_own);
        let budget = env.account.budget;
        chain.ends_from_each(&form, moments, budget, |at, ends| {
            if let Some(classes) = &mut classes {
                classes.add_start(&ends);
            }
            let mut own = asked.own(whose[at], &is_own);
            add_ends_of(env, view, chain, &starts[at], &ends, &mut own)
        })?;
        // They know all starts.
        classes = None;
    }
    Ok(())
}

/// Adds up the numbers of rounds to queries that read nothing else, among those with the limits that rounds tell.
fn add_rounds(
    env: &mut Env<'_>,
    view: &EndView,
    chain: &Laid,
    (starts, whose): (&[Start], &[usize]),
    told: &[Limits],
    asked: &mut Asked<'_>,
) -> Result<(), Error> {
    let alone = told
        .iter()
        .filter(|limits| asked.reads_rounds_alone(limits));
    let alone: Vec<&Limits> = alone.collect();
    let Some(horizon) = alone.iter().map(|limits| horizon_of(limits)).max() else {
        return Ok(());
    };
    let lengths = chain.lengths_from_each(horizon, env.account.budget)?;
    for limits in alone {
        let by_rounds = |at: usize| ByRounds::new(&lengths[at], horizon_of(limits), RBig::ONE);
        add_lengths(env, view, (starts, whose), limits, &by_rounds, asked)?;
    }
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
fn add_ends_of(
    env: &mut Env<'_>,
    view: &EndView,
    chain: &Laid,
    start: &Start,
    ends: &Ends,
    own: &mut Own<'_>,
) -> Result<(), Error> {
    for end in &ends.ends {
        add_end(env, view, chain.state(end.state), start, (ends, end), own)?;
    }
    own.close((&ends.total, &ends.unit), &start.probability);
    if !ends.never.is_zero() {
        let never = ends.never() * &start.probability;
        add_never(env, view, start, &never, own)?;
    }
    Ok(())
}

/// Adds up what one end of a chain is to each query.
fn add_end(
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
            own.close((&ends.total, &ends.unit), &start.probability);
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
            own.close((&ends.total, &ends.unit), &(share * &start.probability));
        }
    }
    Ok(())
}
