//! `oddsmith verify`: a file of questions with their answers.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use oddsmith_exact::{Answer, Budget, Error as ExactError, IBig, RBig, UBig, answers};
use oddsmith_rules::{Check, Config, Model};
use rayon::prelude::*;

use crate::args::{DEFAULT_BUDGET, VerifyArgs};
use crate::failure::Advice;
use crate::number;
use crate::target::{self, TargetName, reason};
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
    expected: RBig,
}

/// The rulesets of a file's targets by name, each read once; or why it can't be read.
type Rulesets = HashMap<String, Result<Model, String>>;

fn load_rulesets(cases: &[Case]) -> Rulesets {
    let mut rulesets = Rulesets::new();
    for case in cases.iter().filter(|case| case.question == "odds") {
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
        match self.answer(rulesets) {
            Ok(answer) => match answer.to_ratio() {
                Some(ratio) if ratio == self.expected => None,
                Some(ratio) => Some(format!(
                    "expected {}, got {}",
                    show(&self.expected),
                    show(&ratio)
                )),
                None => Some(format!(
                    "expected {}, but the condition never happens",
                    show(&self.expected)
                )),
            },
            Err(why) => Some(format!("expected {}, but {why}", show(&self.expected))),
        }
    }

    fn answer(&self, rulesets: &Rulesets) -> Result<Answer, String> {
        match self.question.as_str() {
            "odds" => {
                let name = TargetName::parse(&self.target);
                let model = rulesets.get(name.ruleset).expect("every ruleset was read");
                let model = model.as_ref().map_err(String::clone)?;
                let at = target::find_check(model, name).map_err(|error| in_one_line(&error))?;
                self.ask(&model.checks[at])
            }
            "dist" => {
                let check = oddsmith_rules::expression(&self.target, "target");
                self.ask(&check.map_err(|errors| in_one_line(&errors.into()))?)
            }
            "track" | "contest" => Err(format!("this version can't answer a `{}`", self.question)),
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

/// `9/25 (0.36)`
fn show(ratio: &RBig) -> String {
    if *ratio.denominator() == UBig::ONE {
        return ratio.to_string();
    }
    format!("{ratio} ({})", number::decimal(ratio))
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
    let numerator: IBig = whole("numerator", numerator)?;
    let denominator: UBig = whole("denominator", denominator)?;
    if denominator == UBig::ZERO {
        return Err("`denominator` is 0".to_owned());
    }
    let expected = RBig::from_parts(numerator, denominator);
    Ok(Case {
        id: text(id),
        question: text(question),
        target: text(target),
        set: text(set),
        query: text(query),
        expected,
    })
}

fn whole<N: std::str::FromStr>(column: &str, field: Option<&str>) -> Result<N, String> {
    let text = field.unwrap_or_default().trim();
    text.parse()
        .map_err(|_| format!("`{column}`: `{text}` is not a whole number"))
}
