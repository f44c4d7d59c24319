//! Expectations: each kind where it holds and where it does not, to the last digit; and those that ship.

use oddsmith_analysis::expect::{Broken, Findings, Stand, Verdict, verdicts};
use oddsmith_rules::{Model, load, shipped};

use crate::run;

const STEPS: u64 = 10_000_000_000;

/// A d20 that hits from 10: in 0.55 + stat / 20 of the rolls.
const TEXT: &str = r#"name = "Demo"
[checks.check]
bands   = ["Miss", "Hit", "Critical"]
require = ["stat + pool <= 4"]
axes.stat = { default = 0, domain = "-2..=4", sweep = "0..=2" }
axes.pool = { default = 1, domain = "0..=4" }
axes.mode = { default = "none", domain = ["none", "bonus", "die"] }
rules = """
let roll   = 1d20
show total = roll + stat + (match mode { none: 0, bonus: 2, die: 1d4 })
show band  = match total { < 10: Miss, < 20: Hit, else: Critical }
show Six   = count(pool d6, 6) >= 1
show Twist = matches(pool d2) >= 3
"""

[tracks.climb]
axes.hard = { default = 3, domain = "0..=6" }
rules = """
let height = 0
repeat until height == 2 {
  let won    = 1d6 > hard
  set height = height + won
}
show high   = height
"""
"#;

fn model(expectation: &str) -> Model {
    let text = format!("{TEXT}\n[[expect]]\nintent = \"So it is.\"\n{expectation}\n");
    load("demo.toml", text.as_bytes()).unwrap_or_else(|errors| panic!("{}", errors.render(false)))
}

fn verdict(expectation: &str) -> Verdict {
    let mut verdicts = verdicts(&model(expectation), run(STEPS));
    assert_eq!(verdicts.len(), 1);
    verdicts.remove(0)
}

fn findings(expectation: &str) -> Findings {
    let outcome = verdict(expectation).outcome;
    outcome.unwrap_or_else(|error| panic!("{expectation}: {error}"))
}

fn failures(expectation: &str) -> Vec<String> {
    told(&findings(expectation))
}

/// The failures that are kept, one a line.
fn told(findings: &Findings) -> Vec<String> {
    let stand = |stand: &Stand| format!("{} at {}", stand.value, stand.at);
    assert!(findings.worst.len() as u64 <= findings.failures);
    let lines = findings.worst.iter().map(|failure| {
        let broken = match &failure.broken {
            Broken::Value(value) => value.to_string(),
            Broken::Change { from, to } => format!("{}, {}", stand(from), stand(to)),
            Broken::Printed { printed, value } => {
                format!("{value} is printed as {}", printed.number.text)
            }
            Broken::Never => "never".to_owned(),
            Broken::NoAnswer => "no answer".to_owned(),
        };
        format!("{}: {}: {broken}", failure.configuration, failure.query)
    });
    lines.collect()
}

/// What holds, and what does not and why.
fn check(cases: &[(&str, &[&str])]) {
    for (expectation, expected) in cases {
        assert_eq!(failures(expectation), *expected, "{expectation}");
        assert_eq!(
            verdict(expectation).holds(),
            expected.is_empty(),
            "{expectation}"
        );
    }
}

#[test]
fn bounds_are_exact_and_both_ends_are_right() {
    let hit = "query = 'P(band>=Hit)'";
    let case = |rest: &str| format!("{hit}\n{rest}");
    let default = "the default configuration: P(band>=Hit): 11/20";
    let cases = [
        (case("at_least = 0.55"), vec![]),
        (case("at_most = 0.55"), vec![]),
        (case("between = [0.55, 0.55]"), vec![]),
        (case("between = ['55 %', '11/20']"), vec![]),
        (case("at_least = 0.55000000000001"), vec![default]),
        (case("at_most = '54.99999999 %'"), vec![default]),
        (case("between = [0.4, 0.5]"), vec![default]),
        (
            case("at_most = 0.6\nsweep = 'stat'"),
            vec!["stat=2: P(band>=Hit): 13/20"],
        ),
        // The worst one stands first.
        (
            case("between = [0.6, 0.61]\nsweep = 'stat=-2..=3'\nset = 'pool=0'"),
            vec![
                "stat=-2 pool=0: P(band>=Hit): 9/20",
                "stat=-1 pool=0: P(band>=Hit): 1/2",
                "stat=3 pool=0: P(band>=Hit): 7/10",
                "stat=0 pool=0: P(band>=Hit): 11/20",
                "stat=2 pool=0: P(band>=Hit): 13/20",
            ],
        ),
    ];
    for (expectation, expected) in cases {
        check(&[(&expectation, &expected)]);
    }
}

