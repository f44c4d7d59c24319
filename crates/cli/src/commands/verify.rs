//! `oddsmith verify`: a file of questions with their answers.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use oddsmith_exact::{Answer, Budget, Error as ExactError, IBig, RBig, UBig, answers};
use oddsmith_rules::{Check, Config, Model};
use rayon::prelude::*;

use crate::advice::Advice;
use crate::advice::reason;
use crate::args::{DEFAULT_BUDGET, VerifyArgs};
use crate::format::outcomes::INFINITE;
use crate::number;
use crate::target::{self, TargetName, Wanted};
use crate::{exit, settings, terminal};

/// Checks every row and prints those that fail.
pub(crate) fn run(args: &VerifyArgs) -> Result<u8> {
    let cases = read(&args.cases)?;
    let rulesets = load_rulesets(&cases);
    let verdicts: Vec<Option<String>> = cases
        .par_iter()
        .map(|case| case.verdict(&rulesets))
        .collect();
    let mut text = String::new();
    for (case, verdict) in cases.iter().zip(&verdicts) {
        if let Some(failure) = verdict {
            let _ = writeln!(text, "{}: {failure}", case.id);
        }
    }
    let failed = verdicts.iter().flatten().count();
    let _ = writeln!(text, "{} passed, {failed} failed", cases.len() - failed);
    terminal::print(&text)?;
    Ok(if failed == 0 { exit::OK } else { exit::NO })
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
    /// A mean without end: `1/0` or `inf`.
    Infinite,
}

impl Number {
    /// None if what is asked has no answer.
    fn of(answer: &Answer) -> Option<Self> {
        if answer.is_infinite() && answer.weight > IBig::ZERO {
            return Some(Self::Infinite);
        }
        answer.to_ratio().map(Self::Finite)
    }
}

impl std::fmt::Display for Number {
    /// `9/25 (0.36)`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Infinite => f.write_str(INFINITE),
            Self::Finite(ratio) if *ratio.denominator() == UBig::ONE => write!(f, "{ratio}"),
            Self::Finite(ratio) => write!(f, "{ratio} ({})", number::decimal(ratio)),
        }
    }
}

/// The rulesets of a file's targets by name, each read once; or why it can't be read.
type Rulesets = HashMap<String, Result<Model, String>>;

/// Questions whose target is a part of a ruleset.
const RULESET_QUESTIONS: [&str; 3] = ["odds", "track", "contest"];

fn load_rulesets(cases: &[Case]) -> Rulesets {
    let mut rulesets = Rulesets::new();
    for case in cases
        .iter()
        .filter(|case| RULESET_QUESTIONS.contains(&case.question.as_str()))
    {
        let name = TargetName::parse(&case.target).ruleset;
        if !rulesets.contains_key(name) {
            rulesets.insert(
                name.to_owned(),
                target::load(name).map_err(|error| in_one_line(&error)),
            );
        }
    }
    rulesets
}

impl Case {
    /// None if the answer is the expected one, or else what is wrong.
    fn verdict(&self, rulesets: &Rulesets) -> Option<String> {
        let expected = &self.expected;
        match self.answer(rulesets).map(|answer| Number::of(&answer)) {
            Ok(Some(number)) if number == *expected => None,
            Ok(Some(number)) => Some(format!("expected {expected}, got {number}")),
            Ok(None) => Some(format!(
                "expected {expected}, but the condition never happens"
            )),
            Err(why) => Some(format!("expected {expected}, but {why}")),
        }
    }

    fn answer(&self, rulesets: &Rulesets) -> Result<Answer, String> {
        let find = |wanted: Wanted| {
            let name = TargetName::parse(&self.target);
            let model = rulesets.get(name.ruleset).expect("every ruleset was read");
            let model = model.as_ref().map_err(String::clone)?;
            target::find(model, name, wanted).map_err(|error| in_one_line(&error.into()))
        };
        match self.question.as_str() {
            "odds" => self.ask(find(Wanted::Check)?),
            "track" => self.ask(find(Wanted::Track)?),
            "contest" => {
                let side = find(Wanted::Check)?;
                let contest = side.against(side, side.ties);
                self.ask(&contest.map_err(|error| error.to_string())?)
            }
            "dist" => {
                let check = oddsmith_rules::expression(&self.target, "target");
                self.ask(&check.map_err(|errors| in_one_line(&errors.into()))?)
            }
            other => Err(format!(
                "`{other}` is not a question; there are odds, dist, track and contest"
            )),
        }
    }

    fn ask(&self, check: &Check) -> Result<Answer, String> {
        let words: Vec<&str> = self.set.split_whitespace().collect();
        let config: Config =
            settings::config(check, &words, "set").map_err(|errors| in_one_line(&errors.into()))?;
        let query = check
            .query(&self.query, "query")
            .map_err(|errors| in_one_line(&errors.into()))?;
        let answers = answers(check, &config, &[query], &Budget::new(DEFAULT_BUDGET));
        let mut answers = answers.map_err(|error: ExactError| error.to_string())?;
        Ok(answers.remove(0))
    }
}

/// An error without its picture.
fn in_one_line(error: &anyhow::Error) -> String {
    format!("{error:#}").lines().collect::<Vec<_>>().join("; ")
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
fn read(path: &Path) -> Result<Vec<Case>> {
    let name = path.display();
    let bytes = std::fs::read(path)
        .map_err(|error| Advice::error(format!("can't read `{name}`: {}", reason(&error)), ""))?;
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(bytes.as_slice());
    let malformed = |line: u64, what: &str| Advice::error(format!("{name}:{line}: {what}"), "");
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
        return Err(Advice::error(
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

/// `9` and `25`; a mean without end is `1` and `0`, or `inf`.
fn expected(numerator: Option<&str>, denominator: Option<&str>) -> Result<Number, String> {
    if numerator.is_some_and(|text| text.trim() == INFINITE) {
        return Ok(Number::Infinite);
    }
    let numerator: IBig = whole("numerator", numerator)?;
    let denominator: UBig = whole("denominator", denominator)?;
    match (numerator == IBig::ONE, denominator == UBig::ZERO) {
        (true, true) => Ok(Number::Infinite),
        (false, true) => {
            Err("`denominator` is 0; only 1/0 stands for a mean without end".to_owned())
        }
        (_, false) => Ok(Number::Finite(RBig::from_parts(numerator, denominator))),
    }
}

fn whole<N: std::str::FromStr>(column: &str, field: Option<&str>) -> Result<N, String> {
    let text = field.unwrap_or_default().trim();
    text.parse()
        .map_err(|_| format!("`{column}`: `{text}` is not a whole number"))
}
