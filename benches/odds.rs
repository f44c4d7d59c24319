//! How long questions take, from the text on: `cargo bench -p oddsmith-benches`.
//!
//! Names begin with what they are: a question to a dice expression, one configuration of a ruleset, a table.

use divan::Bencher;
use oddsmith_exact::{Budget, Error, Row, Sweep, answers, distribution};
use oddsmith_rules::{Check, InputRange, Model, expression, load};

fn main() {
    divan::main();
}

/// Expressions of very different sizes: one small pool, mixed pools, counts, sets, explosions, long sums.
const EXPRESSIONS: [&str; 13] = [
    "4d6kh3",
    "{2d8,2d6}kh2",
    "6d10 cs>=7",
    "4d10kh2 + 2d8kh1 + 3",
    "3d6!(4)",
    "10d10!(4)kh5",
    "wins(10d6, 10d6)",
    "matches(20d10)",
    "200d10 cs>=7",
    "20d100kh5",
    "100d20kh50",
    "1000d6",
    "100d100",
];

#[divan::bench(args = EXPRESSIONS)]
fn expression_to_distribution(bencher: Bencher<'_, '_>, text: &str) {
    bencher.bench(|| {
        let check = expression(divan::black_box(text), "bench").expect("the expression is right");
        distribution(
            &check,
            &check.defaults(),
            &check.outcomes[0],
            &Budget::unlimited(),
        )
    });
}

fn stars_and_signs() -> Model {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../rulesets/stars-and-signs.toml"
    );
    let text = std::fs::read(path).expect("the ruleset is there");
    load("stars-and-signs", &text).expect("the ruleset is right")
}

#[divan::bench]
fn load_stars_and_signs(bencher: Bencher<'_, '_>) {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../rulesets/stars-and-signs.toml"
    );
    let text = std::fs::read(path).expect("the ruleset is there");
    bencher.bench(|| load("stars-and-signs", divan::black_box(&text)));
}

#[divan::bench]
fn one_configuration(bencher: Bencher<'_, '_>) {
    let model = stars_and_signs();
    let check = &model.checks[0];
    let mut config = check.defaults();
    for assignment in ["ability_rank=6", "skill_rank=3", "circ_boons=1"] {
        check
            .set(&mut config, assignment, "bench")
            .expect("a legal setting");
    }
    let queries = check.own_queries();
    bencher.bench(|| {
        answers(
            check,
            divan::black_box(&config),
            &queries,
            &Budget::unlimited(),
        )
    });
}

fn ranges(check: &Check) -> Vec<InputRange> {
    let sweeps = [
        "circ_boons=-5..=5",
        "ability_rank=1,2,4,6,8,10",
        "ability_boons=-5..=5",
        "adv_invokes=0..=6",
        "flat=0..=10",
    ];
    sweeps
        .iter()
        .map(|text| check.sweep(text, "bench").expect("a legal sweep"))
        .collect()
}

/// 55,902 configurations, planned and computed, nothing printed.
#[divan::bench(args = [1, 2])]
fn table_of_55902_rows(bencher: Bencher<'_, '_>, threads: usize) {
    let model = stars_and_signs();
    let check = &model.checks[0];
    let (base, queries, ranges) = (check.defaults(), check.own_queries(), ranges(check));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("threads");
    bencher.bench(|| {
        pool.install(|| {
            let budget = Budget::unlimited();
            let sweep = Sweep::new(check, &base, &ranges, &queries, &budget)?;
            let mut rows = 0_u64;
            sweep.run(
                |_: &Row<'_>, count: &mut u64| *count += 1,
                |count, _| {
                    rows += count;
                    Ok::<_, Error>(())
                },
            )?;
            Ok::<_, Error>(rows)
        })
    });
}
