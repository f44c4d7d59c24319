//! What the engine says of a track or a contest.

use std::collections::BTreeMap;

use oddsmith_exact::{Answer, Budget, Error, IBig, RBig, Rounds, answers, distribution};
use oddsmith_rules::program::{Expr, Kind};
use oddsmith_rules::{Check, Config, Number, Query, QueryKind, Span, Statistic};

use oddsmith_testkit::oracle::Game;
use oddsmith_testkit::oracle::tracks::Track;
use oddsmith_testkit::oracle::tracks::queries::Expected;

use super::picked::same_picks;

/// How far the number of rounds is compared, one by one.
const HORIZON: usize = 6;

/// Asks queries, which compare sums with numbers below `most` only; then for the distributions of all that is
/// shown, and of the number of rounds. None if there are more trials than allowed.
///
/// # Errors
/// The first answer that is not the expected one, in words.
pub(crate) fn agrees(
    check: &Check,
    config: &Config,
    queries: &[Query],
    most: i64,
    trials: usize,
) -> Option<Result<(), String>> {
    game_agrees(&Game::new(check, config, trials), queries, most)
}

/// The same of a game that may be played by a policy.
pub(crate) fn game_agrees(
    game: &Game<'_>,
    queries: &[Query],
    most: i64,
) -> Option<Result<(), String>> {
    let (check, config) = (game.check, game.config);
    let track = Track::new(game);
    let expected: Result<Vec<Expected>, _> = queries
        .iter()
        .map(|query| track.expected(query, most))
        .collect();
    let expected = expected.ok()?;
    let answers = same_answers(check, config, queries, &expected);
    let stopped = asked_after(check, queries);
    let of_stopped = stopped.iter().map(|query| {
        let rounds = query.after.expect("they are asked after rounds");
        track.after(query, rounds)
    });
    let of_stopped: Result<Vec<Expected>, _> = of_stopped.collect();
    Some(
        answers
            .and(same_answers(check, config, &stopped, &of_stopped.ok()?))
            .and(same_distributions(&track, check, config, most)?)
            .and(same_lengths(&track, check, config)?),
    )
}

/// The questions that can be asked after rounds as well, asked so: of none that choose, and none about the first round.
fn asked_after(check: &Check, queries: &[Query]) -> Vec<Query> {
    if !check.can_be_stopped() {
        return Vec::new();
    }
    let first = check.outcomes.iter().filter(|shown| shown.first_round);
    let first: Vec<_> = first.map(|shown| shown.var).collect();
    let of_end = |query: &&Query| {
        let asked = check.outcomes_in(query.parts());
        !asked.iter().any(|var| first.contains(var))
    };
    let at = |(place, query): (usize, &Query)| {
        let rounds = [2, 0, 1, 4][place % 4];
        Query {
            text: format!("{} after {rounds}", query.text),
            after: Some(rounds),
            ..query.clone()
        }
    };
    let asked = queries.iter().filter(of_end).enumerate();
    asked.map(at).collect()
}

fn same_answers(
    check: &Check,
    config: &Config,
    queries: &[Query],
    expected: &[Expected],
) -> Result<(), String> {
    let budget = Budget::unlimited();
    let mut good = Vec::new();
    let mut wrong = Vec::new();
    for (query, expected) in queries.iter().zip(expected) {
        let found = match answers(check, config, std::slice::from_ref(query), &budget) {
            Ok(found) => Ok(of_answer(&found[0])),
            Err(Error::NeverHappens { .. }) => Ok(Expected::NeverHappens),
            Err(Error::NeverEnds { .. }) => Ok(Expected::NeverEnds),
            Err(error) => Err(error.to_string()),
        };
        if found.as_ref() != Ok(expected) {
            wrong.push(format!("{}: {found:?}, not {expected:?}", query.text));
        } else if matches!(expected, Expected::Is(_) | Expected::Infinite { .. }) {
            good.push((query.clone(), expected));
        }
    }
    if !wrong.is_empty() {
        return Err(wrong.join("\n  => "));
    }
    // All at once, so that they share what they can.
    let (queries, expected): (Vec<Query>, Vec<&Expected>) = good.into_iter().unzip();
    let found = answers(check, config, &queries, &budget).map_err(|error| error.to_string())?;
    for ((query, found), expected) in queries.iter().zip(&found).zip(expected) {
        if of_answer(found) != *expected {
            return Err(format!(
                "{} among others: {found:?}, not {expected:?}",
                query.text
            ));
        }
    }
    Ok(())
}

