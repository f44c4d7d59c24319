//! Every row of the case files that the shipped rulesets can answer, exactly.

use oddsmith_exact::{Budget, Error, RBig, Row, Sweep, answers};
use oddsmith_rules::{Check, Config, InputRange, expression, load};

/// One row of a case file.
struct Case {
    id: String,
    question: String,
    target: String,
    set: String,
    query: String,
    expected: RBig,
}

fn cases(file: &str) -> Vec<Case> {
    let path = format!(
        "{}/../../tests/cases/{file}.csv",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut reader = csv::Reader::from_path(path).expect("the case file is there");
    let row = |record: csv::StringRecord| Case {
        id: record[0].to_owned(),
        question: record[1].to_owned(),
        target: record[2].to_owned(),
        set: record[3].to_owned(),
        query: record[4].to_owned(),
        expected: RBig::from_parts(record[5].parse().unwrap(), record[6].parse().unwrap()),
    };
    reader
        .records()
        .map(|record| row(record.expect("a row of text")))
        .collect()
}

fn answer(check: &Check, case: &Case) -> RBig {
    let mut config = check.defaults();
    for assignment in case.set.split_whitespace() {
        check.set(&mut config, assignment, "set").unwrap();
    }
    let query = check
        .query(&case.query, "query")
        .unwrap_or_else(|e| panic!("{}: {e}", case.id));
    let answers = answers(check, &config, &[query], &Budget::unlimited());
    answers.unwrap_or_else(|e| panic!("{}: {e}", case.id))[0]
        .to_ratio()
        .unwrap()
}

/// Runs the rows that `check_of` finds a check for; returns how many.
fn run(file: &str, check_of: impl Fn(&Case) -> Option<Check>) -> usize {
    let mut count = 0;
    let mut wrong = Vec::new();
    for case in cases(file) {
        let Some(check) = check_of(&case) else {
            continue;
        };
        let found = answer(&check, &case);
        count += 1;
        if found != case.expected {
            wrong.push(format!("{}: {found}, not {}", case.id, case.expected));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count} rows differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    count
}

fn dice(case: &Case) -> Option<Check> {
    (case.question == "dist").then(|| expression(&case.target, "target").unwrap())
}

#[test]
fn dice_expressions() {
    assert_eq!(run("dice", dice), 76);
    assert_eq!(run("published-dice", dice), 104);
}

#[test]
fn stars_and_signs() {
    let path = format!(
        "{}/../../rulesets/stars-and-signs.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let model = load("stars-and-signs.toml", &std::fs::read(path).unwrap()).unwrap();
    let check = |case: &Case| {
        let (ruleset, name) = case.target.split_once(':')?;
        (ruleset == "stars-and-signs" && case.question == "odds")
            .then(|| model.check(name).unwrap().clone())
    };
    assert_eq!(run("stars-and-signs", check), 154);
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
                .map(|answer| answer.to_ratio().unwrap())
                .collect(),
        );
    };
    sweep
        .run(render, |chunk, _| {
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
