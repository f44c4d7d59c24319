//! Every row of the case files, exactly, as `oddsmith verify` asks them.

use oddsmith_exact::{Answer, Budget, Error, IBig, RBig, Row, Sweep, answers};
use oddsmith_rules::{Check, Config, InputRange, load};
use oddsmith_testkit::cases::{Case, Rulesets};
use oddsmith_testkit::rulesets::path_of;
use oddsmith_testkit::test_case_files;

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

    /// The answer that stands in the file.
    fn expected(case: &Case) -> Self {
        Self::of(&Answer {
            weight: case.numerator.clone(),
            total: case.denominator.clone(),
        })
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

/// Asks every row of a file.
fn run(cases: &[Case]) {
    let mut rulesets = Rulesets::default();
    let wrong = cases.iter().filter_map(|case| {
        let found = answer(&rulesets.subject(case), case);
        let expected = Number::expected(case);
        let is_right = found.as_ref() == Ok(&expected);
        (!is_right).then(|| format!("{}: {found:?}, not {expected:?}", case.id))
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

test_case_files!(run);

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
    let path = path_of("rulesets/stars-and-signs.toml");
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
