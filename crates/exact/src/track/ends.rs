//! What is asked about the whole of a track.

use oddsmith_rules::{Check, Query};

use crate::evaluate::Env;
use crate::moments::statistic;
use crate::track::chain::Laid;
use crate::track::parts::Track;
use crate::track::search::Search;
use crate::track::sums::{EndQuery, EndView};
use crate::track::tally::{Tally, add_up};
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
    let mut asked: Vec<(EndQuery, Tally)> = Vec::with_capacity(queries.len());
    let mut places = Vec::with_capacity(queries.len());
    for (place, query) in queries.iter().enumerate() {
        let own = view.ask(env, query)?;
        match statistic(query) {
            Some(statistic) if own.reads_sums() => {
                let search = Search {
                    check,
                    track,
                    view,
                    query,
                    asked: &own,
                };
                answers[place] = search.answer(env, statistic)?;
            }
            _ => {
                let tally = Tally::new(check, query, &own);
                asked.push((own, tally));
                places.push(place);
            }
        }
    }
    let laid = add_up(env, track, view, &mut asked)?;
    for (place, (asked, tally)) in places.into_iter().zip(asked) {
        answers[place] = tally.answer(check, queries[place], &asked)?;
    }
    Ok((answers, laid))
}
