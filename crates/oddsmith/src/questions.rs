//! Questions to the exact engine, each with what it is about.

use oddsmith_exact::{Budget, Error, answers};
use oddsmith_rules::program::{BinaryOp, CompareOp, Expr};
use oddsmith_rules::{Check, Config, Diagnostics, Outcome, OutcomeKind, Query, RoundName};

use crate::answer::{AnswerKind, NamedAnswer};
use crate::settings;

/// The check's own questions: bands, worst first, then flags.
pub fn own(check: &Check) -> Vec<(AnswerKind, Query)> {
    let bands = check.band().map_or(0, |(_, bands)| bands.labels().len());
    let own = check.own_queries().into_iter().enumerate();
    own.map(|(at, query)| {
        (
            if at < bands {
                AnswerKind::Band
            } else {
                AnswerKind::Flag
            },
            query,
        )
    })
    .collect()
}

/// Those of a track that are about its first roll, or those about its end.
pub fn own_of(track: &Check, first_round: bool) -> Vec<(AnswerKind, Query)> {
    let bands = track.band().into_iter();
    let bands =
        bands.flat_map(|(outcome, bands)| std::iter::repeat_n(outcome, bands.labels().len()));
    let flags = track.outcomes.iter();
    let flags = flags.filter(|outcome| outcome.kind == OutcomeKind::Flag);
    let own = own(track).into_iter().zip(bands.chain(flags));
    own.filter(|(_, outcome)| outcome.first_round == first_round)
        .map(|(own, _)| own)
        .collect()
}

/// The columns of a report: of a check its bands and flags, then the mean of every number that it shows; of a track what
/// it ends in, then the means of its rolls and of its other numbers.
pub fn of_report(check: &Check) -> Result<Vec<(AnswerKind, Query)>, Diagnostics> {
    if check.rounds.is_none() {
        let own = own(check).into_iter();
        return Ok(own.chain(asked(settings::means(check)?)).collect());
    }
    let numbers = numbers_of(check).filter(|number| !number.first_round);
    let numbers = numbers.map(|number| number.name.as_str());
    let names = std::iter::once(rounds_name(check)).chain(numbers);
    let texts: Vec<String> = names.map(|name| format!("mean({name})")).collect();
    let means = settings::queries(check, &texts)?;
    let own = own_of(check, false).into_iter();
    Ok(own.chain(asked(means)).collect())
}

/// What a track calls the number of its rounds.
pub fn rounds_name(track: &Check) -> &str {
    let is_rounds = |outcome: &&Outcome| Some(outcome.var) == track.rounds;
    let outcome = track.outcomes.iter().find(is_rounds);
    outcome.map_or("rolls", |outcome| &outcome.name)
}

/// What people call a round of a track: what its rules say, unless it shows the number under a name of its own.
pub fn round_name(track: &Check) -> RoundName {
    match rounds_name(track) {
        "rolls" => track.unit.clone(),
        own => RoundName::of(own.strip_suffix('s').unwrap_or(own)),
    }
}

/// What people read of a number that is shown: of the rounds of a track what these are called.
pub fn number_title(check: &Check, name: &str) -> String {
    match check.rounds.is_some() && name == rounds_name(check) {
        true => round_name(check).many,
        false => name.to_owned(),
    }
}

/// The numbers that a track shows beside that of its rounds.
pub fn numbers_of(track: &Check) -> impl Iterator<Item = &Outcome> {
    track.outcomes.iter().filter(|outcome| {
        outcome.kind == OutcomeKind::Observable && Some(outcome.var) != track.rounds
    })
}

/// The user's questions.
pub fn asked(queries: Vec<Query>) -> impl Iterator<Item = (AnswerKind, Query)> {
    queries
        .into_iter()
        .map(|query| (AnswerKind::of(&query), query))
}

/// All of them, answered in one configuration.
pub fn answered(
    check: &Check,
    config: &Config,
    queries: Vec<(AnswerKind, Query)>,
    budget: &Budget,
) -> Result<Vec<NamedAnswer>, Error> {
    let (kinds, queries): (Vec<AnswerKind>, Vec<Query>) = queries.into_iter().unzip();
    let answers = answers(check, config, &queries, budget)?;
    let named = kinds.into_iter().zip(queries).zip(answers);
    Ok(named
        .map(|((kind, query), answer)| NamedAnswer {
            name: query.text,
            kind,
            answer,
        })
        .collect())
}

/// `left == right`, to be asked about.
pub fn equal(left: Expr, right: Expr) -> Expr {
    let span = left.span;
    Expr::binary(BinaryOp::Compare(CompareOp::Equal), left, right, span)
}
