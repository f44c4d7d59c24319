//! A row of a sweep is the answer of its configuration, whichever way the sweep was planned.

use oddsmith_exact::{Budget, Error, RBig, Row, Sweep, answers};
use oddsmith_rules::{Check, Config, InputRange, Model, Query, load};

/// Values and answers of every row; no answer where a query's condition never happens.
type Rows = Vec<(Vec<i64>, Vec<Option<RBig>>)>;

fn sweep(
    check: &Check,
    base: &Config,
    ranges: &[InputRange],
    queries: &[Query],
) -> Result<Rows, Error> {
    let budget = Budget::unlimited();
    let sweep = Sweep::new(check, base, ranges, queries, &budget)?;
    let mut rows = Vec::new();
    let render = |row: &Row<'_>, chunk: &mut Rows| {
        let answers = row.answers.iter().map(oddsmith_exact::Answer::to_ratio);
        chunk.push((row.values.to_vec(), answers.collect()));
    };
    sweep.run(render, |chunk, _| {
        rows.extend(chunk);
        Ok::<_, Error>(())
    })?;
    Ok(rows)
}

/// The same rows, one configuration at a time.
fn one_by_one(check: &Check, base: &Config, ranges: &[InputRange], queries: &[Query]) -> Rows {
    let mut configs = vec![(Vec::new(), base.clone())];
    for range in ranges {
        configs = configs
            .into_iter()
            .flat_map(|(values, config)| {
                range.values.iter().map(move |&value| {
                    let (mut values, mut config) = (values.clone(), config.clone());
                    values.push(value);
                    config.0[range.input.0] = value;
                    (values, config)
                })
            })
            .collect();
    }
    let mut rows = Vec::new();
    for (values, config) in configs {
        let answer = |query: &Query| match answers(
            check,
            &config,
            std::slice::from_ref(query),
            &Budget::unlimited(),
        ) {
            Ok(answers) => Ok(answers[0].to_ratio()),
            Err(Error::NeverHappens { .. }) => Ok(None),
            Err(error) => Err(error),
        };
        match queries.iter().map(answer).collect::<Result<Vec<_>, _>>() {
            Ok(answers) => rows.push((values, answers)),
            Err(Error::Requirement { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    rows
}

fn compare(model: &Model, check: &str, sets: &[&str], sweeps: &[&str], queries: &[&str]) {
    let check = model.check(check).unwrap();
    let mut base = check.defaults();
    sets.iter()
        .for_each(|set| check.set(&mut base, set, "set").unwrap());
    let ranges: Vec<InputRange> = sweeps
        .iter()
        .map(|text| check.sweep(text, "sweep").unwrap())
        .collect();
    let mut asked = check.own_queries();
    asked.extend(
        queries
            .iter()
            .map(|text| check.query(text, "query").unwrap()),
    );
    let expected = one_by_one(check, &base, &ranges, &asked);
    assert!(!expected.is_empty(), "{sweeps:?} has rows");
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let rows = pool
            .install(|| sweep(check, &base, &ranges, &asked))
            .unwrap();
        assert_eq!(rows, expected, "{sweeps:?} on {threads} threads");
    }
}

fn stars_and_signs() -> Model {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../rulesets/stars-and-signs.toml"
    );
    load("stars-and-signs", &std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_shipped_game_swept_in_many_ways() {
    let model = stars_and_signs();
    let queries = [
        "mean(total)",
        "variance(total)",
        "P(total >= 18 | Hit)",
        "mean(effort_spent | Critical)",
    ];
    let sweeps: [(&[&str], &[&str]); 7] = [
        (
            &[],
            &[
                "circ_boons=-5..=5",
                "ability_rank=1,4,10",
                "adv_invokes=0,3",
                "flat=-3..=3",
            ],
        ),
        (&[], &["flat=-40..=40"]),
        (
            &["skill_rank=7"],
            &["state=all", "effort=0..=5", "effort_policy=all"],
        ),
        (
            &["adv_invokes=2", "effort=3"],
            &[
                "adv_gate=all",
                "adv_success=all",
                "state=all",
                "flat=-4,0,9",
            ],
        ),
        (
            &["circ_boons=4"],
            &[
                "boon_cap=0..=10",
                "ability_boons=-10,-3,0,6",
                "null_die=all",
            ],
        ),
        (
            &["mood=1"],
            &[
                "mood_asset=all",
                "asset_mode=all",
                "asset_quality=0,5",
                "circ_banes=0,7",
            ],
        ),
        // Rows in which the thresholds do not ascend are skipped.
        (
            &["effort=5"],
            &["thresholds[0]=8..=12", "thresholds[1]=11..=15", "flat=0,5"],
        ),
    ];
    for (sets, sweeps) in sweeps {
        compare(&model, "check", sets, sweeps, &queries);
    }
    compare(
        &model,
        "test",
        &[],
        &["ability_rank=all", "diff_boons=-3..=3", "mood=all"],
        &["mean(score)"],
    );
    let followers = [
        "followers=0..=3",
        "follower_ability_rank=1,5,10",
        "flat=0,4",
    ];
    compare(
        &model,
        "cooperation",
        &["effort=2"],
        &followers,
        &["mean(total)"],
    );
}

/// Scripts that the planner treats differently: no cut, a loop, a pool as a whole, sparse and huge numbers.
const OTHERS: &str = r#"
name = "Others"
[checks.joint]
bands = ["Miss", "Hit"]
axes.pool = { domain = "0..=6", default = 3 }
axes.goal = { domain = "1..=6", default = 6 }
rules = """
let dice = (pool)d6
show twist = 2 * matches(dice) >= size(dice)
show band = if highest(dice) >= goal then Hit else Miss
"""
[checks.looped]
axes.rounds = { domain = "0..=4", default = 2 }
axes.plus = { domain = "-5..=5", default = 0 }
rules = """
let x = 0
repeat rounds until x > 4 { set x = x + 1d4 - 1 }
show end = x + plus
"""
[checks.kept]
axes.again = { domain = "0..=2", default = 1 }
axes.plus = { domain = "0..=3", default = 0 }
rules = """
let hand = 3d4
repeat again { set hand = {hand kh 1, 2d4} }
show total = hand + plus
"""
[checks.sparse]
axes.plus = { domain = "0..=9", default = 0 }
axes.step = { domain = "1..=3", default = 1 }
rules = """
let x = d{0, 1000000000, 5: 3} + plus
show y = if x > 4 then step else -step
show z = x * step
"""
[checks.huge]
bands = ["low", "high"]
axes.plus = { domain = "-50..=50", default = 0 }
axes.sign = { domain = "-1..=1", default = 1 }
rules = """
let x = 60d6 + plus
show y = sign * (match x { < 200: 20d20 - 7, else: 1d4 })
show band = if x < 210 then low else high
"""
"#;

#[test]
fn other_shapes_of_script() {
    let model = load("others", OTHERS.as_bytes()).unwrap();
    compare(
        &model,
        "joint",
        &[],
        &["pool=all", "goal=all"],
        &["Hit & twist", "P(Hit | twist)"],
    );
    compare(
        &model,
        "looped",
        &[],
        &["rounds=all", "plus=all"],
        &["mean(end)", "P(end == 3)"],
    );
    compare(
        &model,
        "looped",
        &["rounds=3"],
        &["plus=all"],
        &["variance(end)"],
    );
    compare(
        &model,
        "kept",
        &[],
        &["again=all", "plus=all"],
        &["mean(total)", "P(total >= 10)"],
    );
    compare(
        &model,
        "sparse",
        &[],
        &["plus=all", "step=all"],
        &["mean(y)", "mean(z)", "P(y > 0 | z > 9)"],
    );
    compare(
        &model,
        "huge",
        &[],
        &["plus=-50,-1,0,1,50", "sign=all"],
        &["mean(y)", "variance(y)", "P(y<0)"],
    );
}

#[test]
fn an_error_names_the_row() {
    let text = "name = 'x'\n[checks.c]\naxes.n = { domain = '0..=3', default = 1 }\n\
                axes.m = { domain = '0..=1', default = 0 }\nrules = 'show x = 1d6 + floor(6 / n)'\n";
    let model = load("x", text.as_bytes()).unwrap();
    let check = &model.checks[0];
    let ranges = ["m=all", "n=1,0"].map(|text| check.sweep(text, "sweep").unwrap());
    let queries = [check.query("mean(x)", "query").unwrap()];
    let error = sweep(check, &check.defaults(), &ranges, &queries).unwrap_err();
    assert!(
        error.to_string().contains("division by zero, for n=0"),
        "{error}"
    );
}

#[test]
fn what_costs_too_much_is_refused_before_it_starts() {
    let model = stars_and_signs();
    let check = &model.checks[0];
    let ranges = [
        "flat=all",
        "circ_boons=all",
        "skill_rank=all",
        "ability_rank=all",
    ];
    let ranges = ranges.map(|text| check.sweep(text, "sweep").unwrap());
    let (base, queries, budget) = (
        check.defaults(),
        check.own_queries(),
        Budget::new(1_000_000_000),
    );
    let error = Sweep::new(check, &base, &ranges, &queries, &budget).unwrap_err();
    let Error::OverBudget {
        predicted,
        limit,
        help,
        ..
    } = error
    else {
        panic!("{error}")
    };
    assert!(predicted > u128::from(limit));
    assert!(help.contains("`flat` alone has 20001"), "{help}");
    assert_eq!(budget.spent(), 0);
}
