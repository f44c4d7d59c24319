//! Rulesets of one script, and comparing many of them at once.

use oddsmith_rules::{Check, Config};
use oddsmith_testkit::rulesets::check_with;
pub(crate) use oddsmith_testkit::rulesets::{config_of, model_of, queries_of};
pub(crate) use oddsmith_testkit::{report, without_panic};

use crate::compare;
use oddsmith_testkit::oracle;

/// More trials than any script of the tables has.
pub(crate) const MOST_TRIALS: usize = 500_000;

/// A check `main` of a ruleset of one script, with the given functions and tables.
pub(crate) fn check_of(tables: &str, script: &str) -> Check {
    check_with(tables, "", script)
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