#[test]
fn every_query_counts_and_a_sum_is_one() {
    check(&[
        ("query = ['Miss', 'Hit', 'Critical']\nat_most = 0.5", &[]),
        (
            "query = ['Miss', 'Hit', 'Critical']\nat_most = 0.45",
            &["the default configuration: Hit: 1/2"],
        ),
        (
            "sum = ['Miss', 'Hit', 'Critical']\nbetween = [1, 1]\nsweep = ['stat', 'mode']",
            &[],
        ),
        (
            "sum = ['Hit', 'Critical', 'mean(total)']\nat_least = 11.06",
            &["the default configuration: Hit + Critical + mean(total): 221/20"],
        ),
    ]);
}

#[test]
fn monotone_along_an_axis() {
    check(&[
        (
            "query = 'P(band>=Hit)'\nincreases = 'stat'\nstrictly = true",
            &[],
        ),
        (
            "query = 'Miss'\ndecreases = 'stat'\nstrictly = true\nsweep = 'mode'",
            &[],
        ),
        ("query = 'Six'\nincreases = 'stat'", &[]),
        (
            "query = 'Six'\nincreases = 'stat=0,1'\nstrictly = true",
            &["the default configuration: Six: 1/6 at stat=0, 1/6 at stat=1"],
        ),
        (
            "query = 'Hit'\ndecreases = 'stat=0,1'\nstrictly = true\nsweep = 'mode=none,bonus'",
            &[
                "mode=none: Hit: 1/2 at stat=0, 1/2 at stat=1",
                "mode=bonus: Hit: 1/2 at stat=0, 1/2 at stat=1",
            ],
        ),
        // The largest step the wrong way stands first.
        (
            "query = 'mean(total)'\ndecreases = 'stat=-2,-1,2'\nset = ['pool=0', 'mode=bonus']",
            &[
                "pool=0 mode=bonus: mean(total): 23/2 at stat=-1, 29/2 at stat=2",
                "pool=0 mode=bonus: mean(total): 21/2 at stat=-2, 23/2 at stat=-1",
            ],
        ),
    ]);
}

#[test]
fn steps_are_bounded() {
    check(&[
        (
            "query = 'P(band>=Hit)'\nstep = 'stat'\nbetween = [0.05, 0.05]",
            &[],
        ),
        ("query = 'Miss'\nstep = 'stat'\nbetween = [-0.05, 0]", &[]),
        (
            "query = 'P(band>=Hit)'\nstep = 'stat=0,1,3'\nat_most = 0.05",
            &["the default configuration: P(band>=Hit): 3/5 at stat=1, 7/10 at stat=3"],
        ),
        (
            "query = 'Miss'\nstep = 'stat=0,1'\nat_least = -0.04",
            &["the default configuration: Miss: 9/20 at stat=0, 2/5 at stat=1"],
        ),
    ]);
}

#[test]
fn options_are_ordered() {
    let order = "ordered = ['mode=none', 'mode=bonus', 'mode=die']";
    let wrong = "query = 'mean(total)'\nordered = ['mode=die', ['mode=bonus', 'pool=2'], 'stat=1']\nset = []";
    check(&[
        (
            &format!("query = 'mean(total)'\n{order}\nstrictly = true\nsweep = 'stat'"),
            &[],
        ),
        (&format!("query = 'Six'\n{order}"), &[]),
        (
            &format!("query = 'Six'\n{order}\nstrictly = true\nset = 'pool=0'"),
            &[
                "pool=0: Six: 0 at mode=none, 0 at mode=bonus",
                "pool=0: Six: 0 at mode=bonus, 0 at mode=die",
            ],
        ),
        (
            wrong,
            &[
                "the default configuration: mean(total): 25/2 at mode=bonus pool=2, 23/2 at stat=1",
                "the default configuration: mean(total): 13 at mode=die, 25/2 at mode=bonus pool=2",
            ],
        ),
    ]);
    // Options that the rules forbid, here or everywhere, are passed over.
    let some =
        findings("query = 'Six'\nordered = ['pool=1', 'pool=2', 'pool=4']\nsweep = 'stat=-1,1,2'");
    assert_eq!((some.configurations, some.failures), (7, 0));
    let one = findings("query = 'Six'\nordered = ['pool=1', ['stat=4', 'pool=4'], 'pool=2']");
    assert_eq!((one.configurations, one.failures), (2, 0));
}

