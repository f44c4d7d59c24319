//! The results of a simulation do not depend on who rolls which part of it, nor on the machine's instructions.

use oddsmith_rules::{Check, Config, Query};
use oddsmith_simulate::{CHUNK, Error, Simulation, Tally};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::shipped::{configs, models, subjects};
use crate::support::{check_of, expression_of, mean_of, policy_of, report, track_of};

const SEED: u64 = 77;

/// A simulation of the means of everything that is shown.
fn of_all(check: &Check, config: &Config) -> Simulation {
    let queries: Vec<Query> = check.outcomes.iter().map(mean_of).collect();
    let policy = policy_of(check, config).unwrap_or_else(|error| panic!("{error}"));
    let made = Simulation::new(check, config, &queries, &policy);
    made.unwrap_or_else(|error| panic!("{}: {error}", check.name))
}

/// A run on so many threads.
fn on(threads: usize, simulation: &Simulation, trials: u64) -> Result<Tally, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.expect("threads can be started");
    pool.install(|| simulation.run(SEED, 0..trials))
}

/// Some of everything: tracks, contests, choices, explosions, draws, loops in which trials part ways.
fn some() -> Vec<Check> {
    let named = |names: &[&str], check: &Check| names.contains(&check.name.as_str());
    let known = [
        "check",
        "test",
        "yahtzee",
        "counter",
        "saves",
        "threes",
        "clash",
        "check v check",
    ];
    let all = models();
    let mut some: Vec<Check> = all.iter().flat_map(subjects).collect();
    some.retain(|check| named(&known, check));
    some.extend(
        [
            "5d10!(3) kh 3",
            "4d6ro<3!>=5(2)",
            "3d{1: 7, 5: 9000, 900}",
            "2d100000",
        ]
        .map(expression_of),
    );
    some.push(expression_of("highest(draw(3, {6: 2, 4: 4, 1: 6}))"));
    some.push(check_of(
        "let n = 0\nrepeat 20 until n >= 9 { set n = n + 1d[2d3]r<3 - 1d4 }\nshow n_at_last = n",
    ));
    some.push(track_of(
        "let left = 9\nrepeat until left <= 0 { set left = left - highest(2d4) + 1 }\nshow debt = left",
    ));
    some
}

#[test]
fn any_number_of_threads_rolls_the_same() {
    let trials = 5 * CHUNK + 1_234;
    for check in some() {
        let simulation = of_all(&check, &check.defaults());
        let one = on(1, &simulation, trials);
        for threads in [2, 3, 7] {
            assert_eq!(
                on(threads, &simulation, trials),
                one,
                "{} on {threads}",
                check.name
            );
        }
    }
}

#[test]
fn parts_add_up_to_the_whole() {
    let end = 4 * CHUNK + 777;
    for check in some() {
        let simulation = of_all(&check, &check.defaults());
        let run = |range| {
            let tally = simulation.run(SEED, range);
            tally.unwrap_or_else(|error| panic!("{}: {error}", check.name))
        };
        let whole = run(0..end);
        for cuts in [
            vec![CHUNK],
            vec![3 * CHUNK],
            vec![CHUNK, 2 * CHUNK, 4 * CHUNK],
        ] {
            let mut sum = Tally::default();
            let mut start = 0;
            for cut in cuts.iter().copied().chain([end]) {
                sum.add(&run(start..cut)).expect("small sums");
                start = cut;
            }
            assert_eq!(sum, whole, "{} cut at {cuts:?}", check.name);
        }
        assert_eq!(run(0..0).trials, 0);
    }
}

/// Batches of all lengths are the beginning of longer ones, but for what the trials after them draw.
#[test]
fn a_part_of_a_batch_is_rolled_too() {
    let check = expression_of("1d6 + 1d20 kh 1");
    let simulation = of_all(&check, &check.defaults());
    for trials in [1, 2, 31, 32, 33, 63, 64, 65, 2_047, 2_048, 2_049, 4_095] {
        let tally = simulation.run(SEED, 0..trials).expect("nothing can fail");
        assert_eq!((tally.trials, tally.dice), (trials, 2 * trials));
        assert_eq!(tally.sums[0].trials, trials);
    }
}

/// How many configurations of a check are rolled, and those that another machine rolls differently.
fn on_each_machine(check: &Check) -> (usize, Vec<String>) {
    let trials = 5_000;
    let (mut compared, mut wrong) = (0, Vec::new());
    for config in configs(check, 2) {
        let queries: Vec<Query> = check.outcomes.iter().map(mean_of).collect();
        let Ok(policy) = policy_of(check, &config) else {
            continue;
        };
        let made = || Simulation::new(check, &config, &queries, &policy);
        let Ok(simulation) = made() else {
            continue;
        };
        let wide = simulation.run(SEED, 0..trials);
        let plain = made().expect("as before").on_any_machine();
        if plain.run(SEED, 0..trials) != wide {
            wrong.push(format!("{}, {}", check.name, check.describe(&config)));
        }
        compared += 1;
    }
    (compared, wrong)
}

#[test]
fn every_machine_rolls_the_same() {
    let checks: Vec<Check> = models().iter().flat_map(subjects).chain(some()).collect();
    let rolled: Vec<_> = checks.par_iter().map(on_each_machine).collect();
    let compared: usize = rolled.iter().map(|(compared, _)| compared).sum();
    let wrong: Vec<String> = rolled.into_iter().flat_map(|(_, wrong)| wrong).collect();
    report(&wrong);
    assert!(compared >= 500, "only {compared} configurations are left");
}
