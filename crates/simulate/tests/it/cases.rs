//! Every row of the case files, rolled.
//!
//! A row's answer is the exact fraction that stands in its file; what is rolled must lie within five standard errors
//! of it. The standard error is that of the exact answer, so that rare events are judged fairly: with about a thousand
//! rows at a two-sided level of 6e-7 each, chance alone fails this test for one seed in 1,700. The seed is fixed.

use std::collections::HashMap;

use oddsmith_rules::{Check, Model, Query};
use oddsmith_simulate::{Sums, Tally};

use crate::chances::far_off;
use crate::support::{config_of, expression_of, model_at, path_of, query_of, simulation};

const SEED: u64 = 20_261_121;
const TRIALS: u64 = 100_000;

/// One row of a case file.
struct Case {
    id: String,
    question: String,
    target: String,
    set: String,
    query: String,
    numerator: String,
    denominator: String,
}

impl Case {
    /// The answer; none if it is infinite.
    fn expected(&self) -> Option<f64> {
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let below = number(&self.denominator);
        (below != 0.0).then(|| number(&self.numerator) / below)
    }
}

fn cases(file: &str) -> Vec<Case> {
    let path = path_of(&format!("tests/cases/{file}.csv"));
    let mut reader = csv::Reader::from_path(path).expect("the case file is there");
    let row = |record: csv::StringRecord| Case {
        id: record[0].to_owned(),
        question: record[1].to_owned(),
        target: record[2].to_owned(),
        set: record[3].to_owned(),
        query: record[4].to_owned(),
        numerator: record[5].to_owned(),
        denominator: record[6].to_owned(),
    };
    let records = reader.records();
    records
        .map(|record| row(record.expect("a row of text")))
        .collect()
}

/// The rulesets of targets, each read once.
#[derive(Default)]
struct Rulesets(HashMap<String, Model>);

impl Rulesets {
    fn get(&mut self, name: &str) -> &Model {
        self.0.entry(name.to_owned()).or_insert_with(|| {
            if name.ends_with(".toml") {
                model_at(name)
            } else {
                model_at(&format!("rulesets/{name}.toml"))
            }
        })
    }

    /// What a row is about.
    fn subject(&mut self, case: &Case) -> Check {
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

/// What is wrong with a row.
fn complaint(case: &Case, query: &Query, tally: &Tally, sums: &Sums) -> Option<String> {
    let Some(expected) = case.expected() else {
        // What has no end is cut off, and that is said.
        let is_over = tally.unfinished == 0;
        return is_over.then(|| "every trial has come to an end".to_owned());
    };
    far_off(query, sums, expected)
}

/// What is wrong with rows about the same subject in the same configuration.
fn complaints(rulesets: &mut Rulesets, rows: &[Case]) -> Vec<String> {
    let check = rulesets.subject(&rows[0]);
    let config = config_of(&check, &rows[0].set);
    let queries = rows.iter().map(|row| query_of(&check, &row.query));
    let queries: Vec<Query> = queries.collect();
    let rolled = simulation(&check, &config, &queries).and_then(|simulation| {
        let tally = simulation.run(SEED, 0..TRIALS);
        tally.map_err(|error| error.to_string())
    });
    let tally = match rolled {
        Ok(tally) => tally,
        Err(error) => return vec![format!("{}: {error}", rows[0].id)],
    };
    let answered = rows.iter().zip(&queries).zip(&tally.sums);
    let wrong = answered.filter_map(|((row, query), sums)| {
        let complaint = complaint(row, query, &tally, sums)?;
        Some(format!("{}: {complaint}", row.id))
    });
    wrong.collect()
}

fn run(file: &str, least: usize) {
    let mut rulesets = Rulesets::default();
    let cases = cases(file);
    assert!(cases.len() >= least, "{file} has lost rows");
    let groups = cases.chunk_by(|a, b| (&a.target, &a.set) == (&b.target, &b.set));
    let wrong = groups.flat_map(|rows| complaints(&mut rulesets, rows));
    let wrong: Vec<String> = wrong.collect();
    assert!(
        wrong.is_empty(),
        "{} of {} rows differ:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

macro_rules! files {
    ($($name:ident: $file:literal, $least:literal;)*) => {$(
        #[test]
        fn $name() {
            run($file, $least);
        }
    )*};
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
    examples: "examples", 328;
}