#[test]
fn what_can_happen_and_what_can_not() {
    check(&[
        (
            "reachable = ['Miss', 'Hit', 'Critical']\nsweep = ['stat', 'mode']",
            &[],
        ),
        (
            "unreachable = ['Miss & Critical', 'P(total > 27)']\nsweep = ['stat', 'mode']",
            &[],
        ),
        (
            "reachable = ['Six', 'Twist']\nsweep = 'pool=0,1,3'",
            &[
                "pool=0: Six: never",
                "pool=0: Twist: never",
                "pool=1: Twist: never",
            ],
        ),
        (
            "reachable = ['Six', 'Twist']\nsomewhere = true\nsweep = 'pool=0,1,3'",
            &[],
        ),
        (
            "reachable = ['Six', 'Twist']\nsomewhere = true\nsweep = 'pool=1,2'",
            &["the default configuration: Twist: never"],
        ),
        (
            "unreachable = 'Six'\nsweep = 'pool=0..=2'",
            &["pool=2: Six: 11/36", "pool=1: Six: 1/6"],
        ),
    ]);
}

#[test]
fn what_is_printed_is_rounded_halves_up() {
    let table = "query = 'P(band>=Hit)'\nx = 'stat=0..=2'\nby = 'mode=none,bonus'";
    check(&[
        ("query = 'P(band>=Hit)'\nprinted = '55 %'", &[]),
        ("query = 'P(band>=Hit)'\nprinted = 0.550", &[]),
        // 0.55 is half way from 0.5 to 0.6.
        ("query = 'P(band>=Hit)'\nprinted = 0.6", &[]),
        (
            "query = 'P(band>=Hit)'\nprinted = 0.5",
            &["the default configuration: P(band>=Hit): 11/20 is printed as 0.5"],
        ),
        ("query = 'P(band>=Hit)'\nprinted = '11/20'", &[]),
        (
            "query = 'P(band>=Hit)'\nprinted = '5/9'",
            &["the default configuration: P(band>=Hit): 11/20 is printed as 5/9"],
        ),
        // -0.5 rounds up to 0.
        ("query = 'mean(total - 11)'\nprinted = 0", &[]),
        (
            "query = 'mean(total - 11)'\nprinted = -1",
            &["the default configuration: mean(total - 11): -1/2 is printed as -1"],
        ),
        (
            "query = ['Miss', 'Hit', 'Critical']\nprinted = ['45 %', '-', '5.0 %']",
            &[],
        ),
        (
            &format!("{table}\nprinted = [['55 %', '60 %', '65 %'], ['65 %', '70 %', '75 %']]"),
            &[],
        ),
        (
            &format!("{table}\nprinted = [['55 %', '60 %', '66 %'], ['65 %', 0.8, '75 %']]"),
            &[
                "mode=bonus stat=1: P(band>=Hit): 7/10 is printed as 0.8",
                "mode=none stat=2: P(band>=Hit): 13/20 is printed as 66 %",
            ],
        ),
        (
            "query = ['Miss', 'Hit']\nx = 'stat=0,1'\nprinted = [['45 %', '40 %'], ['50 %', '51 %']]",
            &["stat=1: Hit: 1/2 is printed as 51 %"],
        ),
    ]);
}

