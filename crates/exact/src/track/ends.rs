//! What is asked about the whole of a track.

use oddsmith_rules::{Check, Query};

use crate::evaluate::Env;
use crate::moments::statistic;
use crate::track::add_up::{add_up, add_up_from};
use crate::track::chain::{Laid, Layout, Start};
use crate::track::parts::Track;
use crate::track::search::Search;
use crate::track::sums::{EndQuery, EndView};
use crate::track::tally::{Asked, Tally};
use crate::{Answer, Error};

/// The answers to queries about the whole of a track; with the rounds, if some of them count no sum.
pub(super) fn end_answers(
    check: &Check,
    env: &mut Env<'_>,
    track: &Track<'_>,
    view: &EndView,
    queries: &[&Query],
) -> Result<(Vec<Answer>, Option<Laid>), Error> {
    let mut answers = vec![Answer::nothing(); queries.len()];
    let (mut asked, mut tallies) = (Vec::new(), Vec::new());
    let mut places = Vec::with_capacity(queries.len());
    for (place, query) in queries.iter().enumerate() {
        let own = view.ask(env, query)?;
        match statistic(query) {
            Some(statistic) if own.reads_sums() => {
                let mut search = Search {
                    check,
                    track,
                    view,
                    query,
                    asked: &own,
                    told: None,
                };
                answers[place] = search.answer(env, statistic)?;
            }
            _ => {
                tallies.push(Tally::new(check, query, &own));
                asked.push(own);
                places.push(place);
            }
        }
    }
    let mut asked = Asked::once(asked, &mut tallies);
    let laid = add_up(check, env, track, view, &mut asked)?;
    let asked = asked.queries;
    for ((place, asked), tally) in places.into_iter().zip(&asked).zip(tallies) {
        answers[place] = tally.answer(check, queries[place], asked)?;
    }
    Ok((answers, laid))
}

/// The answers of [`end_answers`] from each of several beginnings, whose rounds are the same and are laid out once. No query picks
/// a value of a running sum.
pub(super) fn end_answers_from_each(
    check: &Check,
    env: &mut Env<'_>,
    mut layout: Layout<'_>,
    view: &EndView,
    queries: &[&Query],
    beginnings: Vec<Vec<Start>>,
) -> Result<Vec<Result<Vec<Answer>, Error>>, Error> {
    let asked = queries.iter().map(|query| view.ask(env, query));
    let asked = asked.collect::<Result<Vec<EndQuery>, Error>>()?;
    let tally = || -> Vec<Tally> {
        let asked = queries.iter().zip(&asked);
        asked
            .map(|(query, own)| Tally::new(check, query, own))
            .collect()
    };
    let mut tallies: Vec<Vec<Tally>> = beginnings.iter().map(|_| tally()).collect();
    let whose = beginnings.iter().enumerate();
    let whose: Vec<usize> = whose
        .flat_map(|(at, starts)| vec![at; starts.len()])
        .collect();
    let starts: Vec<Start> = beginnings.into_iter().flatten().collect();
    let mut asked = Asked::each(asked, &mut tallies);
    add_up_from(check, env, &mut layout, view, (&starts, &whose), &mut asked)?;
    let asked = asked.queries;
    let answers = |tallies: Vec<Tally>| {
        let tallies = tallies.into_iter().zip(queries).zip(&asked);
        tallies
            .map(|((tally, query), asked)| tally.answer(check, query, asked))
            .collect()
    };
    Ok(tallies.into_iter().map(answers).collect())
}
