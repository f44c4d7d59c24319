//! How fast trials are rolled: `cargo bench -p oddsmith-benches --bench simulate`.
//!
//! Each benchmark reports trials per second. They are rolled in one thread unless a number of threads is given.

use divan::Bencher;
use divan::counter::ItemsCount;
use oddsmith_exact::{Budget, policy};
use oddsmith_rules::{Check, Config, Model, Policy, expression, load};
use oddsmith_simulate::{CHUNK, Simulation};

fn main() {
    divan::main();
}

/// 2d10 with two Boons, d8 with one, and 3.
const CHECK: [&str; 4] = [
    "circ_boons=2",
    "ability_boons=1",
    "ability_rank=6",
    "flat=3",
];

fn ruleset(name: &str) -> Model {
    let path = format!("{}/../rulesets/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read(path).expect("the ruleset is there");
    load(name, &text).expect("the ruleset is right")
}

fn config(check: &Check, settings: &[&str]) -> Config {
    let mut config = check.defaults();
    for setting in settings {
        let set = check.set(&mut config, setting, "bench");
        set.expect("a legal setting");
    }
    config
}

/// What has bands and choices, with the best of these.
fn simulation(check: &Check, settings: &[&str]) -> Simulation {
    let config = config(check, settings);
    let policy = policy(check, &config, &Budget::unlimited()).expect("there is a best choice");
    Simulation::new(check, &config, &check.own_queries(), &policy).expect("it can be rolled")
}

/// What is asked for the mean of something.
fn mean(check: &Check, settings: &[&str], of: &str) -> Simulation {
    let query = check.query(&format!("mean({of})"), "bench");
    let query = [query.expect("a number that is shown")];
    let config = config(check, settings);
    Simulation::new(check, &config, &query, &Policy::default()).expect("it can be rolled")
}

fn roll(bencher: Bencher<'_, '_>, simulation: &Simulation, chunks: u64, threads: usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.expect("threads");
    let trials = chunks * CHUNK;
    bencher
        .counter(ItemsCount::new(trials))
        .bench(|| pool.install(|| simulation.run(1, divan::black_box(0..trials))));
}

#[divan::bench(args = [1, 2])]
fn bands_of_a_check(bencher: Bencher<'_, '_>, threads: usize) {
    let model = ruleset("stars-and-signs");
    roll(bencher, &simulation(&model.checks[0], &CHECK), 256, threads);
}

#[divan::bench(args = [1, 2])]
fn bands_of_a_check_on_any_machine(bencher: Bencher<'_, '_>, threads: usize) {
    let model = ruleset("stars-and-signs");
    let simulation = simulation(&model.checks[0], &CHECK).on_any_machine();
    roll(bencher, &simulation, 256, threads);
}

/// A long sum, the highest kept, a die that explodes.
#[divan::bench(args = ["1000d6", "4d6kh3", "3d6!(4)"])]
fn mean_of_an_expression(bencher: Bencher<'_, '_>, text: &str) {
    let check = expression(text, "bench").expect("the expression is right");
    let chunks = if text.starts_with("1000") { 1 } else { 16 };
    roll(bencher, &mean(&check, &[], "value"), chunks, 1);
}

/// A trial is all the checks until the Counter is full.
#[divan::bench]
fn rolls_until_a_counter_is_full(bencher: Bencher<'_, '_>) {
    let model = ruleset("stars-and-signs");
    let track = model.track("counter").expect("a track of that name");
    roll(bencher, &mean(track, &["slots=10"], "rolls"), 4, 1);
}

/// A trial goes on until the contest is decided.
#[divan::bench]
fn winner_of_a_contest(bencher: Bencher<'_, '_>) {
    let model = ruleset("stars-and-signs");
    let check = &model.checks[0];
    let contest = check.against(check, check.ties).expect("they compare");
    let sides = ["a.ability_rank=8", "b.ability_rank=4"];
    roll(bencher, &simulation(&contest, &sides), 4, 1);
}

/// Twice in a trial the best dice to keep are looked up.
#[divan::bench]
fn yahtzee_with_the_best_choices(bencher: Bencher<'_, '_>) {
    let model = ruleset("shelf/dice-games/yahtzee");
    roll(bencher, &simulation(&model.checks[0], &[]), 1, 1);
}

/// From a checked model to what can be rolled.
#[divan::bench]
fn compile_a_check(bencher: Bencher<'_, '_>) {
    let model = ruleset("stars-and-signs");
    let check = &model.checks[0];
    let (config, queries) = (config(check, &CHECK), check.own_queries());
    let policy = Policy::default();
    bencher.bench(|| Simulation::new(check, divan::black_box(&config), &queries, &policy));
}
