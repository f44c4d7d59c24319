//! Every row of the case files, exactly, as `oddsmith verify` asks them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use oddsmith_exact::{Answer, Budget, Error, IBig, RBig, Row, Sweep, UBig, answers};
use oddsmith_rules::{Check, Config, InputRange, Model, expression, load};

/// One row of a case file.
struct Case {
    id: String,
    question: String,
    target: String,
    set: String,
    query: String,
    expected: Number,
}

/// An answer.
#[derive(Debug, PartialEq)]
enum Number {
    Is(RBig),
    /// More than any number, `1/0`.
    Infinite,
}

impl Number {
    fn of(answer: &Answer) -> Self {
        match answer.to_ratio() {
            Some(ratio) => Self::Is(ratio),
            None if answer.weight > IBig::ZERO => Self::Infinite,
            None => panic!("this is no number: {answer:?}"),
        }
    }

    fn read(numerator: &str, denominator: &str) -> Self {
        Self::of(&Answer {
            weight: numerator.parse().expect("a numerator"),
            total: denominator.parse::<UBig>().expect("a denominator"),
        })
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
        expected: Number::read(&record[5], &record[6]),
    };
    reader
        .records()
        .map(|record| row(record.expect("a row of text")))
        .collect()
}

/// The rulesets of targets, each read once.
#[derive(Default)]
struct Rulesets(HashMap<String, Model>);

impl Rulesets {
    /// A shipped ruleset by its name, any other by its place in the project.
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

fn answer(check: &Check, case: &Case) -> Result<Number, String> {
    let mut config = check.defaults();
    for assignment in case.set.split_whitespace() {
        let set = check.set(&mut config, assignment, "set");
        set.map_err(|error| error.to_string())?;
    }
    let query = check.query(&case.query, "query");
    let query = query.map_err(|errors| errors.to_string())?;
    let answers = answers(check, &config, &[query], &Budget::unlimited());
    let answers = answers.map_err(|error| error.to_string())?;
    Ok(Number::of(&answers[0]))
}

/// Runs the rows of a file, of which there must be so many or more.
fn run(file: &str, least: usize) {
    let mut rulesets = Rulesets::default();
    let cases = cases(file);
    assert!(cases.len() >= least, "{file} has lost rows");
    let wrong = cases.iter().filter_map(|case| {
        let found = answer(&rulesets.subject(case), case);
        let is_right = found.as_ref() == Ok(&case.expected);
        (!is_right).then(|| format!("{}: {found:?}, not {:?}", case.id, case.expected))
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

#[test]
fn dice_expressions() {
    run("dice", 76);
    run("published-dice", 104);
}

#[test]
fn stars_and_signs() {
    run("stars-and-signs", 154);
}

#[test]
fn action_primer() {
    run("action-primer", 101);
}

#[test]
fn buried_secrets() {
    run("buried-secrets", 71);
    run("published-buried-secrets", 24);
}

#[test]
fn action_checks() {
    run("action-checks", 125);
}

#[test]
fn tracks() {
    run("tracks", 53);
}

#[test]
fn contests() {
    run("contests", 30);
}

/// Small games of many kinds, in files of their own.
#[test]
fn examples() {
    run("examples", 328);
}

#[test]
fn no_file_is_left_out() {
    let files = std::fs::read_dir(path_of("tests/cases")).expect("the case files are there");
    let mut names: Vec<String> = files
        .map(|file| file.expect("a readable entry").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    let known = [
        "action-checks",
        "action-primer",
        "buried-secrets",
        "contests",
        "dice",
        "examples",
        "published-buried-secrets",
        "published-dice",
        "stars-and-signs",
        "tracks",
    ];
    assert_eq!(names, known);
}

/// Every answer of a sweep of `check`, in order.
fn table(check: &Check, config: &Config) -> Vec<Vec<RBig>> {
    let sweeps = [
        "circ_boons=all",
        "circ_banes=0,2,7",
        "ability_boons=-5..=5",
        "adv_invokes=0,1,5,9",
    ];
    let ranges: Vec<InputRange> = sweeps
        .iter()
        .map(|text| check.sweep(text, "sweep").unwrap())
        .collect();
    let (queries, budget) = (check.own_queries(), Budget::unlimited());
    let sweep = Sweep::new(check, config, &ranges, &queries, &budget).unwrap();
    let mut rows = Vec::new();
    let render = |row: &Row<'_>, chunk: &mut Vec<Vec<RBig>>| {
        chunk.push(
            row.answers
                .iter()
                .map(|answer| Answer::from(answer).to_ratio().unwrap())
                .collect(),
        );
    };
    sweep
        .run(render, |chunk| {
            rows.extend(chunk);
            Ok::<_, Error>(())
        })
        .unwrap();
    rows
}

#[test]
fn a_number_edited_in_the_file_is_a_number_set() {
    let path = format!(
        "{}/../../rulesets/stars-and-signs.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let line = text
        .lines()
        .find(|line| line.starts_with("boon_cap "))
        .unwrap();
    let edited = text.replace(line, &line.replace("default = 5", "default = 3"));
    assert_ne!(text, edited);
    let (shipped, copy) = (
        load("shipped", text.as_bytes()).unwrap(),
        load("copy", edited.as_bytes()).unwrap(),
    );
    let (shipped, copy) = (&shipped.checks[0], &copy.checks[0]);
    let mut config = shipped.defaults();
    shipped.set(&mut config, "boon_cap=3", "set").unwrap();
    let set = table(shipped, &config);
    assert_eq!(set.len(), 21 * 3 * 11 * 4);
    assert_eq!(set, table(copy, &copy.defaults()));
    assert_ne!(set, table(shipped, &shipped.defaults()));
}
