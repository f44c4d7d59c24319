//! Cases: questions with the answers that are expected of them, as rows of a CSV file.

use std::collections::HashMap;

use oddsmith_exact::{Answer, IBig, RBig, UBig, answers};
use oddsmith_rules::Check;
use rayon::prelude::*;

use crate::answer::INFINITE;
use crate::game::{Game, TargetName, Wanted};
use crate::{EndlessDice, Error, Limits, number, settings};

/// A case, and whether its answer is the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The case as the file calls it.
    pub id: String,
    /// What is wrong; none if nothing is.
    pub failure: Option<String>,
}

/// Asks every question of a file of cases, whose columns are `id,question,target,set,query,numerator,denominator`, and
/// compares the answers with the expected ones; errors call the file `name`. All questions together have the limits
/// as one run.
///
/// # Errors
/// If the file is no such table, or the work is cancelled. A question that can't be answered is a failed case.
///
/// ```
/// use oddsmith::{Limits, verify};
/// let file = "id,question,target,set,query,numerator,denominator\n\
///             two dice,dist,2d6,,P(value>=10),1,6\n\
///             a slip,dist,2d6,,P(value>=10),1,5\n";
/// let verdicts = verify("cases.csv", file.as_bytes(), &Limits::default())?;
/// assert_eq!(verdicts[0].failure, None);
/// assert_eq!(verdicts[1].failure.as_deref(), Some("expected 1/5 (0.2), got 1/6 (0.16666666666666666)"));
/// // Dice may explode without an end, and numbers may have none.
/// let file = "id,question,target,set,query,numerator,denominator\n\
///             a sum,dist,1d6! + 1,,mean(value),26,5\n\
///             odds of it,dist,1d6!,,P(value>=30),1,7776\n\
///             none below,dist,0 - 2,,min(value),-inf,\n";
/// let verdicts = verify("cases.csv", file.as_bytes(), &Limits::default())?;
/// let failed: Vec<Option<&str>> = verdicts.iter().map(|verdict| verdict.failure.as_deref()).collect();
/// assert_eq!(failed, [None, None, Some("expected -inf, got -2")]);
/// # Ok::<(), oddsmith::Error>(())
/// ```
pub fn verify(name: &str, file: &[u8], limits: &Limits) -> Result<Vec<Verdict>, Error> {
    let cases = read(name, file)?;
    let games = open_games(&cases);
    let limits = &limits.of_run(1);
    limits.run(|| {
        let verdicts = cases.par_iter().map(|case| Verdict {
            id: case.id.clone(),
            failure: case.failure(&games, limits),
        });
        let verdicts: Vec<Verdict> = verdicts.collect();
        match limits.watch.is_cancelled() {
            true => Err(Error::Cancelled),
            false => Ok(verdicts),
        }
    })
}

/// A row of the file.
#[derive(Debug)]
struct Case {
    id: String,
    question: String,
    target: String,
    set: String,
    query: String,
    expected: Number,
}

/// An answer, or what is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Number {
    Finite(RBig),
    /// A number without end: `1/0` or `inf`.
    Infinite,
    /// A number without end below: `-1/0` or `-inf`.
    Falling,
}

impl Number {
    /// None if what is asked has no answer.
    fn of(answer: &Answer) -> Option<Self> {
        match (answer.is_infinite(), answer.weight > IBig::ZERO) {
            (true, true) => Some(Self::Infinite),
            (true, false) => Some(Self::Falling),
            (false, _) => answer.to_ratio().map(Self::Finite),
        }
    }
}

impl std::fmt::Display for Number {
    /// `9/25 (0.36)`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Infinite => f.write_str(INFINITE),
            Self::Falling => write!(f, "-{INFINITE}"),
            Self::Finite(ratio) if *ratio.denominator() == UBig::ONE => write!(f, "{ratio}"),
            Self::Finite(ratio) => write!(f, "{ratio} ({})", number::decimal(ratio)),
        }
    }
}

/// The games of a file's targets by name, each read once; or why one can't be read.
type Games = HashMap<String, Result<Game, String>>;

/// Questions whose target is a part of a ruleset.
const RULESET_QUESTIONS: [&str; 3] = ["odds", "track", "contest"];

fn open_games(cases: &[Case]) -> Games {
    let mut games = Games::new();
    let is_of_ruleset = |case: &&Case| RULESET_QUESTIONS.contains(&case.question.as_str());
    for case in cases.iter().filter(is_of_ruleset) {
        let name = TargetName::parse(&case.target).ruleset;
        if !games.contains_key(name) {
            let game = Game::open(name).map_err(|error| in_one_line(&error));
            games.insert(name.to_owned(), game);
        }
    }
    games
}

impl Case {
    /// None if the answer is the expected one, or else what is wrong.
    fn failure(&self, games: &Games, limits: &Limits) -> Option<String> {
        let expected = &self.expected;
        match self.answer(games, limits).map(|answer| Number::of(&answer)) {
            Ok(Some(number)) if number == *expected => None,
            Ok(Some(number)) => Some(format!("expected {expected}, got {number}")),
            Ok(None) => Some(format!(
                "expected {expected}, but the condition never happens"
            )),
            Err(why) => Some(format!("expected {expected}, but {why}")),
        }
    }