fn of_answer(answer: &Answer) -> Expected {
    match answer.to_ratio() {
        Some(ratio) => Expected::Is(ratio),
        None if answer.is_infinite() => Expected::Infinite {
            falls: answer.weight < IBig::ZERO,
        },
        None => Expected::NeverHappens,
    }
}

fn same_distributions(
    track: &Track<'_>,
    check: &Check,
    config: &Config,
    most: i64,
) -> Option<Result<(), String>> {
    for outcome in &check.outcomes {
        let name = &outcome.name;
        let expected = track.distribution(outcome, most).ok()?;
        let found = distribution(check, config, outcome, &Budget::unlimited());
        let found = found.map(|dist| {
            let share = |(value, weight): (i64, _)| {
                (
                    value,
                    RBig::from_parts(IBig::from(weight), dist.total().clone()),
                )
            };
            dist.iter().map(share).collect::<BTreeMap<i64, RBig>>()
        });
        let agrees = match (&found, &expected.values) {
            (Ok(found), Ok(expected)) => found == expected,
            (Err(Error::NeverEnds { .. }), Err(Expected::NeverEnds)) => true,
            (Err(Error::Unsupported(why)), _) => {
                expected.is_of_sums && why.message.contains("grows from round to round")
            }
            _ => false,
        };
        if !agrees {
            return Some(Err(format!(
                "distribution of {name}: {:?}, not {:?}",
                found.map_err(|error| error.to_string()),
                expected.values
            )));
        }
        if let Ok(values) = &expected.values
            && found.is_ok()
        {
            let value = Expr::new(Kind::Var(outcome.var), Span::default());
            let same = same_picks((check, config), &value, None, values);
            if let Err(error) = same {
                return Some(Err(format!("{name}: {error}")));
            }
        }
    }
    Some(Ok(()))
}

fn same_lengths(track: &Track<'_>, check: &Check, config: &Config) -> Option<Result<(), String>> {
    let (lengths, beyond) = track.lengths(HORIZON).ok()?;
    let budget = Budget::unlimited();
    let rounds = match Rounds::new(check, config, &budget) {
        Ok(rounds) => rounds,
        Err(error) => return Some(Err(format!("rounds: {error}"))),
    };
    let never = track.never().ok()?;
    if *rounds.never() != never {
        return Some(Err(format!("never: {}, not {never}", rounds.never())));
    }
    let found = rounds.lengths(HORIZON, &budget).expect("no budget");
    let share = |weight: &oddsmith_exact::UBig| {
        RBig::from_parts(weight.clone().into(), found.total.clone())
    };
    for (n, expected) in lengths.iter().enumerate() {
        let weight = found.weights.get(n).map_or(RBig::ZERO, share);
        if weight != *expected {
            return Some(Err(format!("{n} rounds: {weight}, not {expected}")));
        }
    }
    let left = share(&found.beyond);
    if left != beyond {
        return Some(Err(format!("more rounds: {left}, not {beyond}")));
    }
    Some(same_median(check, config, &lengths))
}

/// The median of the number of rounds, if it is known.
fn same_median(check: &Check, config: &Config, lengths: &[RBig]) -> Result<(), String> {
    let half = Number::parse("1/2").expect("a fraction");
    let mut reached = RBig::ZERO;
    let median = lengths.iter().position(|p| {
        reached += p;
        reached >= half.value
    });
    let (Some(median), Some(counter)) = (median, check.rounds) else {
        return Ok(());
    };
    let value = Expr::new(Kind::Var(counter), Span::default());
    let query = Query::new(
        "median",
        QueryKind::Statistic(Statistic::Quantile(half), value),
    );
    let found = answers(check, config, &[query], &Budget::unlimited());
    let found = found.map_err(|error| format!("median of rounds: {error}"))?;
    match found[0].to_ratio() {
        Some(found) if found == RBig::from(median) => Ok(()),
        found => Err(format!("median of rounds: {found:?}, not {median}")),
    }
}
