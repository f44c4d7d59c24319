//! Questions to the exact engine, each with what it is about.

use oddsmith_exact::{Budget, Error, Playable};
use oddsmith_rules::program::{BinaryOp, CompareOp, Expr, Kind};
use oddsmith_rules::{
    Check, Config, Diagnostics, Outcome, OutcomeKind, Query, QueryKind, RoundName,
};

use crate::answer::{AnswerKind, NamedAnswer};
use crate::settings;

/// The check's own questions: bands, worst first, then flags, then labels of lists beside the bands.
pub fn own(check: &Check) -> Vec<(AnswerKind, Query)> {
    let bands = check.band().map_or(0, |(_, bands)| bands.labels().len());
    let outcomes = check.outcomes.iter();
    let flags = outcomes.filter(|outcome| outcome.kind == OutcomeKind::Flag);
    let kinds = std::iter::repeat_n(AnswerKind::Band, bands)
        .chain(std::iter::repeat_n(AnswerKind::Flag, flags.count()))
        .chain(std::iter::repeat(AnswerKind::Probability));
    kinds.zip(check.own_queries()).collect()
}

/// Those of a track that are about its first roll, or those about its end.
pub fn own_of(track: &Check, first_round: bool) -> Vec<(AnswerKind, Query)> {
    let bands = track.band().into_iter();
    let bands = bands.flat_map(|(outcome, bands)| {
        std::iter::repeat_n(outcome.first_round, bands.labels().len())
    });
    let flags = track.outcomes.iter();
    let flags = flags.filter(|outcome| outcome.kind == OutcomeKind::Flag);
    let flags = flags.map(|outcome| outcome.first_round);
    // Labels are of the end.
    let rounds = bands.chain(flags).chain(std::iter::repeat(false));
    let own = own(track).into_iter().zip(rounds);
    own.filter(|(_, is_first)| *is_first == first_round)
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

/// What people read of a number or a flag that is shown: its label; of the rounds of a track what these are called.
pub fn number_title(check: &Check, name: &str) -> String {
    match check.rounds.is_some() && name == rounds_name(check) {
        true => round_name(check).many,
        false => check.title_of(name).to_owned(),
    }
}

/// What people read of a query: labels in place of the names of what is shown, and where it is about the rounds of a track, what
/// these are called. `mean(rolls)` of a track whose rounds are turns is `mean(turns)`.
pub fn query_title(check: &Check, text: &str) -> String {
    with_titles(text, &titles(check))
}

/// What pictures say of a query: `Hit or better` of `P(band >= Hit)`, `mean of total` of `mean(total)`; of one with a
/// condition, after some rounds, or of another form what [`query_title`] does.
pub fn query_in_words(check: &Check, query: &Query) -> String {
    let number = |number: &Expr| {
        let mut outcomes = check.outcomes.iter();
        let outcome =
            outcomes.find(|outcome| matches!(number.kind, Kind::Var(var) if var == outcome.var))?;
        Some(number_title(check, &outcome.name))
    };
    let words = match &query.kind {
        _ if query.given.is_some() || query.after.is_some() => None,
        QueryKind::Probability(event) => band_in_words(check, event).or_else(|| number(event)),
        QueryKind::Mean(of) => number(of).map(|name| format!("mean of {name}")),
        QueryKind::Deviation(of) => number(of).map(|name| format!("standard deviation of {name}")),
        _ => None,
    };
    words.unwrap_or_else(|| query_title(check, &query.text))
}

/// `Hit or better`; none of what is no comparison of the band with one of its labels.
fn band_in_words(check: &Check, event: &Expr) -> Option<String> {
    let (outcome, bands) = check.band()?;
    let Kind::Binary(BinaryOp::Compare(op), band, place) = &event.kind else {
        return None;
    };
    let place = usize::try_from(place.as_constant()?).ok()?;
    let label = bands.labels().get(place)?;
    if !matches!(band.kind, Kind::Var(var) if var == outcome.var) {
        return None;
    }
    match op {
        CompareOp::Equal => Some(label.clone()),
        CompareOp::GreaterEqual if place + 1 == bands.labels().len() => Some(label.clone()),
        CompareOp::GreaterEqual => Some(format!("{label} or better")),
        CompareOp::LessEqual if place == 0 => Some(label.clone()),
        CompareOp::LessEqual => Some(format!("{label} or worse")),
        _ => None,
    }
}

/// What people read of a query, if that is not the query itself.
pub fn other_title(check: &Check, text: &str) -> Option<String> {
    let title = query_title(check, text);
    (title != text).then_some(title)
}

/// The names for which people read something else: of the number of a track's rounds, and of what has a label.
pub(crate) fn titles(check: &Check) -> Vec<(String, String)> {
    let rounds = rounds_name(check);
    let mut titles = vec![(rounds.to_owned(), number_title(check, rounds))];
    titles.extend(check.labels.iter().cloned());
    titles
}

/// A query with titles in place of names, but for what stands in quotes.
pub(crate) fn with_titles(text: &str, titles: &[(String, String)]) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut told = String::new();
    let mut is_quoted = false;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (part, after) = rest.split_at(word.max(first.len_utf8()));
        is_quoted ^= part == "\"";
        let title = titles.iter().find(|(name, _)| !is_quoted && name == part);
        told.push_str(title.map_or(part, |(_, title)| title));
        rest = after;
    }
    told
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
    answered_in(&Playable::new(check, config, budget)?, queries)
}

/// All of them, answered in a configuration that can be played.
pub(crate) fn answered_in(
    playable: &Playable<'_>,
    queries: Vec<(AnswerKind, Query)>,
) -> Result<Vec<NamedAnswer>, Error> {
    let (kinds, queries): (Vec<AnswerKind>, Vec<Query>) = queries.into_iter().unzip();
    let answers = playable.answers(&queries)?;
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
