//! Every row of the case files, rolled.
//!
//! A row's answer is the exact fraction that stands in its file; what is rolled must lie within five standard errors
//! of it. The standard error is that of the exact answer, so that rare events are judged fairly: with about a thousand
//! rows at a two-sided level of 6e-7 each, chance alone fails this test for one seed in 1,700. The seed is fixed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use oddsmith_exact::{Budget, policy};
use oddsmith_rules::{Check, Config, Model, Query, QueryKind, expression, load};
use oddsmith_simulate::{Simulation, Sums};

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

/// A place in the project.
fn path_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name)
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
            let path = if name.ends_with(".toml") {
                path_of(name)
            } else {
                path_of(&format!("rulesets/{name}.toml"))
            };
            let text = std::fs::read(path).unwrap_or_else(|error| panic!("{name}: {error}"));
            load(name, &text).unwrap_or_else(|errors| panic!("{errors}"))
        })
    }

    /// What a row is about.
    fn subject(&mut self, case: &Case) -> Check {
        if case.question == "dist" {
            return expression(&case.target, "target").unwrap_or_else(|errors| panic!("{errors}"));
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

fn config_of(check: &Check, set: &str) -> Config {
    let mut config = check.defaults();
    for assignment in set.split_whitespace() {
        let set = check.set(&mut config, assignment, "set");
        set.unwrap_or_else(|error| panic!("{error}"));
    }
    config
}

/// An estimate and its standard error if `expected` is right; none where an infinite variance gives no error.
fn estimate(query: &Query, sums: &Sums, expected: f64) -> (f64, f64) {
    let n = count(sums.trials.into());
    let mean = count(sums.powers[0]) / n;
    match query.kind {
        QueryKind::Probability(_) => (mean, (expected * (1.0 - expected) / n).sqrt()),
        QueryKind::Mean(_) => {
            let variance = count(sums.powers[1]) / n - mean * mean;
            (mean, (variance / n).sqrt())
        }
        QueryKind::Variance(_) => {
            let moment = |at: usize| count(sums.powers[at]) / n;
            let variance = moment(1) - mean * mean;
            let fourth = moment(3) - 4.0 * mean * moment(2) + 6.0 * mean * mean * moment(1)
                - 3.0 * mean.powi(4);
            (variance, ((fourth - variance * variance) / n).sqrt())
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "estimates are approximate")]
fn count(n: i128) -> f64 {
    n as f64
}

/// What is wrong with a row, or by how many standard errors it is off.
fn complaint(check: &Check, case: &Case) -> Result<f64, String> {
    let config = config_of(check, &case.set);
    let query = check.query(&case.query, "query");
    let query = query.map_err(|errors| errors.to_string())?;
    let policy = policy(check, &config, &Budget::unlimited());
    let policy = policy.map_err(|error| error.to_string())?;
    let simulation = Simulation::new(check, &config, std::slice::from_ref(&query), &policy);
    let simulation = simulation.map_err(|error| error.to_string())?;
    let tally = simulation
        .run(SEED, 0..TRIALS)
        .map_err(|error| error.to_string())?;
    let Some(expected) = case.expected() else {
        // What has no end is cut off, and that is said.
        return if tally.unfinished > 0 {
            Ok(0.0)
        } else {
            Err("every trial has come to an end".to_owned())
        };
    };
    let (found, error) = estimate(&query, &tally.sums[0], expected);
    let off = (found - expected).abs();
    // A millionth of an error for what is always the same.
    if off <= 5.0 * error + 1e-9 * expected.abs().max(1.0) {
        Ok(if error > 0.0 { off / error } else { 0.0 })
    } else {
        Err(format!("{found} ± {error}, not {expected}"))
    }
}

fn run(file: &str, least: usize) {
    let mut rulesets = Rulesets::default();
    let cases = cases(file);
    assert!(cases.len() >= least, "{file} has lost rows");
    let wrong = cases.iter().filter_map(|case| {
        let complaint = complaint(&rulesets.subject(case), case).err()?;
        Some(format!("{}: {complaint}", case.id))
    });
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
