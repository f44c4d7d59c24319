//! The case files: questions with their exact answers, as data (see `tests/README.md`).

use std::collections::HashMap;

use oddsmith_dist::{IBig, UBig};
use oddsmith_rules::{Check, Model, all_games};

use crate::rulesets::{expression_of, model_at, model_of, path_of};

/// One row of a case file.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of the row.
    pub id: String,
    /// The kind of question: `odds`, `track`, `contest` or `dist`.
    pub question: String,
    /// What is asked about: `RULESET:NAME`, or an expression.
    pub target: String,
    /// The configuration: `name=value name=value`.
    pub set: String,
    /// The query.
    pub query: String,
    /// The exact answer over `denominator`.
    pub numerator: IBig,
    /// 0 where the answer is more than any number.
    pub denominator: UBig,
}

/// The rows of a case file in `tests/cases`.
///
/// # Panics
/// If the file is not there, if a row is none, or if there are fewer than `least` of them.
#[must_use]
pub fn cases(file: &str, least: usize) -> Vec<Case> {
    let path = path_of(&format!("tests/cases/{file}.csv"));
    let mut reader = csv::Reader::from_path(path).expect("the case file is there");
    let row = |record: csv::StringRecord| Case {
        id: record[0].to_owned(),
        question: record[1].to_owned(),
        target: record[2].to_owned(),
        set: record[3].to_owned(),
        query: record[4].to_owned(),
        numerator: record[5].parse().expect("a numerator"),
        denominator: record[6].parse().expect("a denominator"),
    };
    let records = reader.records();
    let cases: Vec<Case> = records
        .map(|record| row(record.expect("a row of text")))
        .collect();
    assert!(cases.len() >= least, "{file} has lost rows");
    cases
}

/// The rulesets of targets, each read once.
#[derive(Debug, Default)]
pub struct Rulesets(HashMap<String, Model>);

impl Rulesets {
    /// A ruleset that comes along by its name, any other by its place in the project.
    fn get(&mut self, name: &str) -> &Model {
        let known = || all_games().find(|(known, _)| *known == name);
        self.0
            .entry(name.to_owned())
            .or_insert_with(|| match known() {
                Some((_, text)) => model_of(text),
                None => model_at(name),
            })
    }

    /// The check, track, contest or expression that a row is about.
    ///
    /// # Panics
    /// If there is none.
    pub fn subject(&mut self, case: &Case) -> Check {
        if case.question == "dist" {
            return expression_of(&case.target);
        }
        let (ruleset, name) = case.target.rsplit_once(':').expect("RULESET:NAME");
        let model = self.get(ruleset);
        let check = || model.check(name).expect("a check of that name");
        match case.question.as_str() {
            "odds" => check().clone(),
            "track" => model.track(name).expect("a track of that name").clone(),
            "contest" => {
                let contest = check().against(check(), check().ties);
                contest.unwrap_or_else(|error| panic!("{error}"))
            }
            other => panic!("{}: what is `{other}`?", case.id),
        }
    }
}

macro_rules! files {
    ($($name:ident: $file:literal, $least:literal;)*) => {
        /// Every case file, with the number of rows that it has at the least.
        pub const FILES: &[(&str, usize)] = &[$(($file, $least)),*];

        /// Declares a test for each case file, which hands its rows to a function, `fn(&[Case])`.
        #[macro_export]
        macro_rules! test_case_files {
            ($run:path) => {$(
                #[test]
                fn $name() {
                    $run(&$crate::cases::cases($file, $least));
                }
            )*};
        }
    };
}

files! {
    dice: "dice", 76;
    published_dice: "published-dice", 104;
    stars_and_signs: "stars-and-signs", 154;
    action_primer: "action-primer", 101;
    buried_secrets: "buried-secrets", 71;
    published_buried_secrets: "published-buried-secrets", 24;
    action_checks: "action-checks", 125;
    tracks: "tracks", 53;
    contests: "contests", 30;
    choices: "choices", 29;
    examples: "examples", 328;
    games: "games", 261;
    scores: "scores", 125;
    scenes: "scenes", 95;
    arcs: "arcs", 128;
    long: "long", 11;
    shelf: "shelf", 1278;
    nested: "nested", 46;
    members: "members", 20;
    questions: "questions", 168;
}