    fn answer(&self, games: &Games, limits: &Limits) -> Result<Answer, String> {
        let find = |wanted: Wanted| {
            let name = TargetName::parse(&self.target);
            let game = games.get(name.ruleset).expect("every ruleset was read");
            let game = game.as_ref().map_err(String::clone)?;
            game.find(name.check, wanted)
                .map_err(|error| in_one_line(&error))
        };
        match self.question.as_str() {
            "odds" => self.ask(find(Wanted::Check)?, limits),
            "track" => self.ask(find(Wanted::Track)?, limits),
            "contest" => {
                let side = find(Wanted::Check)?;
                let contest = side.against(side, side.ties);
                self.ask(&contest.map_err(|error| error.to_string())?, limits)
            }
            "dist" => {
                let endless = EndlessDice::parse(&self.target);
                if let Some(sum) = endless.as_ref().and_then(EndlessDice::sum) {
                    return self.ask(sum, limits);
                }
                let check = oddsmith_rules::expression(&self.target, "target");
                self.ask(&check.map_err(|errors| in_one_line(&errors))?, limits)
            }
            other => Err(format!(
                "`{other}` is not a question; there are odds, dist, track and contest"
            )),
        }
    }

    fn ask(&self, check: &Check, limits: &Limits) -> Result<Answer, String> {
        let words: Vec<&str> = self.set.split_whitespace().collect();
        let config =
            settings::config(check, &words, "set").map_err(|errors| in_one_line(&errors))?;
        let query = check
            .query(&self.query, "query")
            .map_err(|errors| in_one_line(&errors))?;
        let answers = answers(check, &config, &[query], &limits.share());
        let mut answers = answers.map_err(|error| error.to_string())?;
        Ok(answers.remove(0))
    }
}

/// An error without its picture.
fn in_one_line(error: &impl std::error::Error) -> String {
    error.to_string().lines().collect::<Vec<_>>().join("; ")
}

const COLUMNS: [&str; 7] = [
    "id",
    "question",
    "target",
    "set",
    "query",
    "numerator",
    "denominator",
];

/// The rows of a case file, or what is wrong with it.
fn read(name: &str, file: &[u8]) -> Result<Vec<Case>, Error> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(file);
    let malformed = |line: u64, what: &str| Error::advice(format!("{name}:{line}: {what}"), "");
    let header = reader
        .headers()
        .map_err(|error| malformed(1, &error.to_string()))?
        .clone();
    let places = places(&header).map_err(|what| malformed(1, &what))?;
    let mut cases = Vec::new();
    for record in reader.records() {
        let line = |position: Option<&csv::Position>| position.map_or(0, csv::Position::line);
        let record =
            record.map_err(|error| malformed(line(error.position()), &error.to_string()))?;
        cases
            .push(case(&record, places).map_err(|what| malformed(line(record.position()), &what))?);
    }
    if cases.is_empty() {
        let message = format!("`{name}` has no rows, so nothing was checked");
        return Err(Error::advice(
            message,
            "`oddsmith verify --help` shows a case file",
        ));
    }
    Ok(cases)
}

/// Where each column is.
fn places(header: &csv::StringRecord) -> Result<[usize; 7], String> {
    let mut places = [0; 7];
    let mut missing = Vec::new();
    for (place, column) in places.iter_mut().zip(COLUMNS) {
        // Spreadsheets may write a byte order mark.
        match header
            .iter()
            .position(|name| name.trim_start_matches('\u{feff}').trim() == column)
        {
            Some(at) => *place = at,
            None => missing.push(column),
        }
    }
    if missing.is_empty() {
        return Ok(places);
    }
    Err(format!(
        "no column {}; a case file has the columns {}",
        missing.join(", "),
        COLUMNS.join(",")
    ))
}

fn case(record: &csv::StringRecord, places: [usize; 7]) -> Result<Case, String> {
    let [id, question, target, set, query, numerator, denominator] =
        places.map(|at| record.get(at));
    let text = |field: Option<&str>| field.unwrap_or_default().trim().to_owned();
    let expected = expected(numerator, denominator)?;
    Ok(Case {
        id: text(id),
        question: text(question),
        target: text(target),
        set: text(set),
        query: text(query),
        expected,
    })
}

/// `9` and `25`; a number without end is `1` and `0`, or `inf`, and `-1` and `0`, or `-inf`, where it has none below.
fn expected(numerator: Option<&str>, denominator: Option<&str>) -> Result<Number, String> {
    match numerator.map(str::trim) {
        Some(text) if text == INFINITE => return Ok(Number::Infinite),
        Some(text) if text.strip_prefix('-') == Some(INFINITE) => return Ok(Number::Falling),
        _ => {}
    }
    let numerator: IBig = whole("numerator", numerator)?;
    let denominator: UBig = whole("denominator", denominator)?;
    if denominator != UBig::ZERO {
        return Ok(Number::Finite(RBig::from_parts(numerator, denominator)));
    }
    match i64::try_from(&numerator) {
        Ok(1) => Ok(Number::Infinite),
        Ok(-1) => Ok(Number::Falling),
        _ => Err("`denominator` is 0; only 1/0 and -1/0 stand for numbers without end".to_owned()),
    }
}

fn whole<N: std::str::FromStr>(column: &str, field: Option<&str>) -> Result<N, String> {
    let text = field.unwrap_or_default().trim();
    text.parse()
        .map_err(|_| format!("`{column}`: `{text}` is not a whole number"))
}
