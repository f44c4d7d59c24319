//! The programs of `tests/cases/anydice`, whose odds were found by listing all rolls, elsewhere.
//!
//! A file has programs with an empty line between. Each begins with a remark `\= …` for every output: `empty`, or outcomes with
//! their probabilities, and after `cut` the probability that a limit was met.

use std::fs;
use std::path::Path;

use oddsmith_dist::RBig;

use super::{answers, odds};

/// What an output of a case is expected to be.
type Expected = (Vec<(i64, RBig)>, RBig);

fn fraction(text: &str) -> RBig {
    text.parse()
        .unwrap_or_else(|_| panic!("{text} is a fraction"))
}

fn expected(line: &str) -> Option<Expected> {
    let line = line.strip_prefix("\\= ")?.strip_suffix(" \\")?;
    let (line, cut) = match line.split_once("cut ") {
        Some((line, cut)) => (line.trim(), fraction(cut)),
        None => (line, RBig::ZERO),
    };
    let pairs = line.split(' ').filter(|pair| *pair != "empty");
    let pairs = pairs.map(|pair| {
        let (outcome, chance) = pair.split_once(':').expect("an outcome and its chance");
        (outcome.parse().expect("a number"), fraction(chance))
    });
    Some((pairs.collect(), cut))
}

fn check(file: &str, at_least: usize) {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/anydice");
    let text = fs::read_to_string(place.join(file)).expect("the file of cases is there");
    let mut count = 0;
    for program in text.split("\n\n") {
        let expected: Vec<Expected> = program.lines().filter_map(expected).collect();
        let found = answers(program);
        let found: Vec<Expected> = found
            .iter()
            .map(|output| (odds(output), output.cut.clone()))
            .collect();
        assert_eq!(found, expected, "{file}:\n{program}");
        count += expected.len();
    }
    assert!(count >= at_least, "{file} has {count} outputs");
}

#[test]
fn numbers_and_their_operators() {
    check("numbers.txt", 36);
}

#[test]
fn sequences() {
    check("sequences.txt", 45);
}

#[test]
fn dice_and_their_operators() {
    check("dice.txt", 76);
}

#[test]
fn places_of_a_roll() {
    check("places.txt", 26);
}

#[test]
fn the_empty_die() {
    check("empty.txt", 42);
}

#[test]
fn functions_of_every_program() {
    check("functions-of-every-program.txt", 48);
}

#[test]
fn functions() {
    check("functions.txt", 40);
}

#[test]
fn statements() {
    check("statements.txt", 12);
}

#[test]
fn limits_and_what_they_cut() {
    check("limits.txt", 18);
}
