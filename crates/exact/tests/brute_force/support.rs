//! Rulesets of one script, and comparing many of them at once.

use std::panic::AssertUnwindSafe;

use oddsmith_rules::{Check, Config, Model, Query, load};

use crate::compare;
use crate::oracle;

/// More trials than any script of the tables has.
pub(crate) const MOST_TRIALS: usize = 500_000;

/// # Panics
/// If the text is not a ruleset.
pub(crate) fn model_of(text: &str) -> Model {
    load("test.toml", text.as_bytes()).unwrap_or_else(|errors| panic!("{}", errors.render(false)))
}

/// A check `main` of a ruleset of one script, with the given functions and tables.
pub(crate) fn check_of(tables: &str, script: &str) -> Check {
    let rules = format!("[checks.main]\nrules = \"\"\"\n{script}\n\"\"\"");
    let model = model_of(&format!("name = \"Test\"\n{tables}\n{rules}\n"));
    model.check("main").expect("it is there").clone()
}

/// A check's configuration, as on the command line.
pub(crate) fn config_of(check: &Check, setting: &str) -> Config {
    let mut config = check.defaults();
    for assignment in setting.split_whitespace() {
        let set = check.set(&mut config, assignment, "setting");
        set.unwrap_or_else(|error| panic!("{error}"));
    }
    config
}

pub(crate) fn queries_of(check: &Check, queries: &[&str]) -> Vec<Query> {
    let query = |text: &&str| {
        let query = check.query(text, "query");
        query.unwrap_or_else(|errors| panic!("{errors}"))
    };
    queries.iter().map(query).collect()
}

/// A panic is one complaint among others.
pub(crate) fn without_panic(compare: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    std::panic::catch_unwind(AssertUnwindSafe(compare))
        .unwrap_or_else(|_| Err("a panic".to_owned()))
}

/// What is wrong with the engine's answers about a check.
pub(crate) fn complaint(check: &Check, config: &Config) -> Result<(), String> {
    without_panic(|| {
        let joint = oracle::joint(check, config, MOST_TRIALS).expect("the script is small");
        compare::checks::agrees(check, config, &joint)
    })
}

/// Compares every script; all that differ are reported at once.
pub(crate) fn all_agree(tables: &str, scripts: &[&str]) {
    let complaint = |script: &&str| {
        let check = check_of(tables, script);
        let complaint = complaint(&check, &check.defaults()).err()?;
        Some(format!("{script}\n  => {complaint}"))
    };
    let complaints: Vec<String> = scripts.iter().filter_map(complaint).collect();
    report(&complaints);
}

/// Compares a check `main` of a whole ruleset in several configurations.
pub(crate) fn ruleset_agrees(text: &str, settings: &[&str]) {
    let model = model_of(text);
    let check = model.check("main").expect("it is there");
    let complaint = |setting: &&str| {
        let complaint = complaint(check, &config_of(check, setting)).err()?;
        Some(format!("{setting}: {complaint}\n{text}"))
    };
    let complaints: Vec<String> = settings.iter().filter_map(complaint).collect();
    report(&complaints);
}

/// # Panics
/// If there is something to report.
pub(crate) fn report(complaints: &[String]) {
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}