#[test]
fn infinite_means_are_more_than_any_number() {
    let rolls = "check = 'climb'\nquery = 'mean(rolls)'";
    let fallen = "check = 'climb'\nquery = 'mean(0 - rolls)'";
    check(&[
        (&format!("{rolls}\nat_least = 1000\nset = 'hard=6'"), &[]),
        (
            &format!("{rolls}\nat_most = 1000\nset = 'hard=6'"),
            &["hard=6: mean(rolls): inf"],
        ),
        (
            &format!("{fallen}\nat_least = -1000\nset = 'hard=6'"),
            &["hard=6: mean(0 - rolls): -inf"],
        ),
        (
            &format!("{rolls}\nincreases = 'hard'\nstrictly = true"),
            &[],
        ),
        (
            &format!("{fallen}\ndecreases = 'hard'\nstrictly = true"),
            &[],
        ),
        (
            &format!("{rolls}\nstep = 'hard=4,5,6'\nat_most = 6"),
            &["the default configuration: mean(rolls): 12 at hard=5, inf at hard=6"],
        ),
        (
            &format!("{rolls}\nset = 'hard=6'\nprinted = 12"),
            &["hard=6: mean(rolls): inf is printed as 12"],
        ),
        // No number is the sum of both.
        (
            "check = 'climb'\nsum = ['mean(rolls)', 'mean(0 - rolls)']\nbetween = [0, 0]\nsweep = 'hard=5,6'",
            &["hard=6: mean(rolls) + mean(0 - rolls): no answer"],
        ),
    ]);
}

#[test]
fn a_query_without_an_answer_fails() {
    check(&[
        (
            "query = 'P(Twist | Six)'\nincreases = 'pool=0..=2'",
            &["pool=0: P(Twist | Six): no answer"],
        ),
        (
            "reachable = 'P(Hit | Six)'\nsweep = 'pool=0,1'",
            &["pool=0: P(Hit | Six): no answer"],
        ),
        (
            "reachable = 'P(Hit | Six)'\nsomewhere = true\nsweep = 'pool=0,1'",
            &[],
        ),
        (
            "check = 'climb'\nquery = 'mean(high)'\nat_least = 0\nset = 'hard=6'",
            &["hard=6: mean(high): no answer"],
        ),
    ]);
}

#[test]
fn forbidden_configurations_are_passed_over() {
    let swept = findings("query = 'Hit'\nat_least = 0\nsweep = ['stat=0..=2', 'pool=1..=3']");
    assert_eq!((swept.configurations, swept.failures), (8, 0));
    // From one legal value to the next.
    let along = "query = 'mean(total)'\nset = 'pool=3'\nstep = 'stat=0,3,1'\nat_most = 0.5";
    check(&[(
        along,
        &["pool=3: mean(total): 21/2 at stat=0, 23/2 at stat=1"],
    )]);
    let printed =
        "query = 'P(band>=Hit)'\nset = 'pool=3'\nx = 'stat=0..=2'\nprinted = ['55 %', '60 %', '-']";
    check(&[(printed, &[])]);
    // With only one there is no configuration, or only one.
    for lonely in [
        "query = 'Hit'\nset = 'pool=3'\nincreases = 'stat=1,2,3'",
        "query = 'Hit'\nset = 'pool=3'\nordered = ['stat=1', 'stat=2']",
        "query = 'Hit'\nprinted = '-'",
    ] {
        let error = verdict(lonely).outcome.expect_err(lonely).to_string();
        assert!(error.contains("no configuration, or only one"), "{error}");
    }
}

#[test]
fn what_costs_too_much_is_told_and_hinders_no_other() {
    let text = format!(
        "{TEXT}\n[[expect]]\nintent = 'a'\nquery = 'Six'\nincreases = 'pool'\nsweep = ['stat=-2..=4', 'mode']\n\
         [[expect]]\nintent = 'b'\nquery = 'Miss'\nat_least = 0"
    );
    let model = load("demo.toml", text.as_bytes()).expect("it is right");
    let verdicts = verdicts(&model, run(10_000));
    let places: Vec<usize> = verdicts.iter().map(|verdict| verdict.expectation).collect();
    assert_eq!(places, [0, 1]);
    let error = verdicts[0]
        .outcome
        .as_ref()
        .expect_err("too dear")
        .to_string();
    assert!(error.contains("the budget is 10000"), "{error}");
    assert!(verdicts[1].holds(), "{verdicts:?}");
}

