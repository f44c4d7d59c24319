//! Two checks over a sweep: rows are matched by the values of the axes, and each side has its own odds.

use oddsmith_analysis::compare::{Order, Pair, PairRow, Scale, Side, Summary};
use oddsmith_exact::{Answer, Budget, answers};
use oddsmith_rules::{Check, Model, Query, load};

/// Two dice, and a modifier; `B` is as good with the labels the other way round, and has wind.
const A: &str = r#"
name = "A"
require = ["stat < 3"]
[checks.check]
bands = ["Miss", "Hit"]
axes.stat  = { default = 0, domain = "0..=3" }
axes.light = { default = "dim", domain = ["dim", "bright"] }
rules = '''
show total = 2d6 + stat + (if light == bright then 1 else 0)
show band = match total { < 8: Miss, else: Hit }
'''
"#;

fn load_b() -> Model {
    let text = A
        .replace("require = [\"stat < 3\"]", "require = [\"stat > 0\"]")
        .replace("[\"dim\", \"bright\"]", "[\"bright\", \"dim\"]")
        .replace(
            "axes.light",
            "axes.wind = { default = 0, domain = \"0..=1\" }\naxes.light",
        )
        .replace("2d6 + stat", "2d6 + stat - wind");
    load("b.toml", text.as_bytes()).expect("it is right")
}

fn check(model: &Model) -> &Check {
    model.check("check").expect("it is there")
}

/// Rows over `stat`, `light` and `wind`, by the bands or by the total.
fn rows(of_total: bool) -> Vec<PairRow> {
    let models = [load("a.toml", A.as_bytes()).expect("it is right"), load_b()];
    let checks = [check(&models[0]), check(&models[1])];
    let configs = checks.map(Check::defaults);
    let sweeps = ["stat=3,0,1", "light=dim,bright", "wind=0,1"];
    let range = |check: &Check, sweep: &str| check.sweep(sweep, "sweep").ok();
    let pair = Pair {
        sides: [0, 1].map(|side| Side {
            check: checks[side],
            config: &configs[side],
            ranges: sweeps.map(|sweep| range(checks[side], sweep)).into(),
            lines: checks[side].own_queries().into_iter().map(Some).collect(),
        }),
        lengths: vec![3, 2, 2],
        scale: match of_total {
            false => Scale::Bands(vec![0, 1]),
            true => Scale::Number(checks.map(|check| &check.outcomes[0])),
        },
    };
    pair.rows(&Budget::unlimited())
        .expect("it can be computed")
        .0
}

#[test]
fn rows_are_those_of_each_side_alone() {
    let models = [load("a.toml", A.as_bytes()).expect("it is right"), load_b()];
    let rows = rows(false);
    // stat=3 only for B, stat=0 only for A, stat=1 for both; 2 lights, 2 winds.
    assert_eq!(rows.len(), 12);
    for row in &rows {
        let [stat, light, wind] = [
            ["3", "0", "1"][row.places[0]],
            ["dim", "bright"][row.places[1]],
            ["0", "1"][row.places[2]],
        ];
        assert_eq!(row.allowed, [stat != "3", stat != "0"]);
        for (side, model) in models.iter().enumerate() {
            let check = check(model);
            let mut config = check.defaults();
            for set in [
                format!("stat={stat}"),
                format!("light={light}"),
                format!("wind={wind}"),
            ] {
                let _ = check.set(&mut config, &set, "set");
            }
            let queries: Vec<Query> = check.own_queries();
            let alone = answers(check, &config, &queries, &Budget::unlimited()).ok();
            let alone =
                alone.map(|answers| answers.into_iter().map(|own| own.to_ratio()).collect());
            let ours: Vec<_> = row.answers[side]
                .iter()
                .map(|own| own.as_ref().and_then(Answer::to_ratio))
                .collect();
            assert_eq!(
                ours,
                alone.unwrap_or(vec![None, None]),
                "{stat} {light} {wind}"
            );
        }
        let order = row.difference.as_ref().map(|difference| difference.order);
        let expected = match (stat, wind) {
            ("1", "0") => Some(Order::Equal),
            ("1", _) => Some(Order::First),
            _ => None,
        };
        assert_eq!(order, expected);
    }
}

#[test]
fn a_summary_counts_rows_and_finds_the_largest() {
    let rows = rows(true);
    let summary = Summary::of(&rows, 2);
    assert_eq!(summary.orders, [2, 2, 0, 0]);
    assert_eq!(summary.only, [4, 4]);
    assert_eq!(summary.rows, 12);
    // Wind costs a whole point of the total, in half of the rows that both have.
    let (row, distance) = summary.distance.largest.clone().expect("there is one");
    assert_eq!(distance.to_string(), "1");
    assert_eq!(summary.first, [Some(8), Some(row), None, None]);
    assert_eq!(
        summary.distance.mean.map(|mean| mean.to_string()),
        Some("1/2".to_owned())
    );
    // A Hit is 8 or more: of 2d6 + 1 in 21 of 36 rolls, of 2d6 in 15; with light in 26 and 21.
    let (row, hit) = summary.lines[1].largest.clone().expect("there is one");
    assert_eq!((row, hit.to_string()), (9, "-1/6".to_owned()));
    let mean = summary.lines[1].mean.clone().map(|mean| mean.to_string());
    // (0 - 6/36 + 0 - 5/36) / 4
    assert_eq!(mean, Some("-11/144".to_owned()));
}

#[test]
fn what_is_too_much_is_refused() {
    let model = load("a.toml", A.as_bytes()).expect("it is right");
    let check = check(&model);
    let config = check.defaults();
    let side = Side {
        check,
        config: &config,
        ranges: vec![check.sweep("stat=all", "sweep").ok()],
        lines: Vec::new(),
    };
    let pair = Pair {
        sides: [side.clone(), side],
        lengths: vec![4],
        scale: Scale::None,
    };
    let error = pair
        .rows(&Budget::new(100))
        .expect_err("it is over the budget");
    assert!(
        error
            .to_string()
            .starts_with("a comparison of 4 configurations needs"),
        "{error}"
    );
}
