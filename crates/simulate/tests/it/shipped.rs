//! Every check, track and contest of the rulesets, in several configurations, against the exact engine.

use std::collections::HashSet;

use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config, Model, Ties};
use rayon::prelude::*;

use crate::chances::{agree, is_refused, tables, track_tables};
use crate::support::{Picks, model_of, report};

const SEED: u64 = 20_261_121;
const TRIALS: u64 = 50_000;

/// Configurations that are put together by chance, for each check.
const MIXED: usize = 5;

/// Numbers that are asked for one by one at the end of a track.
const VALUES: i64 = 12;

/// The rulesets of the project, by name.
pub(crate) fn models() -> Vec<Model> {
    let texts = oddsmith_testkit::rulesets::all().into_iter();
    texts.map(|(_, text)| model_of(&text)).collect()
}

/// The contests of a check with itself, by each rule for ties.
pub(crate) fn contests(check: &Check) -> Vec<Check> {
    if check.contest.is_none() {
        return Vec::new();
    }
    let contest = |(_, ties)| check.against(check, ties);
    let contests = Ties::ALL.into_iter().map(contest);
    contests
        .map(|contest| contest.unwrap_or_else(|error| panic!("{}: {error}", check.name)))
        .collect()
}

/// Everything that can be rolled.
pub(crate) fn subjects(model: &Model) -> Vec<Check> {
    let mut subjects = model.checks.clone();
    subjects.extend(model.tracks.iter().cloned());
    subjects.extend(model.checks.iter().flat_map(contests));
    subjects
}

/// The default; each axis at both ends of what it sweeps over; some mixtures.
pub(crate) fn configs(check: &Check, mixed: usize) -> Vec<Config> {
    let inputs = check.inputs.iter().enumerate();
    let swept = inputs.filter(|(_, input)| !input.sweep.is_empty());
    let axes: Vec<(usize, &[i64])> = swept.map(|(id, input)| (id, &input.sweep[..])).collect();
    let with = |settings: &[(usize, i64)]| {
        let mut config = check.defaults();
        for (id, value) in settings {
            config.put(InputId(*id), *value);
        }
        config
    };
    let mut configs = vec![check.defaults()];
    for (id, values) in &axes {
        let ends = [values.iter().min(), values.iter().max()];
        configs.extend(ends.into_iter().flatten().map(|end| with(&[(*id, *end)])));
    }
    let mut picks = Picks::new(SEED);
    for _ in 0..mixed {
        let settings = axes.iter().map(|(id, values)| (*id, *picks.of(values)));
        configs.push(with(&settings.collect::<Vec<_>>()));
    }
    let mut seen = HashSet::new();
    configs.retain(|config| seen.insert(config.clone()));
    configs
}

/// What is wrong with a check in a configuration; and how many tables were compared.
fn compare(check: &Check, config: &Config) -> Result<usize, String> {
    let tables = if check.rounds.is_some() {
        track_tables(check, config, VALUES)
    } else {
        match tables(check, config) {
            Ok(tables) => tables,
            // Others of its values are legal.
            Err(oddsmith_exact::Error::Requirement { .. }) => return Ok(0),
            Err(error) => return Err(error.to_string()),
        }
    };
    match agree(check, config, &tables, SEED, TRIALS) {
        Ok(_) => Ok(tables.len()),
        // Said to be too much, as it is.
        Err(error) if is_refused(&error) => Ok(0),
        Err(error) => Err(error),
    }
}

fn all_agree(subjects: &[Check], mixed: usize, least: usize) {
    let jobs = subjects.iter().flat_map(|check| {
        let configs = configs(check, mixed);
        configs.into_iter().map(move |config| (check, config))
    });
    let jobs: Vec<(&Check, Config)> = jobs.collect();
    let results = jobs.par_iter().map(|(check, config)| {
        compare(check, config).map_err(|complaint| {
            let (name, config) = (&check.name, check.describe(config));
            format!("{name}, {config}:\n{complaint}")
        })
    });
    let results: Vec<Result<usize, String>> = results.collect();
    let tables: usize = results.iter().flatten().sum();
    let wrong: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    report(&wrong);
    assert!(tables >= least, "only {tables} tables are left");
}

#[test]
fn checks_show_what_is_computed() {
    let checks: Vec<Check> = models()
        .into_iter()
        .flat_map(|model| model.checks)
        .collect();
    all_agree(&checks, MIXED, 1_000);
}

#[test]
fn tracks_end_as_is_computed() {
    let tracks: Vec<Check> = models()
        .into_iter()
        .flat_map(|model| model.tracks)
        .collect();
    all_agree(&tracks, MIXED, 400);
}

#[test]
fn contests_are_won_as_is_computed() {
    let checks = models().into_iter().flat_map(|model| model.checks);
    let contests: Vec<Check> = checks.flat_map(|check| contests(&check)).collect();
    all_agree(&contests, 1, 2_500);
}