#[test]
fn the_five_worst_are_kept_wherever_they_are() {
    // 10,001 configurations are more than one chunk of a sweep; all fail, by a step more each.
    let text = "name = \"Demo\"\n[checks.check]\naxes.flat = { default = 0, domain = \"0..=10000\" }\n\
                axes.way = { default = -1, domain = \"-1..=1\" }\n\
                rules = \"show total = 1d6 + way * flat\"\n";
    for (way, worst) in [(1, 10_000), (-1, 0)] {
        let text = format!(
            "{text}\n[[expect]]\nintent = 'x'\nquery = 'mean(total)'\nset = 'way={way}'\nsweep = 'flat=all'\n\
             at_most = -20000\n"
        );
        let model = load("demo.toml", text.as_bytes()).expect("it is right");
        let verdict = verdicts(&model, run(STEPS)).remove(0);
        let findings = verdict.outcome.expect("an answer");
        assert_eq!(
            (findings.configurations, findings.failures),
            (10_001, 10_001)
        );
        let expected: Vec<String> = (0..5_i64)
            .map(|rank| {
                let flat = (worst - rank).abs();
                let way = if way == 1 { " way=1" } else { "" };
                format!("flat={flat}{way}")
            })
            .collect();
        let found: Vec<&str> = findings
            .worst
            .iter()
            .map(|failure| failure.configuration.as_str())
            .collect();
        assert_eq!(found, expected);
    }
    // Along an axis whose neighbours stand in different chunks as well.
    let text = format!(
        "{text}\n[[expect]]\nintent = 'x'\nquery = 'mean(total)'\ndecreases = 'flat=all'\nstrictly = true\n"
    );
    let model = load("demo.toml", text.as_bytes()).expect("it is right");
    assert!(verdicts(&model, run(STEPS))[0].holds());
}

#[test]
fn shipped_games_are_what_they_are_meant_to_be() {
    for (name, text) in shipped() {
        let model = load(name, text.as_bytes()).expect("what ships is right");
        assert!(model.expectations.len() >= 10, "{name}");
        for verdict in verdicts(&model, run(STEPS)) {
            let intent = &model.expectations[verdict.expectation].intent;
            assert!(intent.ends_with('.'), "{name}: {intent}");
            let found = verdict.outcome.map(|findings| told(&findings));
            assert_eq!(found, Ok(Vec::new()), "{name}: {intent}");
        }
    }
}

#[test]
fn a_moved_number_of_a_shipped_game_is_noticed() {
    let moves = [
        (
            "stars-and-signs",
            "default = [10, 15, 20]",
            "default = [10, 14, 20]",
        ),
        (
            "stars-and-signs",
            "default = [0, 4, 6, 8, 10, 12]",
            "default = [0, 4, 8, 8, 10, 12]",
        ),
        (
            "stars-and-signs",
            "boon_cap     = { default = 5",
            "boon_cap     = { default = 4",
        ),
        (
            "action-primer",
            "{ default = 4, domain = \"0..=10\", label = \"Target number of the unskilled",
            "{ default = 5, domain = \"0..=10\", label = \"Target number of the unskilled",
        ),
        (
            "action-primer",
            "reroll_price    = { default = 2",
            "reroll_price    = { default = 1",
        ),
        (
            "action-primer",
            "default = [0, 2, 5, 10]",
            "default = [0, 2, 4, 10]",
        ),
        (
            "buried-secrets",
            "default = [0, 1, 2, 3]",
            "default = [0, 1, 2, 4]",
        ),
        (
            "buried-secrets",
            "[params.position_ticks]\ndefault = [1, 2, 3]",
            "[params.position_ticks]\ndefault = [1, 2, 4]",
        ),
        (
            "buried-secrets",
            "default = \"goal_first\"",
            "default = \"danger_first\"",
        ),
        ("action-checks", "default = [4, 6]", "default = [4, 5]"),
        (
            "action-checks",
            "twist_dice = { default = 3",
            "twist_dice = { default = 4",
        ),
        (
            "action-checks",
            "default = \"remove_highest\"",
            "default = \"pre_roll\"",
        ),
    ];
    for (game, before, after) in moves {
        let (_, text) = shipped()
            .iter()
            .find(|(name, _)| *name == game)
            .expect("it ships");
        assert_eq!(text.matches(before).count(), 1, "{game}: {before}");
        let model = load(game, text.replace(before, after).as_bytes()).expect("it is still right");
        let broken = verdicts(&model, run(STEPS))
            .iter()
            .filter(|verdict| !verdict.holds())
            .count();
        assert!(broken > 0, "{game}: {after}");
    }
}
